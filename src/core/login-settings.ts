/**
 * @module From `ssh` blocks to a login.
 */
import type { Login } from "../ssh/login.ts";
import { resolveLogin } from "../ssh/resolve-login.ts";
import { isPlainObject, type Plain, toPlain } from "../values/plain.ts";
import { Unknown, type Value } from "../values/value.ts";

/** Why there is no login: whole sentences. */
export interface NoLogin {
  readonly problem: string;
  /** Whether it may be known after apply. */
  readonly unknown: boolean;
}

/**
 * @param blocks `ssh` blocks and maps of their settings as values, null ones among them, the most general first: a later one's settings win
 */
export function loginOf(...blocks: readonly (Value | undefined)[]): Login | NoLogin {
  const settings = new Map<string, Plain>();
  for (const block of blocks) {
    const plain = block === undefined ? null : toPlain(block);
    if (!isPlainObject(plain)) continue;
    for (const [name, value] of Object.entries(plain)) if (value !== null) settings.set(name, value);
  }
  if ([...settings.values()].some((value) => value instanceof Unknown)) {
    return {
      problem:
        "How the host is reached is not known yet: a setting of the ssh block is known only after apply.",
      unknown: true,
    };
  }
  const address = text(settings, "address");
  if (address === undefined) {
    return {
      problem:
        "The ssh block has no address, and neither has the provider's. Set address to a host name or IP address.",
      unknown: false,
    };
  }
  const port = number(settings, "port");
  return resolveLogin({
    host: labelOf(address, port),
    address,
    port,
    user: text(settings, "user"),
    privateKey: text(settings, "private_key"),
    passphrase: text(settings, "passphrase"),
    password: text(settings, "password"),
    privateKeyFile: text(settings, "private_key_file"),
    certificateFile: text(settings, "certificate_file"),
    agent: flag(settings, "agent"),
    identitiesOnly: flag(settings, "identities_only"),
    hostKey: text(settings, "host_key"),
    knownHostsFile: text(settings, "known_hosts_file"),
    hostKeyChecking: text(settings, "host_key_checking") as Login["hostKeyChecking"] | undefined,
    sshConfigFile: text(settings, "ssh_config_file"),
    proxyJump: text(settings, "proxy_jump"),
    proxyCommand: text(settings, "proxy_command"),
    connectTimeout: number(settings, "connect_timeout"),
    commandTimeout: number(settings, "command_timeout"),
    keepalive: number(settings, "keepalive"),
    become: flag(settings, "become"),
    becomeUser: text(settings, "become_user"),
    becomeMethod: text(settings, "become_method") as Login["becomeMethod"] | undefined,
    becomePassword: text(settings, "become_password"),
    transport: text(settings, "transport") as Login["transport"] | undefined,
  });
}

/** Hosts may share an address: what they are called in messages then tells them apart by their ports. */
const labelOf = (address: string, port = 22): string => {
  if (port === 22) return address;
  return address.includes(":") ? `[${address}]:${port}` : `${address}:${port}`;
};

type Settings = ReadonlyMap<string, Plain>;

const text = (settings: Settings, name: string): string | undefined => {
  const value = settings.get(name);
  return typeof value === "string" ? value : undefined;
};

const number = (settings: Settings, name: string): number | undefined => {
  const value = settings.get(name);
  return typeof value === "number" ? value : undefined;
};

const flag = (settings: Settings, name: string): boolean | undefined => {
  const value = settings.get(name);
  return typeof value === "boolean" ? value : undefined;
};
