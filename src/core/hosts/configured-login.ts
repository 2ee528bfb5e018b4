/**
 * @module How a host is logged in to: the one module that joins an `ssh` block with the provider's configuration.
 */

import { circuitLogin, loginSettings, missingEntryAdvice, type NoLogin } from "../../login/index.ts";
import { type Login, resolveLogin } from "../../ssh/index.ts";
import type { Value } from "../../values/value.ts";

/** What the provider's configuration says about logins. */
export interface ProviderLogins {
  /** The provider's own `ssh` block, the defaults of all resources; undefined before it is configured. */
  readonly sshDefaults: Value | undefined;
  /** The provider's `circuit_logins`. */
  readonly circuitLogins: Value | undefined;
}

/** @param block of a resource; undefined or null without one */
export function configuredLogin(
  { sshDefaults, circuitLogins }: ProviderLogins,
  block: Value | undefined,
): Login | NoLogin {
  const secrets = circuitLogin(circuitLogins, block);
  if (secrets !== undefined && "problem" in secrets) return secrets;
  const login = loginOf(sshDefaults, secrets, block);
  if ("problem" in login) return login;
  const refusalAdvice = missingEntryAdvice(circuitLogins, block);
  return refusalAdvice === undefined ? login : { ...login, refusalAdvice };
}

/** @param blocks as {@link loginSettings} takes them */
export function loginOf(...blocks: readonly (Value | undefined)[]): Login | NoLogin {
  const settings = loginSettings(...blocks);
  return "problem" in settings ? settings : resolveLogin(settings);
}
