/**
 * @module Keeps secrets out of what a command printed.
 */
import { isPlainObject, type PlainObject } from "../../values/plain.ts";

export const mask = "(secret)";

/** A secret shorter than this would be found everywhere, and each place would tell what it is. */
const shortest = 4;

/** What of a command's output may be shown or stored. */
export function masker(settings: PlainObject): (output: string) => string {
  if (settings.sensitive === true) return (output) => (output === "" ? "" : "(not shown: it is sensitive)");
  const secrets = secretsOf(settings);
  if (secrets.some((secret) => secret.length < shortest)) {
    return (output) => (output === "" ? "" : "(not shown: a secret is too short to be masked)");
  }
  const forms = [...new Set(secrets.flatMap(formsOf))].sort((a, b) => b.length - a.length);
  return (output) => forms.reduce((text, form) => text.replaceAll(form, mask), output);
}

function secretsOf({ secret_environment: variables, stdin }: PlainObject): readonly string[] {
  const values = isPlainObject(variables) ? Object.values(variables) : [];
  const lines =
    typeof stdin === "string" ? stdin.split(/\r?\n/).filter(({ length }) => length >= shortest) : [];
  return [...values, ...lines].filter((value) => typeof value === "string" && value !== "") as string[];
}

/** As it is, each of its lines, and as base64 (whose last characters depend on what follows). */
function formsOf(secret: string): readonly string[] {
  const base64 = Buffer.from(secret, "utf8").toString("base64").replace(/=+$/, "");
  const sure = base64.slice(0, Math.floor((Buffer.byteLength(secret) * 4) / 3));
  return [secret, ...secret.split(/\r?\n/), base64, sure].filter(({ length }) => length >= shortest);
}
