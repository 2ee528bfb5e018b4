/**
 * @module What is offered to a host for logging in, in which order, and the error when all of it is refused.
 */
import type { AnyAuthMethod, ParsedKey } from "ssh2";
import type { ReachedLogin } from "../config/reached-login.ts";
import type { HostError } from "../host-error.ts";
import { LockedKey } from "../host-error.ts";
import { systemReason } from "../system-reason.ts";
import { agentMayHold, type KnownAgent, knownAgent, oneOf } from "./agent-keys.ts";
import { fingerprint } from "./known-hosts.ts";
import { keyOffers, mostNotes, type Offer, type Offers, passwordOffers } from "./offer.ts";
import {
  certificatesBeside,
  identityFiles,
  namedKey,
  namedPublicKeys,
  type PrivateKey,
} from "./private-key.ts";
import { refusedLogin } from "./refused-login.ts";

/** The offers of one connection attempt. */
export interface Authentication {
  /**
   * The next thing to offer, or `undefined` when nothing is left.
   * @param accepted methods the host would take; unknown before its first answer
   * @param partial whether the last offer was taken and the host wants another besides (RFC 4252, 5.1)
   */
  next(accepted: readonly string[] | null, partial: boolean): Promise<AnyAuthMethod | undefined>;
  /** What was offered last, in words. */
  offered(): string;
  /** The error that says what was tried and what the host accepts. */
  refused(reason?: string): HostError;
}

/**
 * Keys that are named for the host (by the login, else by a configuration file), each from its file or the agent; other keys
 * of the agent; default identities; what of these has another signature; password. A host lets only some be tried.
 * @throws HostError with code `login_settings`
 */
export async function createAuthentication(login: ReachedLogin): Promise<Authentication> {
  const tried: string[] = [];
  const accepted: string[] = [];
  const notes: string[] = [];
  let hostAccepts: readonly string[] | null = null;
  const stages = await stagesOf(login, notes);
  const certificates = await certificatesBeside(login);

  let waiting = [...stages];
  let found: Offer[] = [];
  let last: Offer | undefined;

  const isWanted = ({ method, label }: Pick<Offer, "method" | "label">): boolean => {
    // The same wrong password twice would count twice where accounts are locked.
    const again = method === "keyboard-interactive" && tried.includes("password");
    if (accepted.includes(label) || (again && hostAccepts?.includes("password"))) return false;
    if (hostAccepts === null || hostAccepts.includes(method)) return true;
    // A host that took one key has said enough about the others.
    if (notes.length < mostNotes && (method !== "publickey" || accepted.length === 0)) {
      notes.push(`${label}: the host does not accept ${method}`);
    }
    return false;
  };
  const following = async (): Promise<Offer | undefined> => {
    for (;;) {
      const offer = found.shift();
      if (offer !== undefined) return offer;
      const stage = waiting.shift();
      if (stage === undefined) return undefined;
      if (!stage.asOne || isWanted(stage)) found = [...(await stage.find())];
    }
  };

  return {
    async next(methods, partial) {
      hostAccepts = methods ?? hostAccepts;
      if (partial && last !== undefined) {
        accepted.push(last.label);
        // What came too early for the host may be what it wants now.
        [waiting, found] = [[...stages], []];
      }
      for (let offer = await following(); offer !== undefined; offer = await following()) {
        if (!isWanted(offer)) continue;
        last = offer;
        if (!tried.includes(offer.label)) tried.push(offer.label);
        return offer.made;
      }
      last = undefined;
      return undefined;
    },
    offered: () => last?.label ?? "nothing",
    refused: (reason) =>
      refusedLogin(login, { tried, accepted, notes, methods: hostAccepts ?? [], certificates, reason }),
  };
}

async function stagesOf(login: ReachedLogin, notes: string[]): Promise<readonly Offers[]> {
  const agent = knownAgent(login);
  const seen: ParsedKey[] = [];
  const late: Offer[] = [];
  const offersOf = (key: ParsedKey, label: string, from?: KnownAgent): readonly Offer[] => {
    if (seen.some((other) => other.getPublicSSH().equals(key.getPublicSSH()))) return [];
    seen.push(key);
    const [first, ...more] = keyOffers(login, key, label, notes, from?.agent);
    late.push(...more);
    return first === undefined ? [] : [first];
  };
  const fromAgent = async (isMeant: (key: ParsedKey) => boolean): Promise<readonly Offer[]> => {
    const held = await agent?.held();
    if (held === undefined || held instanceof Error) return [];
    return held.filter(isMeant).flatMap((key) => offersOf(key, agentLabel(key), agent));
  };
  const fromFile = async (path: string): Promise<readonly Offer[]> =>
    fromAgent(oneOf(await namedPublicKeys(login, [path])));

  const { key: named, trouble: lacking } = await theNamedKey(login);
  const files =
    login.privateKey !== undefined || login.privateKeyFile !== undefined ? [] : await identityFiles(login);
  const ofFiles = files.map((file): Offers => {
    const { path, key, trouble } = file;
    return keyStage(`key ${path}`, async () => {
      if (key !== undefined) return offersOf(key.key, `key ${key.label}`);
      const offers = await fromFile(path);
      if (offers.length === 0 && trouble !== undefined) notes.push(trouble);
      return offers;
    });
  });
  const others = keyStage("agent", async () => {
    const held = await agent?.held();
    if (held instanceof Error) notes.push(`agent: ${systemReason(held)}`);
    if (held === undefined || held instanceof Error) return [];
    const meant = oneOf(await namedPublicKeys(login));
    if (lacking !== undefined && !held.some(meant)) notes.push(lacking);
    const offers = [
      ...(await fromAgent(meant)),
      ...(login.identitiesOnly ? [] : await fromAgent(() => true)),
    ];
    if (held.length === 0) notes.push("agent: it holds no key");
    else if (login.identitiesOnly && !held.some(meant)) notes.push("agent: it holds none of the named keys");
    return offers;
  });
  const asOne = { asOne: true } as const;
  const passwords = passwordOffers(login, notes);
  return [
    ...(named === undefined
      ? []
      : [keyStage(`key ${named.label}`, async () => offersOf(named.key, `key ${named.label}`))]),
    ...(login.identitiesNamed ? ofFiles : []),
    ...(agent === undefined ? [] : [{ ...others, ...asOne }]),
    ...(login.identitiesNamed ? [] : ofFiles),
    keyStage("other signatures", async () => late),
    ...passwords.map(
      (offer): Offers => ({ method: offer.method, label: offer.label, find: async () => [offer], ...asOne }),
    ),
  ];
}

/** Keys are looked for once. */
function keyStage(label: string, find: () => Promise<readonly Offer[]>): Offers {
  let found: Promise<readonly Offer[]> | undefined;
  return {
    method: "publickey",
    label,
    find() {
      found ??= find();
      return found;
    },
  };
}

const agentLabel = (key: ParsedKey): string => `key ${fingerprint(key.getPublicSSH())} (agent)`;

/** A key that only its passphrase keeps from use, or of which there is only the public part, may be in the agent. */
async function theNamedKey(
  login: ReachedLogin,
): Promise<{ readonly key?: PrivateKey | undefined; readonly trouble?: string }> {
  try {
    return { key: await namedKey(login) };
  } catch (error) {
    if (!(error instanceof LockedKey) || !(await agentMayHold(login))) throw error;
    return { trouble: error.message };
  }
}
