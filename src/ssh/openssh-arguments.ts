/**
 * @module What the system's `ssh` is called with: what the login itself sets, everything else being left to `ssh` and its
 * configuration files. Secrets are never among it.
 */
import type { ReachedLogin } from "./config/reached-login.ts";
import { HostError } from "./host-error.ts";
import type { Bastion, HostKeyChecking, Login } from "./login.ts";
import { expandHome } from "./resolve-login.ts";

/**
 * @param login as the user set it
 * @param reached the same with what the configuration files say: for time limits, which we keep ourselves too
 * @param knownHosts path of a file with the key that the login names, if it names one
 * @throws HostError with code `login_settings` for what only the other transport can do
 */
export function opensshArguments(
  login: Login,
  reached: ReachedLogin,
  knownHosts: string | undefined,
): string[] {
  const isSet = (name: keyof Login): boolean => login[name] !== undefined && !login.defaulted?.includes(name);
  const option = (name: string, value: string | number): string[] => ["-o", `${name}=${value}`];
  if (login.privateKey !== undefined)
    throw onlySsh2(login, "private_key", "Use private_key_file, or the agent.");
  const files = [
    ...(login.privateKeyFile === undefined ? [] : option("IdentityFile", path(login.privateKeyFile))),
    ...(login.certificateFile === undefined ? [] : option("CertificateFile", path(login.certificateFile))),
    ...(knownHosts === undefined
      ? isSet("knownHostsFile")
        ? option("UserKnownHostsFile", path(login.knownHostsFile!))
        : []
      : [
          ...option("UserKnownHostsFile", path(knownHosts)),
          ...option("HostKeyAlias", PINNED),
          ...option("GlobalKnownHostsFile", "none"),
        ]),
  ];
  return [
    ...(login.sshConfigFile === undefined
      ? []
      : ["-F", login.sshConfigFile.toLowerCase() === "none" ? "none" : expandHome(login.sshConfigFile)]),
    ...files,
    ...(isSet("port") ? ["-p", String(login.port)] : []),
    ...(isSet("user") ? ["-l", login.user] : []),
    ...(login.identitiesOnly ? option("IdentitiesOnly", "yes") : []),
    ...(login.agent ? [] : option("IdentityAgent", "none")),
    ...option(
      "StrictHostKeyChecking",
      CHECKING[knownHosts === undefined ? reached.hostKeyChecking : "strict"],
    ),
    ...option("ConnectTimeout", Math.max(1, Math.ceil(reached.connectTimeout))),
    ...option("ServerAliveInterval", Math.ceil(reached.keepalive)),
    ...option("ServerAliveCountMax", reached.keepaliveCount),
    ...option("NumberOfPasswordPrompts", 1),
    ...way(login, option),
  ];
}

/** The name under which a key that the login names is looked up. */
export const PINNED = "conn3x-host";

const CHECKING: Readonly<Record<HostKeyChecking, string>> = {
  strict: "yes",
  "accept-new": "accept-new",
  off: "no",
};

function way(login: Login, option: (name: string, value: string) => string[]): string[] {
  if (login.bastions && login.bastions.length > 0) {
    return option("ProxyJump", login.bastions.map((hop) => jump(login, hop)).join(","));
  }
  if (login.proxyJump !== undefined) return option("ProxyJump", login.proxyJump);
  return login.proxyCommand === undefined ? [] : option("ProxyCommand", login.proxyCommand);
}

function jump(login: Login, { address, user, port, ...more }: Bastion): string {
  const setting = Object.entries(more).find(([, value]) => value !== undefined)?.[0];
  if (setting !== undefined) {
    throw onlySsh2(
      login,
      "a bastion's own settings",
      `Put ${address} into ssh_config, and its name into proxy_jump.`,
    );
  }
  const host = address.includes(":") ? `[${address}]` : address;
  return `${user === undefined ? "" : `${user}@`}${host}${port === undefined ? "" : `:${port}`}`;
}

function onlySsh2(login: Login, what: string, advice: string): HostError {
  return new HostError("login_settings", login.host, `transport "openssh" cannot use ${what}`, advice);
}

/** A path in a configuration value: in quotes, with its percent signs doubled. */
const path = (name: string): string => `"${expandHome(name).replaceAll("%", "%%")}"`;
