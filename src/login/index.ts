/**
 * @module The front of logins: what a host's settings, its jump path and its secrets are, by which names they go, and what is
 * wrong with them, whether they are known from a text or as values. Nothing here logs in: that is `ssh`.
 */

// The settings, and their names by what becomes of them.
export { providerBlock, sshBlock } from "./schema.ts";
export {
  adviceOf,
  checkSshSetting,
  hostSettings,
  laterSettings,
  plainSettings,
  secretSettings,
  sharedSshSettings,
} from "./settings.ts";

// A host as it is given.
export { checkHost, type ReportOfHost } from "./check-host.ts";
export { type Given, type GivenEntry, givenValue } from "./given.ts";
export { badHostName, hostNamePattern, isHostName, namelessHost } from "./host-problems.ts";

// The jump path.
export {
  checkHops,
  checkOneJumpPath,
  hopSecretName,
  hopSecrets,
  hopSettings,
  hopWithoutAddress,
  isJumpPathSetting,
  type JumpPathSetting,
  jumpPathSettings,
  warnOfRepeatedHops,
} from "./jump-path.ts";
export { jumpPathOf } from "./jump-path-of.ts";

// Secrets: the entries of circuit_logins.
export { circuitLogin, missingEntryAdvice } from "./circuit-logins.ts";
export { entryMember, entryName, entryNameText } from "./entry-name.ts";

// What a login comes to: its settings, and the host that it leads to.
export { type Endpoint, endpointOf, endpointText, isElsewhere } from "./endpoint.ts";
export { hostOf } from "./host-of.ts";
export { loginSettings, type NoLogin } from "./login-settings.ts";
