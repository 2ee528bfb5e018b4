/**
 * @module Things to offer to a host for logging in.
 */
import type {
  AnyAuthMethod,
  AuthenticationType,
  OpenSSHAgent,
  ParsedKey,
  SignCallback,
  SigningRequestOptions,
} from "ssh2";
import type { ReachedLogin } from "../config/reached-login.ts";
import { printable } from "../printable.ts";
import { originalOf, signingAs } from "./rsa-signatures.ts";
import { rsaBits } from "./rsa-size.ts";

/** Most notes that the report of a failed login has. */
export const mostNotes = 20;

/** Something to offer. */
export interface Offer {
  /** The method's name on the wire (RFC 4252). */
  readonly method: AuthenticationType;
  /** Offers with one label are one to a person: a key with another signature. */
  readonly label: string;
  readonly made: AnyAuthMethod;
}

/** Offers that are found when their turn comes. */
export interface Offers {
  readonly method: AuthenticationType;
  readonly label: string;
  /** Whether they are one to a person where none of them is wanted. */
  readonly asOne?: true;
  find(): Promise<readonly Offer[]>;
}

/** A key as one offer for each signature that is allowed; why it is none goes into `notes`. */
export function keyOffers(
  { user: username, algorithms }: ReachedLogin,
  key: ParsedKey,
  label: string,
  notes: string[],
  agent?: OpenSSHAgent,
): readonly Offer[] {
  const bits = rsaBits(key.getPublicSSH());
  if (bits !== undefined && bits < algorithms.requiredRsaSize) {
    notes.push(`${label}: it has ${bits} bits, and required_rsa_size is ${algorithms.requiredRsaSize}`);
    return [];
  }
  const signing = signingAs(key, algorithms.pubkeyAcceptedAlgorithms);
  if (signing.length === 0) notes.push(`${label}: pubkey_accepted_algorithms leaves ${key.type} out`);
  return signing.map((one): Offer => {
    const made: AnyAuthMethod =
      agent === undefined
        ? { type: "publickey", username, key: one }
        : { type: "agent", username, agent: holding(agent, one) };
    return { method: "publickey", label, made };
  });
}

/** The agent as if it held this key only. */
function holding(agent: OpenSSHAgent, only: ParsedKey): OpenSSHAgent {
  return Object.assign(Object.create(agent) as OpenSSHAgent, {
    getIdentities: (done: (error: null, keys: readonly ParsedKey[]) => void) => done(null, [only]),
    sign(key: ParsedKey, data: Buffer, options: SigningRequestOptions, done: SignCallback): void {
      const original = originalOf(key);
      if (original === undefined) agent.sign(key, data, options, done);
      else agent.sign(original.key, data, { hash: original.hash }, done);
    },
  });
}

/** The password: plain, then as the answer to a single hidden prompt. */
export function passwordOffers(
  { user: username, password }: ReachedLogin,
  notes: string[],
): readonly Offer[] {
  if (password === undefined) return [];
  let answered = false;
  return [
    { method: "password", label: "password", made: { type: "password", username, password } },
    {
      method: "keyboard-interactive",
      label: "keyboard-interactive with the password",
      made: {
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
      },
    },
  ];
}
