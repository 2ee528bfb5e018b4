/**
 * @module The `%` tokens and `${…}` variables of ssh_config(5), under TOKENS and ENVIRONMENT VARIABLES.
 */
import { createHash } from "node:crypto";
import { hostname } from "node:os";

/** What tokens stand for. */
export interface TokenValues {
  /** The name as it was given. */
  readonly originalHost: string;
  /** The name or address that is connected to. */
  readonly host: string;
  readonly port: number;
  readonly user: string;
  readonly localUser: string;
  readonly home: string;
  readonly hostKeyAlias?: string | undefined;
  /** `[user@]host[:port]` of the first jump, else empty. */
  readonly jump?: string | undefined;
}

/** Leaves a token alone that has no meaning here. */
export function expandTokens(text: string, values: TokenValues): string {
  return text.replace(/%(.)/gs, (token, letter: string) => tokenOf(letter, values) ?? token);
}

function tokenOf(letter: string, values: TokenValues): string | undefined {
  switch (letter) {
    case "%":
      return "%";
    case "h":
      return values.host;
    case "n":
      return values.originalHost;
    case "p":
      return String(values.port);
    case "r":
      return values.user;
    case "u":
      return values.localUser;
    case "d":
      return values.home;
    case "k":
      return values.hostKeyAlias ?? values.originalHost;
    case "l":
      return hostname();
    case "L":
      return hostname().split(".")[0]!;
    case "i":
      return String(process.getuid?.() ?? 0);
    case "j":
      return values.jump ?? "";
    case "C":
      return createHash("sha1")
        .update(`${hostname()}${values.host}${values.port}${values.user}${values.jump ?? ""}`)
        .digest("hex");
    default:
      return undefined;
  }
}

/**
 * A path of the file: variables, then `~`, then tokens.
 * @returns undefined where a variable is not set, which makes the path none
 */
export function expandPath(text: string, values: TokenValues): string | undefined {
  let missing = false;
  const path = text.replace(/\$\{([^}]*)\}/g, (_, name: string) => {
    const value = process.env[name];
    missing ||= value === undefined;
    return value ?? "";
  });
  if (missing) return undefined;
  return expandTokens(path.replace(/^~(?=\/|$)/, values.home.replaceAll("%", "%%")), values);
}
