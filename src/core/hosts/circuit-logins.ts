/**
 * @module The provider's `circuit_logins`: login secrets by `CIRCUIT/HOST/STEP`, which resources refer to by name.
 *
 * When a resource is read or removed, only its stored settings are known. So secrets, which must not be
 * stored, come from the provider's own configuration.
 */
import { fieldsOf } from "../../revision/proposal.ts";
import type { Value } from "../../values/value.ts";
import { isNull, isUnknown } from "../../values/value.ts";
import type { NoLogin } from "./login-settings.ts";

/**
 * The entry that an `ssh` block names; otherwise the host's, otherwise the circuit's, so that a host that is no
 * longer configured can still be cleaned up.
 *
 * @param ssh an `ssh` block; undefined or null without one
 * @returns a map of settings; undefined when the block names none
 */
export function circuitLogin(logins: Value | undefined, ssh: Value | undefined): Value | NoLogin | undefined {
  if (ssh === undefined || isNull(ssh) || isUnknown(ssh)) return undefined;
  const login = fieldsOf(ssh)!.get("login");
  if (login === undefined || isNull(login) || isUnknown(login)) return undefined;
  const name = login.data as string;
  if (logins !== undefined && isUnknown(logins)) return notKnown;
  const entries = logins && fieldsOf(logins);
  for (let key = name; ; key = key.slice(0, key.lastIndexOf("/"))) {
    const entry = entries?.get(key);
    if (entry !== undefined) return isUnknown(entry) ? notKnown : entry;
    if (!key.includes("/")) return missing(name);
  }
}

const notKnown: NoLogin = {
  problem: "How the host is logged in to is not known yet: a secret of its login is known only after apply.",
  unknown: true,
};

const missing = (name: string): NoLogin => ({
  problem: `The provider's circuit_logins has no entry "${name}", so the secrets that the host is logged in to with are not there. Before a circuit with login secrets is removed, apply it once with hosts = {}: put it back, do that, then remove it.`,
  unknown: false,
});
