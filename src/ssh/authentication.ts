/**
 * @module What is offered to a host for logging in, in which order, and what to say when it refuses all of it.
 */
import type { AnyAuthMethod, AuthenticationType, ParsedKey } from "ssh2";
import ssh2 from "ssh2";
import { HostError } from "./host-error.ts";
import { fingerprint } from "./known-hosts.ts";
import type { Login } from "./login.ts";
import { defaultKeys, namedKey } from "./private-key.ts";

/** The offers of one connection attempt. */
export interface Authentication {
  /**
   * The next thing to offer, or `undefined` when nothing is left.
   * @param accepted methods the host would take; unknown before its first answer
   */
  next(accepted: readonly string[] | null): Promise<AnyAuthMethod | undefined>;
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
 * Named key, agent, default identities (only where no key is named), password: plain, then as the answer to a single
 * hidden prompt.
 * @throws HostError with code `login_settings`
 */
export async function createAuthentication(login: Login): Promise<Authentication> {
  const username = login.user;
  const tried: string[] = [];
  const notes: string[] = [];
  let hostAccepts: readonly string[] | null = null;

  const named = await namedKey(login);
  const keys = named ? [named] : await defaultKeys(login, notes);
  const keyOffers = keys.map(
    ({ key, label }): Offer => ({
      method: "publickey",
      label: `key ${label}`,
      make: async () => ({ type: "publickey", username, key }),
    }),
  );
  const agent = login.agent ? agentOffer(username, tried, notes) : [];
  const offers = [
    ...(named ? keyOffers : []),
    ...agent,
    ...(named ? [] : keyOffers),
    ...passwordOffers(login),
  ];

  return {
    async next(accepted) {
      hostAccepts = accepted ?? hostAccepts;
      for (let offer = offers.shift(); offer !== undefined; offer = offers.shift()) {
        const asMethod = offer.method === "agent" ? "publickey" : offer.method;
        // The same wrong password twice would count twice where accounts are locked.
        const again = asMethod === "keyboard-interactive" && tried.includes("password");
        if (again && accepted?.includes("password")) continue;
        if (accepted && !accepted.includes(asMethod)) {
          notes.push(`${offer.label}: the host does not accept ${asMethod}`);
          continue;
        }
        const made = await offer.make();
        if (!made) continue;
        if (offer.method !== "agent") tried.push(offer.label);
        return made;
      }
      return undefined;
    },
    refused: (reason) => refusal(login, tried, notes, hostAccepts, reason),
  };
}

function agentOffer(username: string, tried: string[], notes: string[]): Offer[] {
  const socket = process.env.SSH_AUTH_SOCK;
  if (!socket) return [];
  const make = async (): Promise<AnyAuthMethod | undefined> => {
    const agent = new ssh2.OpenSSHAgent(socket);
    const identities = await new Promise<readonly ParsedKey[] | Error>((done) =>
      agent.getIdentities((error, keys) => done(error ?? (keys as ParsedKey[] | undefined) ?? [])),
    );
    if (identities instanceof Error) {
      notes.push(`agent: ${identities.message}`);
      return undefined;
    }
    if (identities.length === 0) {
      notes.push("agent: it holds no key");
      return undefined;
    }
    tried.push(...identities.map((key) => `key ${fingerprint(key.getPublicSSH())} (agent)`));
    return { type: "agent", username, agent };
  };
  return [{ method: "agent", label: "agent", make }];
}

function passwordOffers(login: Login): Offer[] {
  const { user: username, password } = login;
  if (password === undefined) return [];
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
        // The password is for a single hidden question; a second factor cannot be answered by it.
        prompt: (_name, _instructions, _language, prompts, finish) =>
          finish(prompts.length === 1 && prompts[0]!.echo !== true ? [password] : []),
      }),
    },
  ];
}

function refusal(
  login: Login,
  tried: readonly string[],
  notes: readonly string[],
  accepts: readonly string[] | null,
  reason: string | undefined,
): HostError {
  const sentences = [
    tried.length > 0
      ? `Tried: ${tried.join(", ")}.`
      : "There was nothing to offer: no key, no agent, no password.",
    ...(notes.length > 0 ? [`Not tried: ${notes.join("; ")}.`] : []),
    ...(accepts && accepts.length > 0 ? [`The host accepts: ${accepts.join(", ")}.`] : []),
  ];
  const why = reason === undefined ? "" : `: ${reason}`;
  return new HostError(
    "login_refused",
    login.host,
    `${login.host} refused the login as ${login.user}${why}`,
    sentences.join(" "),
  );
}
