/**
 * @module A jump path: straight to the host, through a command's streams, or through other hosts, each looked up with its
 * own configuration.
 */
import type { ReachedLogin } from "../config/reached-login.ts";
import { reachedLogin } from "../config/reached-login.ts";
import { HostError } from "../host-error.ts";
import { jumpsOf } from "../login/jump-hosts.ts";
import type { Bastion, Login } from "../login/login.ts";

/** How one host is reached. */
export interface JumpPath {
  readonly login: ReachedLogin;
  readonly via: "network" | { readonly command: string } | { readonly jumpHost: JumpPath };
}

/** More hops than anybody has; names that are made of tokens could go on without end. */
const longest = 10;

/**
 * Looks up the settings of the host and of each of its jump hosts.
 * @throws HostError with code `login_settings`, when a chain comes back to where it was among others
 */
export function jumpPathTo(login: Login): Promise<JumpPath> {
  return follow(login, []);
}

/**
 * @param trail who leads here, the host itself first: `user@address:port` of each
 * @param author who named the hops before this one, and gives them what they do not say
 */
async function follow(login: Login, trail: readonly string[], author = login): Promise<JumpPath> {
  const reached = await reachedLogin(login);
  const here = `${reached.user}@${reached.address}:${reached.port}`;
  const chain = [...trail, here];
  if (trail.includes(here) || chain.length > longest) {
    throw new HostError(
      "login_settings",
      login.host,
      `the way to ${login.host} goes round in circles: ${chain.join(", through ")}`,
      'A jump host that is reached directly needs "ProxyJump none" in ssh_config.',
    );
  }
  const hops = jumpHostsOf(reached);
  const last = hops.at(-1);
  if (last) {
    // What leads to the last hop was said here; only where nothing was, the hop's own configuration decides.
    const before = hops.slice(0, -1);
    const jumpHost = jumpHostLogin(author, last, before);
    return {
      login: reached,
      via: { jumpHost: await follow(jumpHost, chain, before.length > 0 ? author : jumpHost) },
    };
  }
  const { proxyCommand } = reached;
  const isCommand = proxyCommand !== undefined && proxyCommand.toLowerCase() !== "none";
  return { login: reached, via: isCommand ? { command: proxyCommand } : "network" };
}

/** The jump hosts that a login names, in their order. @throws HostError with code `login_settings` */
export function jumpHostsOf(login: Login): readonly Bastion[] {
  const { bastions, proxyJump } = login;
  return bastions && bastions.length > 0 ? bastions : jumpsOf(login, proxyJump);
}

/**
 * The login on a jump host. Its own settings say how it is reached, apart from the hops before it.
 * @param before the hops that lead to it, as far as they were named
 */
export function jumpHostLogin(outer: Login, jumpHost: Bastion, before: readonly Bastion[]): Login {
  const {
    password: _password,
    hostKey: _hostKey,
    bastions: _bastions,
    proxyJump: _jump,
    proxyCommand: _command,
    becomePassword: _become,
    logName: _logName,
    hostKeyAlgorithms: _hostKeyAlgorithms,
    kexAlgorithms: _kexAlgorithms,
    ciphers: _ciphers,
    macs: _macs,
    pubkeyAcceptedAlgorithms: _pubkeyAcceptedAlgorithms,
    requiredRsaSize: _requiredRsaSize,
    ...inherited
  } = outer;
  const ownKey = jumpHost.privateKey !== undefined || jumpHost.privateKeyFile !== undefined;
  const { privateKey, privateKeyFile, passphrase, certificateFile, ...rest } = inherited;
  const key = {
    ...(privateKey === undefined ? {} : { privateKey }),
    ...(privateKeyFile === undefined ? {} : { privateKeyFile }),
    ...(passphrase === undefined ? {} : { passphrase }),
    ...(certificateFile === undefined ? {} : { certificateFile }),
  };
  const given = Object.fromEntries(Object.entries(jumpHost).filter(([, value]) => value !== undefined));
  const isOwn = (name: keyof Login): boolean => given[name] !== undefined;
  return {
    ...rest,
    ...(ownKey ? {} : key),
    port: 22,
    ...(given as Partial<Login>),
    address: jumpHost.address,
    host: jumpHost.address,
    become: false,
    ...(before.length > 0 ? { bastions: before } : {}),
    // What the outer login sets is only a default here: the hop's own configuration wins.
    defaulted: (
      ["port", "user", "hostKeyChecking", "knownHostsFile", "connectTimeout", "keepalive"] as const
    ).filter((name) => !isOwn(name) && (["port", "user"].includes(name) || outer.defaulted?.includes(name))),
  };
}
