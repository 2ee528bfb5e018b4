/**
 * @module Our provider, served from this process for the engine to attach to: it keeps its connections to hosts from one
 * of the engine's commands to the next, and knows what it decided.
 */
import { refusingContradictions } from "../../../provider/contradictions.ts";
import { createLog } from "../../../provider/log.ts";
import { reattachVariable } from "../../../provider/reattach.ts";
import { serve } from "../../../provider/serve.ts";
import { createSocketPlace } from "../../../provider/socket.ts";
import { createHeldObjects, createPlannedChanges, createProvider, type Provider } from "../../core/index.ts";
import { createSessionPool, HostError, type SessionPool } from "../../ssh/index.ts";
import { type ImportSource, withImportLogins } from "../state/import-logins.ts";
import type { StoredForRead } from "../state/stored-for-reads.ts";
import type { ReadLogins } from "../state/stored-logins.ts";
import { withPrefetch } from "./prefetch.ts";
import { createProviderLog, type ProviderLog } from "./provider-log.ts";

export interface Attached {
  /** Variables for the engine's environment. */
  readonly environment: NodeJS.ProcessEnv;
  readonly log: ProviderLog;
  /**
   * Does the work with a provider that asks no host anything, to which no host answers, and whose decisions are not
   * remembered: for finding out what there is.
   */
  withoutHosts<T>(work: () => Promise<T>): Promise<T>;
  /**
   * From now on what contradicts another instance is refused as soon as it is known. What is known in a plan is compared
   * when all of that is there, and with addresses.
   */
  beginApply(): void;
  /** Serves no longer. The sessions stay open. */
  close(): Promise<void>;
}

export interface AttachOptions {
  /** Of the whole command; each connection of the engine's has a provider, all of them these sessions. */
  readonly sessions: SessionPool;
  /** What the state holds, for reading a host's instances together. */
  readonly stored: Promise<readonly StoredForRead[]>;
  /** How that is logged in to. Absent: as it is stored. */
  readonly logins?: ReadLogins | undefined;
  /** One that goes on; a new one unless given. */
  readonly log?: ProviderLog | undefined;
  /** The configured logins of imports. */
  readonly imports?: (() => ImportSource) | undefined;
}

/**
 * @param directory where its socket is, unless the path would get too long for one
 * @throws Error when no socket can be made
 */
export async function attachProvider(
  directory: string,
  { sessions, stored, logins, log = createProviderLog(), imports }: AttachOptions,
): Promise<Attached> {
  let hosts = true;
  const socket = await createSocketPlace(directory);
  process.on("exit", socket.remove);
  const removeSocket = (): void => {
    socket.remove();
    process.off("exit", socket.remove);
  };
  // A connection ends with a command of the engine's, the sessions do not.
  const shared: SessionPool = { ...sessions, close: async () => undefined };
  const plannedChanges = createPlannedChanges();
  const held = createHeldObjects();
  let applies = false;
  const open = (): Provider => {
    const created = createProvider({ sessions: shared, plannedChanges });
    const provider = refusingContradictions(created, held, () => applies);
    return imports === undefined ? provider : withImportLogins(provider, imports);
  };
  try {
    const serving = await serve({
      openProvider: () =>
        hosts
          ? log.watch(withPrefetch(open(), stored, logins))
          : createProvider({ sessions: unansweredSessions() }),
      socketPath: socket.path,
      log: createLog(process.env, (line) => process.stderr.write(line)),
    });
    return {
      environment: { TF_REATTACH_PROVIDERS: withOthers(reattachVariable(socket.path)) },
      log,
      async withoutHosts(work) {
        hosts = false;
        try {
          return await work();
        } finally {
          hosts = true;
        }
      },
      beginApply() {
        applies = log.hasUnknown();
      },
      async close() {
        await serving.close();
        removeSocket();
      },
    };
  } catch (error) {
    removeSocket();
    throw error;
  }
}

const unansweredSessions = (): SessionPool =>
  createSessionPool({
    transport: {
      connect: async ({ host }) => {
        throw new HostError("unreachable", host, "no host is asked now");
      },
    },
  });

/** Providers that the user attaches stay attached. */
function withOthers(ours: string): string {
  try {
    const others: unknown = JSON.parse(process.env.TF_REATTACH_PROVIDERS ?? "{}");
    return JSON.stringify({ ...(others as object), ...(JSON.parse(ours) as object) });
  } catch {
    return ours;
  }
}
