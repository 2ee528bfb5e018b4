/**
 * @module The effective login: the user's settings, then those of the `ssh_config` files, then the defaults.
 */
import { HostError } from "../host-error.ts";
import { checkHostName, checkLoginNames, checkUserName } from "../login/checked-names.ts";
import { jumpsOf } from "../login/jump-hosts.ts";
import type { HostKeyChecking, Login } from "../login/login.ts";
import { currentUser, expandHome, homeDirectory } from "../login/resolve-login.ts";
import {
  type AlgorithmKind,
  type Algorithms,
  algorithmKinds,
  algorithmsOf,
  defaultRsaSize,
  keywordsOf,
  settingOf,
} from "./algorithms.ts";
import type { ConfigFindings, ConfigValue } from "./config-lookup.ts";
import { lookUp, systemConfig, UnusableFile } from "./config-lookup.ts";
import { isKeyword } from "./keywords.ts";
import { matchesPatterns } from "./patterns.ts";
import { expandPath, expandTokens, type TokenValues } from "./tokens.ts";

/** Settings that only an `ssh_config` file can make stand beside those of the login. */
export interface ReachedLogin extends Login {
  /** The address as the user gave it; {@link Login.address} is what is connected to. */
  readonly alias: string;
  /** Private key files to try, when the login itself names no key; those that cannot be used are passed over. */
  readonly identityFiles: readonly string[];
  /** Whether a configuration file names these: they are then meant for the host, and not what everybody has. */
  readonly identitiesNamed: boolean;
  /** Where host keys are looked up; new ones are recorded in the first. */
  readonly knownHostsFiles: readonly string[];
  /** Files of keys that no host may have. */
  readonly revokedKeysFiles: readonly string[];
  /** The name that host keys are looked up by, whatever the address and port. */
  readonly hostKeyAlias?: string;
  /** Whether names of recorded keys are made unreadable. */
  readonly hashKnownHosts: boolean;
  /** Socket of the agent, where one is to be asked. */
  readonly agentSocket?: string;
  /** Keep-alive messages without an answer that end the connection. */
  readonly keepaliveCount: number;
  /** What the connection may use. */
  readonly algorithms: Algorithms;
  /** Whole sentences: what the files say that is not honoured. */
  readonly warnings: readonly string[];
}

/** What `ssh` tries when no key is named, in its order (ssh_config(5), IdentityFile), as far as we can use them. */
const defaultIdentities = ["~/.ssh/id_ed25519", "~/.ssh/id_ecdsa", "~/.ssh/id_rsa"];

const userConfig = "~/.ssh/config";
const standardKnownHosts = ["~/.ssh/known_hosts", "~/.ssh/known_hosts2"];
const globalKnownHosts = ["/etc/ssh/ssh_known_hosts", "/etc/ssh/ssh_known_hosts2"];

/** Keywords that bear on how a host is reached, and that this transport cannot honour. */
const withoutEffect: Readonly<Record<string, string>> = {
  addressfamily: "AddressFamily",
  bindaddress: "BindAddress",
  bindinterface: "BindInterface",
  canonicalizehostname: "CanonicalizeHostname",
  certificatefile: "CertificateFile",
  hostbasedauthentication: "HostbasedAuthentication",
  knownhostscommand: "KnownHostsCommand",
  pkcs11provider: "PKCS11Provider",
  preferredauthentications: "PreferredAuthentications",
  securitykeyprovider: "SecurityKeyProvider",
  verifyhostkeydns: "VerifyHostKeyDNS",
};

/** @throws HostError with code `login_settings` when a file cannot be read or holds a value that means nothing */
export async function reachedLogin(login: Login): Promise<ReachedLogin> {
  checkLoginNames(login);
  const found = await findings(login);
  const read = reader(login, found);
  const isSet = (name: keyof Login): boolean => !login.defaulted?.includes(name);
  const address = found.hostName;
  const port = isSet("port") ? login.port : (read.whole("port") ?? login.port);
  const user = isSet("user") ? login.user : (read.word("user") ?? login.user);
  const hostKeyAlias = read.word("hostkeyalias");
  const at = (keyword: string): string => `${found.values.get(keyword)?.[0]?.at ?? "here"}`;
  checkHostName(login, `HostName in ${at("hostname")}`, address);
  checkUserName(login, `User in ${at("user")}`, user);
  if (hostKeyAlias !== undefined) checkHostName(login, `HostKeyAlias in ${at("hostkeyalias")}`, hostKeyAlias);
  const jump = login.bastions || login.proxyJump || login.proxyCommand ? undefined : read.word("proxyjump");
  const tokens: TokenValues = {
    originalHost: login.address,
    host: address,
    port,
    user,
    localUser: currentUser(),
    home: homeDirectory(),
    hostKeyAlias,
    jump,
  };
  const paths = (words: readonly string[]): string[] =>
    words.filter((word) => word.toLowerCase() !== "none").flatMap((word) => expandPath(word, tokens) ?? []);
  // What is not named here is offered only where the file lets keys be offered.
  const offersKeys = read.word("pubkeyauthentication")?.toLowerCase() !== "no";
  const agentSocket = login.agent && offersKeys ? agentOf(read.word("identityagent"), paths) : undefined;
  const proxyJump = jump === undefined ? login.proxyJump : expandTokens(jump, tokens);
  // Read here for what they name.
  jumpsOf(login, proxyJump);
  const proxyCommand =
    login.proxyCommand ?? (login.bastions || login.proxyJump ? undefined : read.raw("proxycommand"));
  return {
    ...login,
    alias: login.address,
    address,
    port,
    user,
    identitiesOnly: login.identitiesOnly ?? read.word("identitiesonly")?.toLowerCase() === "yes",
    identitiesNamed: read.all("identityfile").length > 0,
    identityFiles: offersKeys ? identityFiles(read, paths) : [],
    hostKeyChecking: isSet("hostKeyChecking")
      ? login.hostKeyChecking
      : checking(read.word("stricthostkeychecking")),
    knownHostsFiles: knownHosts(login, read, paths),
    revokedKeysFiles: paths(read.all("revokedhostkeys")[0]?.words ?? []),
    algorithms: algorithms(login, read),
    hashKnownHosts: read.word("hashknownhosts")?.toLowerCase() === "yes",
    connectTimeout: isSet("connectTimeout")
      ? login.connectTimeout
      : (read.whole("connecttimeout") ?? login.connectTimeout),
    ...tries(login, read),
    keepalive: isSet("keepalive") ? login.keepalive : (read.whole("serveraliveinterval") ?? login.keepalive),
    keepaliveCount: (isSet("keepalive") ? undefined : read.whole("serveralivecountmax")) ?? 3,
    ...(hostKeyAlias === undefined ? {} : { hostKeyAlias }),
    ...(agentSocket === undefined ? {} : { agentSocket }),
    ...(proxyJump === undefined ? {} : { proxyJump }),
    ...(proxyCommand === undefined ? {} : { proxyCommand: expandTokens(proxyCommand, tokens) }),
    warnings: [...found.warnings, ...notHonoured(found), ...unknownKeywords(found)],
  };
}

const noFindings: ConfigFindings = { values: new Map(), hostName: "", warnings: [] };

async function findings(login: Login): Promise<ConfigFindings> {
  const named = login.sshConfigFile;
  if (named?.toLowerCase() === "none") return { ...noFindings, hostName: login.address };
  const files = named === undefined ? [expandHome(userConfig), systemConfig] : [expandHome(named)];
  const user = login.defaulted?.includes("user") ? undefined : login.user;
  try {
    return await lookUp(files, {
      host: login.address,
      user,
      localUser: currentUser(),
      home: homeDirectory(),
    });
  } catch (error) {
    if (!(error instanceof UnusableFile)) throw error;
    throw settings(login, error.message, "");
  }
}

/** What the login says counts more than what the files say. */
function algorithms(login: Login, read: Reader): Algorithms {
  const inFile = (kind: AlgorithmKind): ConfigValue | undefined =>
    keywordsOf(kind).flatMap((keyword) => read.all(keyword)[0] ?? [])[0];
  const lists = algorithmKinds.map((kind) => {
    const file = login[kind] === undefined ? inFile(kind) : undefined;
    const text = login[kind] ?? file?.words[0];
    const source = file === undefined ? settingOf(kind) : `${settingOf(kind)} in ${file.at}`;
    return { kind, list: algorithmsOf(kind, text), source: text === undefined ? undefined : source };
  });
  const rsaSize = read.all("requiredrsasize")[0];
  return {
    ...(Object.fromEntries(lists.map(({ kind, list }) => [kind, list])) as Record<
      AlgorithmKind,
      readonly string[]
    >),
    sources: Object.fromEntries(
      lists.flatMap(({ kind, source }) => (source === undefined ? [] : [[kind, source]])),
    ),
    compression:
      read.word("compression")?.toLowerCase() === "yes"
        ? ["zlib@openssh.com", "none"]
        : ["none", "zlib@openssh.com"],
    requiredRsaSize: login.requiredRsaSize ?? read.whole("requiredrsasize") ?? defaultRsaSize,
    rsaSizeSource:
      login.requiredRsaSize === undefined && rsaSize !== undefined
        ? `required_rsa_size in ${rsaSize.at}`
        : "required_rsa_size",
  };
}

/** Values of keywords in the forms they are wanted in. */
interface Reader {
  all(keyword: string): readonly ConfigValue[];
  word(keyword: string): string | undefined;
  raw(keyword: string): string | undefined;
  /** Seconds, counts and ports. */
  whole(keyword: string): number | undefined;
}

function reader(login: Login, { values }: ConfigFindings): Reader {
  const first = (keyword: string): ConfigValue | undefined => values.get(keyword)?.[0];
  return {
    all: (keyword) => values.get(keyword) ?? [],
    word: (keyword) => first(keyword)?.words[0],
    raw: (keyword) => first(keyword)?.raw,
    whole(keyword) {
      const value = first(keyword);
      const word = value?.words[0];
      if (value === undefined || word === undefined || word.toLowerCase() === "none") return undefined;
      const seconds = secondsOf(word);
      if (seconds === undefined)
        throw settings(login, `${value.at}: ${JSON.stringify(word)} is no value of this keyword`, "");
      return seconds;
    },
  };
}

/** Numbers, and times as sshd_config(5) writes them under TIME FORMATS: `90`, `1m30s`. */
function secondsOf(word: string): number | undefined {
  if (!/^(\d+[smhdw]?)+$/i.test(word)) return undefined;
  const units: Record<string, number> = { s: 1, m: 60, h: 3600, d: 86_400, w: 604_800 };
  return [...word.toLowerCase().matchAll(/(\d+)([smhdw]?)/g)].reduce(
    (sum, [, count, unit]) => sum + Number(count) * (units[unit!] ?? 1),
    0,
  );
}

/** `none` among them is no file, and by itself it keeps the default ones from being tried. */
function identityFiles(read: Reader, paths: (words: readonly string[]) => string[]): readonly string[] {
  const named = read.all("identityfile");
  return named.length === 0 ? defaultIdentities : paths(named.map(({ words }) => words[0]!));
}

/** `ConnectionAttempts` counts the first one, too. */
function tries({ retries }: Login, read: Reader): Pick<Login, "retries"> {
  const attempts = read.whole("connectionattempts");
  if (retries !== undefined) return { retries };
  return attempts === undefined ? {} : { retries: Math.max(0, attempts - 1) };
}

/** Nobody can be asked: `ask` is strict. */
function checking(word: string | undefined): HostKeyChecking {
  switch (word?.toLowerCase()) {
    case "accept-new":
      return "accept-new";
    case "no":
    case "off":
      return "off";
    default:
      return "strict";
  }
}

function knownHosts(
  login: Login,
  read: Reader,
  paths: (words: readonly string[]) => string[],
): readonly string[] {
  const isDefault = login.defaulted?.includes("knownHostsFile") || login.knownHostsFile === undefined;
  // The file that everybody has, named or not, does not hide the machine's own.
  if (!isDefault && login.knownHostsFile !== standardKnownHosts[0]) return paths([login.knownHostsFile!]);
  return [
    ...paths((isDefault ? read.all("userknownhostsfile")[0]?.words : undefined) ?? standardKnownHosts),
    ...paths(read.all("globalknownhostsfile")[0]?.words ?? globalKnownHosts),
  ];
}

function agentOf(
  word: string | undefined,
  paths: (words: readonly string[]) => string[],
): string | undefined {
  if (word === undefined || word === "SSH_AUTH_SOCK") return process.env.SSH_AUTH_SOCK || undefined;
  if (word.startsWith("$") && !word.startsWith("${")) return process.env[word.slice(1)] || undefined;
  return paths([word])[0];
}

function notHonoured({ values }: ConfigFindings): string[] {
  return Object.entries(withoutEffect).flatMap(([keyword, name]) => {
    const value = values.get(keyword)?.[0];
    if (!value || ["no", "none", "any"].includes(value.raw.toLowerCase())) return [];
    return [`${name} in ${value.at} is not honoured (transport = "openssh" would).`];
  });
}

/** `IgnoreUnknown` names patterns of keywords that other programs read. */
function unknownKeywords({ values }: ConfigFindings): string[] {
  const ignored = values.get("ignoreunknown")?.flatMap(({ raw }) => raw.toLowerCase().split(",")) ?? [];
  return [...values].flatMap(([keyword, [value]]) =>
    isKeyword(keyword) || matchesPatterns(ignored, keyword)
      ? []
      : [`"${keyword}" in ${value!.at} is no keyword of ssh_config, and says nothing.`],
  );
}

function settings(login: Login, message: string, advice: string): HostError {
  return new HostError("login_settings", login.host, message, advice);
}
