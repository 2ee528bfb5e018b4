/**
 * @module Why a connection of `ssh2` ended, in words that follow "the connection was lost:".
 */
import { printable } from "../printable.ts";

/** What `ssh2` adds to its errors. */
export interface Ssh2Error extends Error {
  /** Where it comes from: `client-socket`, `protocol`, `handshake`. None for an error that it did not make itself. */
  readonly level?: string;
  /** The reason that the host gave for ending the connection (RFC 4253, 11.1), or the system's name of an error. */
  readonly code?: string | number;
}

/**
 * The words of `ssh2`, of the system or of the host. What was thrown while a packet of the host was read has words for
 * nobody: the packet was none of the protocol's.
 */
export function reasonOf(error: Ssh2Error): string {
  const isKnown = error.level !== undefined || error.code !== undefined;
  return isKnown ? printable(error.message) : "it did not keep to the protocol";
}
