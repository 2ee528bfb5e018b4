/**
 * @module The settings of a login, as schemas: of the host that is worked on, and of its jump hosts.
 */
import {
  type AttributeSchema,
  type BlockSchema,
  bool,
  number,
  ofType,
  oneOf,
  type Show,
  string,
} from "../schema/schema.ts";
import { badHostName, badUserName } from "../script/login-names.ts";
import { mapOf, stringType } from "../values/type.ts";

/** Seconds: not negative. */
const seconds = (value: number) =>
  value >= 0 ? undefined : "must not be negative: it is a number of seconds";

/** What is no name of a host: an empty one would be this machine, and a user or port belongs into a setting of its own. */
function badAddress(address: string, tell: Show): string | undefined {
  const bad = badHostName(address);
  if (bad !== undefined) return bad;
  if (address.includes("@"))
    return `must be without a user: set user${tell(`, and address to "${address.split("@").at(-1)}"`)}`;
  const port = /^([^:[\]]+):(\d+)$/.exec(address);
  return port === null
    ? undefined
    : `must be without a port: set port${tell(` = ${port[2]}, and address to "${port[1]}"`)}`;
}

/** Says what is wrong with the first hop of `proxy_jump` that ssh(1) would not understand. */
function badJump(jump: string, tell: Show): string | undefined {
  if (jump.toLowerCase() === "none") return undefined;
  const form = "must be [user@]host[:port], several with commas between them, or none";
  for (const hop of jump.split(",")) {
    const parts = /^(?:ssh:\/\/)?(?:(.+)@)?(?:\[([^\]\s]+)\]|([^:@/\s]+))(?::(\d+))?\/?$/.exec(hop.trim());
    if (parts === null) return `${form}${tell(`: "${hop.trim()}" is not`)}`;
    const [, user, bracketed, plain, written] = parts;
    const badUser = user === undefined ? undefined : badUserName(user);
    if (badUser !== undefined) return `${badUser}, in the name of a user`;
    const badHost = badHostName(bracketed ?? plain!);
    if (badHost !== undefined) return `${badHost}, in the name of a host`;
    const port = Number(written ?? 22);
    if (port < 1 || port > 65535) return `must have ports from 1 to 65535${tell(`, not ${port}`)}`;
  }
  return undefined;
}

/** A list of algorithms. @param keyword of ssh_config(5) @param purpose what they are for */
const algorithms = (keyword: string, purpose: string): AttributeSchema =>
  string({
    optional: true,
    hostEffect: false,
    describe: `Algorithms for ${purpose}, as \`${keyword}\` of \`ssh_config\`: \`a,b\`, or \`+a\` to add to the default, \`-a\` to remove from it, \`^a\` to prefer. Default: those of OpenSSH without SHA-1. Others give a warning.`,
    check: (list) =>
      /^[-+^]?[!-+.-~]+(,[!-+.-~]+)*$/.test(list) ? undefined : "must be names with commas between them",
  });

/** Settings of a login on a host, whether it is the one that is worked on or a jump host. */
const loginSettings: Readonly<Record<string, AttributeSchema>> = {
  port: number({
    optional: true,
    describe: "TCP port of sshd. Default 22.",
    check: (port, tell) =>
      Number.isInteger(port) && port >= 1 && port <= 65535
        ? undefined
        : `must be a whole number from 1 to 65535${tell(`, not ${port}`)}`,
  }),
  user: string({
    optional: true,
    hostEffect: false,
    describe: "User to log in as. Default: the user running Conn3x.",
    check: badUserName,
  }),
  private_key_file: string({
    optional: true,
    hostEffect: false,
    describe:
      "Path of the private key on the controller. Default: `~/.ssh/id_ed25519`, `id_ecdsa`, `id_rsa` where they exist.",
  }),
  private_key: string({
    optional: true,
    sensitive: true,
    hostEffect: false,
    describe:
      "Text of the private key (OpenSSH or PEM). A resource that sets it stores it; circuits put it into the provider's `circuit_logins` instead.",
  }),
  passphrase: string({
    optional: true,
    sensitive: true,
    hostEffect: false,
    describe: "Passphrase of the private key. Stored as `private_key` is.",
  }),
  password: string({
    optional: true,
    sensitive: true,
    hostEffect: false,
    describe: "Password to log in with. Stored as `private_key` is.",
  }),
  certificate_file: string({
    optional: true,
    hostEffect: false,
    describe:
      "Path of the certificate for the key, `…-cert.pub`, on the controller. The transport is then `openssh`, also if there is one next to `private_key_file`.",
  }),
  agent: bool({
    optional: true,
    hostEffect: false,
    describe: "Whether keys of the agent at `SSH_AUTH_SOCK` are offered. Default true.",
  }),
  identities_only: bool({
    optional: true,
    hostEffect: false,
    describe: "Whether only the named keys are offered, even if the agent has others. Default false.",
  }),
  host_key: string({
    optional: true,
    hostEffect: false,
    describe:
      "The only host key to accept: a public key line such as `ssh-ed25519 AAAA…`, or its `SHA256:…` fingerprint.",
  }),
  known_hosts_file: string({
    optional: true,
    hostEffect: false,
    describe: "Path of the known hosts file on the controller. Default `~/.ssh/known_hosts`.",
  }),
  host_key_checking: oneOf(["strict", "accept-new", "off"], {
    optional: true,
    hostEffect: false,
    describe:
      "`strict` (default) refuses a host whose key is not known, `accept-new` records it, `off` accepts any key. A changed key is refused by the first two.",
  }),
  host_key_algorithms: algorithms("HostKeyAlgorithms", "the host's key"),
  kex_algorithms: algorithms("KexAlgorithms", "the exchange of keys"),
  ciphers: algorithms("Ciphers", "encryption"),
  macs: algorithms("MACs", "the integrity of what is sent"),
  pubkey_accepted_algorithms: algorithms("PubkeyAcceptedAlgorithms", "the keys that are offered"),
  required_rsa_size: number({
    optional: true,
    hostEffect: false,
    describe:
      "Bits that keys of RSA must have, the host's and those that are offered. Default 2048. Fewer give a warning.",
    check: (bits, tell) =>
      Number.isInteger(bits) && bits >= 1024
        ? undefined
        : `must be a whole number from 1024 on${tell(`, not ${bits}`)}`,
  }),
};

/** The settings that only a jump host has. */
const bastionBlock: BlockSchema = {
  describe:
    "A jump host: one block for each hop, in the order of the way. Port and user default to those of the `ssh_config` file, otherwise to 22 and the user of the `ssh` block. Other settings default to those of the `ssh` block, except `password`, `host_key` and the algorithms.",
  repeated: true,
  oneOf: "way",
  hostEffect: false,
  attributes: {
    address: string({
      required: true,
      describe: "Host name or IP address as seen from the hop before it, or a name in the `ssh_config` file.",
      check: badAddress,
    }),
    ...loginSettings,
  },
  blocks: {},
};

/** The `ssh` block of a resource, of a circuit, of a step, and of the provider (as defaults). */
export const sshBlock: BlockSchema = {
  describe:
    "Login of the host. The controller is the machine that Conn3x runs on. Settings default to those of the provider's `ssh` block.",
  attributes: {
    address: string({
      optional: true,
      describe: "Host name or IP address, or a name in the `ssh_config` file.",
      check: badAddress,
    }),
    ...loginSettings,
    // With another one the same address may be another host.
    ssh_config_file: string({
      optional: true,
      describe:
        "Path of the `ssh_config` file on the controller. It is used as by `ssh`; settings here take precedence. `none` reads no file. Default `~/.ssh/config` and `/etc/ssh/ssh_config`.",
    }),
    proxy_jump: string({
      optional: true,
      oneOf: "way",
      hostEffect: false,
      describe:
        "Jump hosts, as for `ssh -J`: `[user@]host[:port]`, separated by commas; `none` for none. Their settings default to those of the `ssh_config` file, then to those of this block (except `password`, `host_key` and the algorithms).",
      check: badJump,
    }),
    proxy_command: string({
      optional: true,
      oneOf: "way",
      hostEffect: false,
      describe:
        "Command on the controller whose streams are the connection, as `ProxyCommand` of `ssh_config`; `none` for none.",
    }),
    connect_timeout: number({
      optional: true,
      hostEffect: false,
      describe: "Seconds for connecting and logging in. Default 10.",
      check: seconds,
    }),
    retries: number({
      optional: true,
      hostEffect: false,
      describe:
        "How many more times connecting is tried, with growing pauses, within `connect_timeout`. Default: a connection that is closed before keys are exchanged (a busy sshd, `MaxStartups`) is retried during that time, a refused one is not. With a number both are retried up to that often; 0 tries once.",
      check: (count, tell) =>
        Number.isInteger(count) && count >= 0
          ? undefined
          : `must be a whole number from 0 on${tell(`, not ${count}`)}`,
    }),
    command_timeout: number({
      optional: true,
      hostEffect: false,
      describe: "Seconds that one command may take. Default 0: no limit.",
      check: seconds,
    }),
    keepalive: number({
      optional: true,
      hostEffect: false,
      describe:
        "Seconds between keep-alive messages. The connection counts as lost after four times that, when three messages are unanswered. Default 15, so that a dead host is noticed within 60 seconds; 0 turns them off.",
      check: seconds,
    }),
    become: bool({
      optional: true,
      hostEffect: false,
      describe: "Whether everything on the host runs as `become_user`. Default false.",
    }),
    become_user: string({ optional: true, hostEffect: false, describe: "User to become. Default `root`." }),
    become_method: oneOf(["sudo", "doas", "su"], {
      optional: true,
      hostEffect: false,
      describe: "How it becomes that user: `sudo` (default), `doas` or `su`.",
    }),
    become_password: string({
      optional: true,
      sensitive: true,
      hostEffect: false,
      describe:
        "Password that `become_method` asks for: the login user's for sudo and doas, the other user's for su. Sent once, and only if it is asked for. Stored as `private_key` is.",
    }),
    transport: oneOf(["ssh2", "openssh", "local"], {
      optional: true,
      hostEffect: false,
      describe:
        "`ssh2` (default) speaks SSH itself; `openssh` runs the system's `ssh`, for certificates, hardware keys and GSSAPI; `local` is this machine, without SSH.",
    }),
    login: string({
      optional: true,
      hostEffect: false,
      describe:
        "Entry of the provider's `circuit_logins` with the login's secrets: `CIRCUIT/HOST`, or `CIRCUIT/HOST/STEP`. Set by the compiler.",
    }),
  },
  blocks: { bastion: bastionBlock },
};

/** The `provider "conn3x"` block. */
export const providerBlock: BlockSchema = {
  describe: "Defaults for all resources.",
  attributes: {
    circuit_logins: ofType(mapOf(mapOf(stringType)), {
      optional: true,
      sensitive: true,
      describe:
        "Login secrets of circuits' hosts, by `CIRCUIT/HOST`: written by the compiler, so that they are not stored with the resources. An `ssh` block's `login` names an entry.",
    }),
  },
  blocks: { ssh: sshBlock },
};
