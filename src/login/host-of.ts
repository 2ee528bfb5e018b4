/**
 * @module Identifies the host of a session.
 */
import type { Session } from "../ssh/index.ts";

/** The same for every user. One address behind two bastions is two hosts. */
export function hostOf({
  login: { address, port, bastions = [], proxyJump },
}: Pick<Session, "login">): string {
  const hops = bastions.map((hop) => `${hop.address}:${hop.port ?? 22}`);
  const jump = proxyJump === undefined || proxyJump.toLowerCase() === "none" ? [] : [proxyJump];
  return [`${address}:${port}`, ...(hops.length > 0 ? hops : jump)].join(" through ");
}
