/**
 * @module Keeps secrets out of what a command printed.
 */
import { createHiddenTexts, type HiddenTexts, shortestHidden } from "../../diagnostics/hidden-texts.ts";
import { secretForms } from "../../diagnostics/secret-forms.ts";
import { isPlainObject, type PlainObject } from "../../values/plain.ts";

export const mask = "(secret)";

/** What of a command's output may be shown or stored. */
export function masker(settings: PlainObject): (output: string) => string {
  if (settings.sensitive === true) return (output) => (output === "" ? "" : "(not shown: it is sensitive)");
  const secrets = secretsOf(settings);
  if (secrets.some((secret) => secret.length < shortestHidden)) {
    return (output) => (output === "" ? "" : "(not shown: a secret is too short to be masked)");
  }
  let hidden: HiddenTexts | undefined;
  return (output) => {
    if (output === "") return "";
    hidden ??= hiding(secrets);
    return hidden.hide(output);
  };
}

function hiding(secrets: readonly string[]): HiddenTexts {
  const hidden = createHiddenTexts(mask);
  for (const form of secrets.flatMap(secretForms)) hidden.add(form);
  return hidden;
}

function secretsOf({ secret_environment: variables, stdin }: PlainObject): readonly string[] {
  const values = isPlainObject(variables) ? Object.values(variables) : [];
  const lines =
    typeof stdin === "string" ? stdin.split(/\r?\n/).filter(({ length }) => length >= shortestHidden) : [];
  return [...values, ...lines].filter((value) => typeof value === "string" && value !== "") as string[];
}
