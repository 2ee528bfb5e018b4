/**
 * @module The provider's `circuit_logins`: login secrets by `CIRCUIT/HOST/STEP`, which resources refer to by name.
 *
 * When a resource is read or removed, only its stored settings are known. So secrets, which must not be
 * stored, come from the provider's own configuration.
 */
import type { Value } from "../values/value.ts";
import { isNull, isUnknown } from "../values/value.ts";
import { isEntries } from "../values/walk.ts";
import { entriesFor, entryParts, memberOf } from "./entry-name.ts";
import type { NoLogin } from "./login-settings.ts";

/**
 * The entry that an `ssh` block names; otherwise the step's for any host, the host's, the circuit's, so that what is no
 * longer configured can still be cleaned up.
 *
 * @param ssh an `ssh` block; undefined or null without one
 * @returns a map of settings; undefined when the block names none, or one that is not there: the host has no secrets
 */
export function circuitLogin(logins: Value | undefined, ssh: Value | undefined): Value | NoLogin | undefined {
  const name = nameIn(ssh);
  if (name === undefined) return undefined;
  if (logins !== undefined && isUnknown(logins)) return notKnown;
  const entry = entryFor(name, logins);
  return entry !== undefined && isUnknown(entry) ? notKnown : entry;
}

/**
 * What to say when a host refuses a login that lacks its entry: whole sentences. A host without secrets needs no entry, so
 * that only the host itself can report that one is missing.
 */
export function missingEntryAdvice(logins: Value | undefined, ssh: Value | undefined): string | undefined {
  const name = nameIn(ssh);
  if (name === undefined || (logins !== undefined && isUnknown(logins))) return undefined;
  if (entryFor(name, logins) !== undefined) return undefined;
  const { circuit, host, member } = entryParts(name);
  const what = member === undefined ? `${circuit}/${host}` : `${member} of ${circuit}/${host}`;
  const narrowed = member === undefined ? "" : ` -step=${memberOf(member)}`;
  return `${what} is not in the configuration any more, and its login secrets went with it: they are not stored. Put it back, run "conn3x destroy -circuit=${circuit} -limit=${host}${narrowed}", and remove it then; or set the secret for all hosts, in the ssh block of the circuit or of the provider.`;
}

function nameIn(ssh: Value | undefined): string | undefined {
  if (ssh === undefined || isNull(ssh) || isUnknown(ssh)) return undefined;
  const login = entriesIn(ssh)?.get("login");
  return login === undefined || isNull(login) || isUnknown(login) ? undefined : (login.data as string);
}

function entryFor(name: string, logins: Value | undefined): Value | undefined {
  const entries = logins && entriesIn(logins);
  return entriesFor(entryParts(name))
    .map((one) => entries?.get(one))
    .find((entry) => entry !== undefined);
}

const entriesIn = ({ data }: Value): ReadonlyMap<string, Value> | undefined =>
  isEntries(data) ? data : undefined;

const notKnown: NoLogin = {
  problem: "How the host is logged in to is not known yet: a secret of its login is known only after apply.",
  unknown: true,
};
