/**
 * @module The keys of the user's agent.
 */
import type { Duplex } from "node:stream";
import type { GetStreamCallback, ParsedKey } from "ssh2";
import ssh2, { type OpenSSHAgent } from "ssh2";
import { PlainError } from "../../diagnostics/unexpected-error.ts";
import type { ReachedLogin } from "../config/reached-login.ts";
import { namedPublicKeys } from "./private-key.ts";

/** Milliseconds in which an agent lists its keys. (For a signature it may ask a person.) */
const patience = 5_000;
/** Bytes that an agent may answer with: it has no more keys than that. OpenSSH's takes 256 KiB for one message. */
const longestAnswer = 1024 * 1024;

/** Why an agent's keys cannot be listed, in words. */
class NoAgent extends PlainError {}

/** An agent whose answers have an end. */
class BoundedAgent extends ssh2.OpenSSHAgent {
  override getStream(done: GetStreamCallback): void {
    super.getStream((error, stream) => {
      let received = 0;
      const socket = stream as Duplex | undefined;
      socket?.pause().on("data", (chunk: Buffer) => {
        received += chunk.length;
        if (received > longestAnswer) socket.destroy();
      });
      done(error, stream!);
    });
  }
}

/** The keys of an agent, or why they cannot be listed. */
function heldBy(agent: OpenSSHAgent): Promise<readonly ParsedKey[] | NoAgent> {
  return new Promise((done) => {
    const timer = setTimeout(
      () => done(new NoAgent(`it did not answer within ${patience / 1000} s`)),
      patience,
    );
    agent.getIdentities((error, keys) => {
      clearTimeout(timer);
      // `ssh2` has no more words for it than these.
      const isThere = error?.message !== "Failed to connect to agent";
      const why = isThere ? "it did not answer as agents do" : "it cannot be reached";
      done(error ? new NoAgent(why) : ((keys as ParsedKey[] | undefined) ?? []));
    });
  });
}

/** The login's agent, asked once for what it holds. */
export interface KnownAgent {
  readonly agent: OpenSSHAgent;
  held(): Promise<readonly ParsedKey[] | NoAgent>;
}

/** @returns undefined where none is to be asked */
export function knownAgent({ agentSocket }: ReachedLogin): KnownAgent | undefined {
  if (agentSocket === undefined) return undefined;
  const agent = new BoundedAgent(agentSocket);
  let held: Promise<readonly ParsedKey[] | NoAgent> | undefined;
  return {
    agent,
    held() {
      held ??= heldBy(agent);
      return held;
    },
  };
}

/** @param keys public keys in wire form */
export const oneOf =
  (keys: readonly Buffer[]) =>
  (key: ParsedKey): boolean =>
    keys.some((other) => other.equals(key.getPublicSSH()));

/** Whether the login's agent has the key that it names or, where it names none or it is unknown which that is, any. */
export async function agentMayHold(login: ReachedLogin): Promise<boolean> {
  if (login.agentSocket === undefined) return false;
  const held = await heldBy(new BoundedAgent(login.agentSocket));
  if (held instanceof Error || held.length === 0) return false;
  const namesOne = login.privateKey !== undefined || login.privateKeyFile !== undefined;
  const wanted = namesOne ? await namedPublicKeys(login) : [];
  return wanted.length === 0 || held.some(oneOf(wanted));
}
