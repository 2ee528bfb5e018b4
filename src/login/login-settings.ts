/**
 * @module From `ssh` blocks to the settings of a login.
 */

import type { Bastion, GivenLogin, Login } from "../ssh/index.ts";
import { isPlainObject, type Plain, toPlain } from "../values/plain.ts";
import { Unknown, type Value } from "../values/value.ts";
import { hopSecretName, isJumpPathSetting, jumpPathSettings } from "./jump-path.ts";

/** Why there is no login: whole sentences. */
export interface NoLogin {
  readonly problem: string;
  /** Whether it may be known after apply. */
  readonly unknown: boolean;
}

/**
 * @param blocks `ssh` blocks and maps of their settings as values, null ones among them, the most general first: a later one's settings win
 */
export function loginSettings(...blocks: readonly (Value | undefined)[]): GivenLogin | NoLogin {
  const settings = new Map<string, Plain>();
  for (const block of blocks) {
    const plain = block === undefined ? null : toPlain(block);
    if (!isPlainObject(plain)) continue;
    const set = Object.entries(plain).filter(([, value]) => isSet(value));
    // The innermost that sets any of the jump path sets all of it.
    if (set.some(([name]) => isJumpPathSetting(name)))
      for (const name of jumpPathSettings) settings.delete(name);
    for (const [name, value] of set) settings.set(name, value);
  }
  const hops = bastionsIn(settings);
  if ([...settings.values(), ...hops.flatMap((hop) => [...hop.values()])].some(isUnknownPlain)) {
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
  return {
    host: labelOf(address, port),
    address,
    ...ofOneHost(settings),
    sshConfigFile: text(settings, "ssh_config_file"),
    proxyJump: text(settings, "proxy_jump"),
    proxyCommand: text(settings, "proxy_command"),
    ...(hops.length > 0 && { bastions: hops.map(bastionOf) }),
    connectTimeout: number(settings, "connect_timeout"),
    retries: number(settings, "retries"),
    commandTimeout: number(settings, "command_timeout"),
    keepalive: number(settings, "keepalive"),
    become: flag(settings, "become"),
    becomeUser: text(settings, "become_user"),
    becomeMethod: text(settings, "become_method") as Login["becomeMethod"] | undefined,
    becomePassword: text(settings, "become_password"),
    transport: text(settings, "transport") as Login["transport"] | undefined,
  };
}

/** A block that is not there is an empty list. */
const isSet = (value: Plain): boolean => value !== null && !(Array.isArray(value) && value.length === 0);

const isUnknownPlain = (value: Plain): boolean => value instanceof Unknown;

/** Settings that jump hosts have as well as the host that is worked on. */
const ofOneHost = (settings: Settings) => ({
  port: number(settings, "port"),
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
  hostKeyAlgorithms: text(settings, "host_key_algorithms"),
  kexAlgorithms: text(settings, "kex_algorithms"),
  ciphers: text(settings, "ciphers"),
  macs: text(settings, "macs"),
  pubkeyAcceptedAlgorithms: text(settings, "pubkey_accepted_algorithms"),
  requiredRsaSize: number(settings, "required_rsa_size"),
});

/** The hops' own settings, each with its secrets that stand apart: `bastion/0/password`. */
function bastionsIn(settings: Settings): readonly Settings[] {
  const blocks = settings.get("bastion");
  if (!Array.isArray(blocks)) return [];
  return blocks.map((block: Plain, index) => {
    const prefix = hopSecretName(index, "");
    const apart = [...settings].filter(([name]) => name.startsWith(prefix));
    const own = isPlainObject(block) ? Object.entries(block).filter(([, value]) => isSet(value)) : [];
    return new Map([...apart.map(([name, value]) => [name.slice(prefix.length), value] as const), ...own]);
  });
}

function bastionOf(settings: Settings): Bastion {
  const given = Object.entries({ address: text(settings, "address")!, ...ofOneHost(settings) });
  return Object.fromEntries(given.filter(([, value]) => value !== undefined)) as unknown as Bastion;
}

/** Hosts may share an address: their names in messages then differ by their ports. */
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
