/**
 * @module The keys of the user's agent.
 */
import type { ParsedKey } from "ssh2";
import ssh2, { type OpenSSHAgent } from "ssh2";
import type { ReachedLogin } from "../config/reached-login.ts";
import { namedPublicKeys } from "./private-key.ts";

/** The keys of an agent, or why they cannot be listed. */
function heldBy(agent: OpenSSHAgent): Promise<readonly ParsedKey[] | Error> {
  return new Promise((done) =>
    agent.getIdentities((error, keys) => done(error ?? (keys as ParsedKey[] | undefined) ?? [])),
  );
}

/** The login's agent, asked once for what it holds. */
export interface KnownAgent {
  readonly agent: OpenSSHAgent;
  held(): Promise<readonly ParsedKey[] | Error>;
}

/** @returns undefined where none is to be asked */
export function knownAgent({ agentSocket }: ReachedLogin): KnownAgent | undefined {
  if (agentSocket === undefined) return undefined;
  const agent = new ssh2.OpenSSHAgent(agentSocket);
  let held: Promise<readonly ParsedKey[] | Error> | undefined;
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

/** Whether the login's agent has the key that it names or, where it names none or nobody can tell which it is, any. */
export async function agentMayHold(login: ReachedLogin): Promise<boolean> {
  if (login.agentSocket === undefined) return false;
  const held = await heldBy(new ssh2.OpenSSHAgent(login.agentSocket));
  if (held instanceof Error || held.length === 0) return false;
  const namesOne = login.privateKey !== undefined || login.privateKeyFile !== undefined;
  const wanted = namesOne ? await namedPublicKeys(login) : [];
  return wanted.length === 0 || held.some(oneOf(wanted));
}
