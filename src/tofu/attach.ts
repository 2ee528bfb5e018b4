/**
 * @module Our provider, served from this process for the engine to attach to: it keeps its connections to hosts from one
 * of the engine's commands to the next, and knows what it decided.
 */
import { createLog } from "../../provider/log.ts";
import { reattachVariable } from "../../provider/reattach.ts";
import { serve } from "../../provider/serve.ts";
import { createSocketPlace } from "../../provider/socket.ts";
import { createProvider } from "../core/create-provider.ts";
import type { SessionPool } from "../ssh/session.ts";
import { createDecisionLog, type DecisionLog } from "./decision-log.ts";
import { withPrefetch } from "./prefetch.ts";
import type { StoredInstance } from "./stored-instances.ts";

export interface Attached {
  /** What the engine must find in its environment. */
  readonly environment: NodeJS.ProcessEnv;
  readonly decisions: DecisionLog;
  /** Serves no longer. The sessions stay open. */
  close(): Promise<void>;
}

/**
 * @param sessions of the whole command; each connection of the engine's has a provider, all of them these sessions
 * @param stored what the state holds, for reading a host's instances together
 * @throws Error when no socket can be made
 */
export async function attachProvider(
  sessions: SessionPool,
  stored: Promise<readonly StoredInstance[]>,
): Promise<Attached> {
  const decisions = createDecisionLog();
  const place = createSocketPlace();
  // A connection ends with a command of the engine's, the sessions do not.
  const shared: SessionPool = { ...sessions, close: async () => undefined };
  try {
    const serving = await serve({
      openProvider: () => decisions.watch(withPrefetch(createProvider({ sessions: shared }), stored)),
      socketPath: place.path,
      log: createLog(process.env, (line) => process.stderr.write(line)),
    });
    return {
      environment: { TF_REATTACH_PROVIDERS: withOthers(reattachVariable(place.path)) },
      decisions,
      async close() {
        await serving.close();
        place.remove();
      },
    };
  } catch (error) {
    place.remove();
    throw error;
  }
}

/** Providers that the user attaches stay attached. */
function withOthers(ours: string): string {
  try {
    const others: unknown = JSON.parse(process.env.TF_REATTACH_PROVIDERS ?? "{}");
    return JSON.stringify({ ...(others as object), ...(JSON.parse(ours) as object) });
  } catch {
    return ours;
  }
}
