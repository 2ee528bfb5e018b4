/**
 * @module What the user's agent holds.
 */
import type { OpenSSHAgent, ParsedKey } from "ssh2";

/** The keys of an agent, or why it does not say. */
export function heldBy(agent: OpenSSHAgent): Promise<readonly ParsedKey[] | Error> {
  return new Promise((done) =>
    agent.getIdentities((error, keys) => done(error ?? (keys as ParsedKey[] | undefined) ?? [])),
  );
}

/** @param keys public keys in wire form */
export const oneOf =
  (keys: readonly Buffer[]) =>
  (key: ParsedKey): boolean =>
    keys.some((other) => other.equals(key.getPublicSSH()));
