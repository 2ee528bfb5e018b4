/**
 * @module The arguments of the system's `ssh`: the settings of the login itself. Everything else is left to `ssh` and its
 * configuration files. Arguments never have secrets.
 */
import type { ReachedLogin } from "../config/reached-login.ts";
import type { HostKeyChecking, Login } from "../login/login.ts";
import { expandHome } from "../login/resolve-login.ts";

/** What was made for one `ssh`. */
export interface MadeFor {
  /** The socket of the agent that holds the key which the login gives as text. */
  readonly agentSocket: string | undefined;
  /** Options that let only the key pass which the login names. */
  readonly hostKey: readonly string[] | undefined;
}

/**
 * @param login as the user set it
 * @param reached the same with what the configuration files say: for time limits, which we keep ourselves too
 */
export function opensshArguments(login: Login, reached: ReachedLogin, made: MadeFor): string[] {
  const isSet = (name: keyof Login): boolean => login[name] !== undefined && !login.defaulted?.includes(name);
  const option = (name: string, value: string | number): string[] => ["-o", `${name}=${value}`];
  const ownAgent = made.agentSocket;
  return [
    ...(login.sshConfigFile === undefined
      ? []
      : ["-F", login.sshConfigFile.toLowerCase() === "none" ? "none" : expandHome(login.sshConfigFile)]),
    ...identity(login, ownAgent, option),
    ...(made.hostKey?.flatMap((line) => ["-o", line]) ??
      (isSet("knownHostsFile") ? option("UserKnownHostsFile", path(login.knownHostsFile!)) : [])),
    ...(isSet("port") ? ["-p", String(login.port)] : []),
    ...(isSet("user") ? ["-l", login.user] : []),
    ...option(
      "StrictHostKeyChecking",
      checking[made.hostKey === undefined ? reached.hostKeyChecking : "strict"],
    ),
    ...algorithms(login, option),
    ...option("ConnectTimeout", Math.max(1, Math.ceil(reached.connectTimeout))),
    // Attempts are made one by one here.
    ...option("ConnectionAttempts", 1),
    ...option("ServerAliveInterval", Math.ceil(reached.keepalive)),
    ...option("ServerAliveCountMax", reached.keepaliveCount),
    ...option("NumberOfPasswordPrompts", 1),
  ];
}

function identity(
  login: Login,
  ownAgent: string | undefined,
  option: (name: string, value: string) => string[],
): string[] {
  const certificate =
    login.certificateFile === undefined ? [] : option("CertificateFile", path(login.certificateFile));
  if (ownAgent !== undefined) {
    return [
      ...certificate,
      ...option("IdentityFile", "none"),
      ...option("IdentityAgent", path(ownAgent)),
      ...option("IdentitiesOnly", "no"),
    ];
  }
  return [
    ...(login.privateKeyFile === undefined ? [] : option("IdentityFile", path(login.privateKeyFile))),
    ...certificate,
    ...(login.identitiesOnly ? option("IdentitiesOnly", "yes") : []),
    ...(login.agent ? [] : option("IdentityAgent", "none")),
  ];
}

/** Options for the algorithms that the login itself names. */
function algorithms(login: Login, option: (name: string, value: string | number) => string[]): string[] {
  const given = {
    HostKeyAlgorithms: login.hostKeyAlgorithms,
    KexAlgorithms: login.kexAlgorithms,
    Ciphers: login.ciphers,
    MACs: login.macs,
    PubkeyAcceptedAlgorithms: login.pubkeyAcceptedAlgorithms,
    RequiredRSASize: login.requiredRsaSize,
  };
  return Object.entries(given).flatMap(([name, value]) => (value === undefined ? [] : option(name, value)));
}

const checking: Readonly<Record<HostKeyChecking, string>> = {
  strict: "yes",
  "accept-new": "accept-new",
  off: "no",
};

/** A path in a configuration value: in quotes, with its percent signs doubled. */
const path = (name: string): string => `"${expandHome(name).replaceAll("%", "%%")}"`;
