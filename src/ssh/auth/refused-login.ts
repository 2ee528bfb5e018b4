/**
 * @module The error of a host that let nobody in: what was offered, what of it was good, what was not offered.
 */
import { HostError } from "../host-error.ts";
import type { Login } from "../login/login.ts";
import { printable } from "../printable.ts";

export interface Offered {
  /** Labels. */
  readonly tried: readonly string[];
  /** The methods of {@link tried} that the host accepted as a part of the login. */
  readonly accepted: readonly string[];
  /** Why something was not offered. */
  readonly notes: readonly string[];
  /** What the host takes. */
  readonly methods: readonly string[];
  /** Files of certificates that were not shown. */
  readonly certificates: readonly string[];
  /** What the host said about it. */
  readonly reason: string | undefined;
}

export function refusedLogin({ host, user }: Login, offered: Offered): HostError {
  const { tried, accepted, notes, methods, certificates, reason } = offered;
  const refused = tried.filter((label) => !accepted.includes(label));
  const besides = accepted.length > 0 ? "Tried besides" : "Tried";
  const nothing = accepted.length > 0 ? [] : ["There was nothing to offer: no key, no agent, no password."];
  const sentences = [
    ...(refused.length > 0 ? [`${besides}: ${refused.join(", ")}.`] : nothing),
    ...(notes.length > 0 ? [`Not tried: ${[...new Set(notes)].join("; ")}.`] : []),
    ...(methods.length > 0 ? [`The host accepts: ${printable(methods.join(", "))}.`] : []),
    ...certificates.map((file) => `The certificate ${file} was not shown: transport = "openssh" shows it.`),
  ];
  const message =
    accepted.length > 0
      ? `${host} accepted ${accepted.join(", ")} for ${user}, and wants another proof besides`
      : `${host} refused the login as ${user}`;
  const why = reason === undefined ? "" : `: ${reason}`;
  return new HostError("login_refused", host, `${message}${why}`, sentences.join(" "));
}
