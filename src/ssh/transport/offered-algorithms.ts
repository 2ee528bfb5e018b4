/**
 * @module What is offered to a host when keys are exchanged, and what is said about what comes of it.
 */
import type ssh2 from "ssh2";
import {
  type AlgorithmKind,
  algorithmKinds,
  defaultRsaSize,
  isWeak,
  settingOf,
} from "../config/algorithms.ts";
import type { ReachedLogin } from "../config/reached-login.ts";
import { HostError } from "../host-error.ts";

/**
 * @param keyTypes types of host keys to ask for first: a host then shows the key that we know
 * @throws HostError with code `login_settings` when a list leaves nothing
 */
export function offeredAlgorithms(login: ReachedLogin, keyTypes: readonly string[]): ssh2.Algorithms {
  const { algorithms, host } = login;
  for (const kind of algorithmKinds) {
    if (algorithms[kind].length > 0) continue;
    throw new HostError(
      "login_settings",
      host,
      `${algorithms.sources[kind] ?? settingOf(kind)} leaves no algorithm for ${host} that transport "ssh2" has`,
      'transport = "openssh" has those of the system\'s ssh.',
    );
  }
  return {
    kex: [...algorithms.kexAlgorithms],
    serverHostKey: preferring(algorithms.hostKeyAlgorithms, keyTypes),
    cipher: [...algorithms.ciphers],
    hmac: [...algorithms.macs],
    compress: [...algorithms.compression],
  } as ssh2.Algorithms;
}

function preferring(all: readonly string[], keyTypes: readonly string[]): readonly string[] {
  const isPreferred = (algorithm: string): boolean =>
    keyTypes.includes(algorithm.startsWith("rsa-") ? "ssh-rsa" : algorithm);
  return [...all.filter(isPreferred), ...all.filter((algorithm) => !isPreferred(algorithm))];
}

/** The result of the key exchange, as `ssh2` reports it. */
export interface Negotiated {
  readonly kex: string;
  readonly serverHostKey: string;
  readonly cs: { readonly cipher: string; readonly mac: string };
  readonly sc: { readonly cipher: string; readonly mac: string };
}

/**
 * What is weaker than the defaults: what the login and the `ssh_config` files allow, and whatever is in use.
 * @param negotiated absent where another program does that
 * @returns whole sentences; what a file allows is one that names no host, since it is the same for many
 */
export function weaknessesOf(login: ReachedLogin, negotiated?: Negotiated): readonly string[] {
  const { algorithms, host } = login;
  const used: Readonly<Record<AlgorithmKind, readonly string[]>> = {
    kexAlgorithms: [negotiated?.kex ?? ""],
    hostKeyAlgorithms: [negotiated?.serverHostKey ?? ""],
    ciphers: [negotiated?.cs.cipher ?? "", negotiated?.sc.cipher ?? ""],
    macs: [negotiated?.cs.mac ?? "", negotiated?.sc.mac ?? ""],
    pubkeyAcceptedAlgorithms: [],
  };
  const weak = algorithmKinds.flatMap((kind) => {
    const source = algorithms.sources[kind];
    const allowed = source === undefined ? [] : algorithms[kind];
    const found = new Set([...allowed, ...used[kind]].filter((name) => isWeak(kind, name)));
    if (found.size === 0) return [];
    return [
      {
        what: `${[...found].join(", ")} (${source ?? settingOf(kind)})`,
        isOwn: source === undefined || login[kind] !== undefined,
      },
    ];
  });
  const { requiredRsaSize: bits, rsaSizeSource } = algorithms;
  if (bits < defaultRsaSize)
    weak.push({
      what: `RSA with ${bits} bits (${rsaSizeSource})`,
      isOwn: login.requiredRsaSize !== undefined,
    });
  return [
    { subject: `The login on ${host}`, found: weak.filter(({ isOwn }) => isOwn) },
    { subject: "ssh_config", found: weak.filter(({ isOwn }) => !isOwn) },
  ]
    .filter(({ found }) => found.length > 0)
    .map(
      ({ subject, found }) =>
        `${subject} allows ${found.map(({ what }) => what).join(" and ")}: weak algorithms, which somebody on the way may break.`,
    );
}

/** What `ssh2` calls each list when it finds nothing in common, and in what it reports of both sides. */
const lists: readonly (readonly [error: RegExp, debug: RegExp, kind: AlgorithmKind])[] = [
  [/key exchange algorithm/, /KEX method/, "kexAlgorithms"],
  [/host key format/, /Host key format/, "hostKeyAlgorithms"],
  [/cipher/, /cipher/, "ciphers"],
  [/MAC/, /MAC/, "macs"],
];

/**
 * The error of a host that has nothing in common with us.
 * @param error of `ssh2`
 * @param reported what it reported before, line by line
 */
export function nothingInCommon(
  login: ReachedLogin,
  error: Error,
  reported: readonly string[],
): HostError | undefined {
  if (!/no matching/.test(error.message)) return undefined;
  const found = lists.find(([pattern]) => pattern.test(error.message));
  const { host, algorithms } = login;
  const [, debug, kind] = found ?? [];
  const line = reported.findLast((text) => text.includes("(remote)") && debug?.test(text));
  const offers = (line?.split(": ").at(-1)?.split(",") ?? [])
    .filter((name) => /^[\w@.+-]{1,64}$/.test(name))
    .slice(0, 20);
  const weak = kind === undefined ? [] : offers.filter((name) => isWeak(kind, name));
  const what = kind === undefined ? "algorithms" : names[kind];
  const source = kind && algorithms.sources[kind];
  return new HostError(
    "algorithms",
    host,
    `${host} has none of the ${what} that are allowed${source ? ` (${source})` : ""}; it has ${offers.join(", ") || "none"}`,
    weak.length > 0
      ? `They are weak: update its sshd. Until then, ${settingOf(kind!)} = "+${weak[0]}" in the ssh block of this host allows one of them.`
      : 'transport = "openssh" may have one of them.',
    false,
    { cause: error },
  );
}

const names: Readonly<Record<AlgorithmKind, string>> = {
  kexAlgorithms: "key exchanges",
  hostKeyAlgorithms: "algorithms for host keys",
  ciphers: "ciphers",
  macs: "MACs",
  pubkeyAcceptedAlgorithms: "algorithms for keys",
};
