/**
 * @module What is offered to a host for logging in, in which order, and the error when all of it is refused.
 */
import type {
  AnyAuthMethod,
  AuthenticationType,
  OpenSSHAgent,
  ParsedKey,
  SignCallback,
  SigningRequestOptions,
} from "ssh2";
import ssh2 from "ssh2";
import type { ReachedLogin } from "../config/reached-login.ts";
import { HostError, LockedKey } from "../host-error.ts";
import { printable } from "../printable.ts";
import { systemReason } from "../system-reason.ts";
import { agentMayHold, heldBy, oneOf } from "./agent-keys.ts";
import { fingerprint } from "./known-hosts.ts";
import { certificatesBeside, namedKey, namedPublicKeys, otherKeys, type PrivateKey } from "./private-key.ts";
import { bySha512, isRsa, originalOf } from "./rsa-signatures.ts";

/** What is told of a login that failed, at most. */
const mostNotes = 20;

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

/** Something to offer; `undefined` when a closer look shows that there is nothing. */
interface Offer {
  readonly method: AuthenticationType;
  readonly label: string;
  make(): Promise<AnyAuthMethod | undefined>;
}

/**
 * Named key, agent, keys of the `ssh_config` file or default identities (only where no key is named), password: plain, then as the answer to a single
 * hidden prompt.
 * @throws HostError with code `login_settings`
 */
export async function createAuthentication(login: ReachedLogin): Promise<Authentication> {
  const username = login.user;
  const tried: string[] = [];
  const notes: string[] = [];
  let hostAccepts: readonly string[] | null = null;

  const isNamed = login.privateKey !== undefined || login.privateKeyFile !== undefined;
  const keys = isNamed ? await theNamedKey(login, notes) : await otherKeys(login, notes);
  const keyOffers = keys.flatMap(({ key, label }) => [
    keyOffer(username, key, label),
    ...(isRsa(key) ? [keyOffer(username, bySha512(key), label)] : []),
  ]);
  const certificates = await certificatesBeside(login);
  const agent = agentOffer(login, tried, notes);
  const all = [
    ...(isNamed ? keyOffers : []),
    ...agent,
    ...(isNamed ? [] : keyOffers),
    ...passwordOffers(login, notes),
  ];

  let offers = [...all];
  let last: Offer | undefined;

  return {
    async next(accepted, partial) {
      hostAccepts = accepted ?? hostAccepts;
      // What came too early for the host may be what it wants now.
      if (partial) offers = all.filter((offer) => offer !== last);
      for (let offer = offers.shift(); offer !== undefined; offer = offers.shift()) {
        const asMethod = offer.method === "agent" ? "publickey" : offer.method;
        // The same wrong password twice would count twice where accounts are locked.
        const again = asMethod === "keyboard-interactive" && tried.includes("password");
        if (again && accepted?.includes("password")) continue;
        if (accepted && !accepted.includes(asMethod)) {
          if (notes.length < mostNotes) notes.push(`${offer.label}: the host does not accept ${asMethod}`);
          continue;
        }
        const made = await offer.make();
        if (!made) continue;
        last = offer;
        if (offer.method !== "agent" && !tried.includes(offer.label)) tried.push(offer.label);
        return made;
      }
      return undefined;
    },
    offered: () => (last?.method === "agent" ? agentKeys(tried) : (last?.label ?? "nothing")),
    refused: (reason) => refusal(login, tried, notes, hostAccepts, certificates, reason),
  };
}

/** @param tried labels of everything that was offered */
const agentKeys = (tried: readonly string[]): string =>
  `the agent's keys: ${tried.filter((label) => label.endsWith("(agent)")).join(", ")}`;

const keyOffer = (username: string, key: ParsedKey, label: string): Offer => ({
  method: "publickey",
  label: `key ${label}`,
  make: async () => ({ type: "publickey", username, key }),
});

/** A key that only its passphrase keeps from use may be in the agent, opened. */
async function theNamedKey(login: ReachedLogin, notes: string[]): Promise<readonly PrivateKey[]> {
  try {
    return [await namedKey(login)].flatMap((key) => key ?? []);
  } catch (error) {
    if (!(error instanceof LockedKey) || !(await agentMayHold(login))) throw error;
    notes.push(error.message);
    return [];
  }
}

function agentOffer(login: ReachedLogin, tried: string[], notes: string[]): Offer[] {
  const { agentSocket, user: username } = login;
  if (agentSocket === undefined) return [];
  const make = async (): Promise<AnyAuthMethod | undefined> => {
    const agent = new ssh2.OpenSSHAgent(agentSocket);
    const held = await heldBy(agent);
    if (held instanceof Error) {
      notes.push(`agent: ${systemReason(held)}`);
      return undefined;
    }
    const keys = login.identitiesOnly ? held.filter(oneOf(await namedPublicKeys(login))) : held;
    if (keys.length === 0) {
      notes.push(held.length === 0 ? "agent: it holds no key" : "agent: it holds none of the named keys");
      return undefined;
    }
    const labels = keys.map((key) => `key ${fingerprint(key.getPublicSSH())} (agent)`);
    tried.push(...labels.filter((label) => !tried.includes(label)));
    // Those that come twice come last: a host lets only some keys be tried.
    return { type: "agent", username, agent: holding(agent, [...keys, ...keys.filter(isRsa).map(bySha512)]) };
  };
  return [{ method: "agent", label: "agent", make }];
}

/** The agent as if it held these keys only. */
function holding(agent: OpenSSHAgent, keys: readonly ParsedKey[]): OpenSSHAgent {
  return Object.assign(Object.create(agent) as OpenSSHAgent, {
    getIdentities: (done: (error: null, keys: readonly ParsedKey[]) => void) => done(null, keys),
    sign(key: ParsedKey, data: Buffer, options: SigningRequestOptions, done: SignCallback): void {
      const original = originalOf(key);
      if (original === undefined) agent.sign(key, data, options, done);
      else agent.sign(original, data, { hash: "sha512" }, done);
    },
  });
}

function passwordOffers(login: ReachedLogin, notes: string[]): Offer[] {
  const { user: username, password } = login;
  if (password === undefined) return [];
  let answered = false;
  return [
    {
      method: "password",
      label: "password",
      make: async () => ({ type: "password", username, password }),
    },
    {
      method: "keyboard-interactive",
      label: "keyboard-interactive with the password",
      make: async () => ({
        type: "keyboard-interactive",
        username,
        // The password is for a single hidden question, the first one: it is no second factor, and no new password for an
        // account whose old one has expired.
        prompt: (_name, instructions, _language, prompts, finish) => {
          if (prompts.length === 1 && prompts[0]!.echo !== true && !answered) {
            answered = true;
            finish([password]);
            return;
          }
          const asked = [instructions, ...prompts.slice(0, 5).map(({ prompt }) => prompt)].join(" ");
          const note = `an answer to ${JSON.stringify(printable(asked))}: there is none but the password`;
          // A host may ask without end.
          if (notes.length < mostNotes && !notes.includes(note)) notes.push(note);
          finish([]);
        },
      }),
    },
  ];
}

function refusal(
  login: ReachedLogin,
  tried: readonly string[],
  notes: readonly string[],
  accepts: readonly string[] | null,
  certificates: readonly string[],
  reason: string | undefined,
): HostError {
  const sentences = [
    tried.length > 0
      ? `Tried: ${tried.join(", ")}.`
      : "There was nothing to offer: no key, no agent, no password.",
    ...(notes.length > 0 ? [`Not tried: ${notes.join("; ")}.`] : []),
    ...(accepts && accepts.length > 0 ? [`The host accepts: ${printable(accepts.join(", "))}.`] : []),
    ...certificates.map((file) => `The certificate ${file} was not shown: transport = "openssh" shows it.`),
  ];
  const why = reason === undefined ? "" : `: ${reason}`;
  return new HostError(
    "login_refused",
    login.host,
    `${login.host} refused the login as ${login.user}${why}`,
    sentences.join(" "),
  );
}
