/**
 * @module Secrets for logins that a person is asked for: `-ask-become-pass`, and passphrases of keys.
 */

import { type Diagnostic, errorDiagnostic } from "../../diagnostics/diagnostic.ts";
import type { SessionPoolOptions } from "../../ssh/index.ts";
import type { Options } from "../command-line/option.ts";
import type { InputOption, LoginOption } from "../command-line/shared-options.ts";
import { askHidden, canAskHidden } from "./hidden-input.ts";

export type AskedSecrets = Pick<SessionPoolOptions, "ask" | "becomePassword">;

/** @returns options for `createSessionPool`; an error when something has to be asked and there is no terminal */
export async function askedSecrets(options: Options<LoginOption>): Promise<AskedSecrets | Diagnostic> {
  const mayAsk = canAskHidden() && options.declaring<InputOption>("input")?.flag("input") !== false;
  const ask = mayAsk ? { ask: askHidden } : {};
  if (!options.flag("ask-become-pass")) return ask;
  const becomePassword = mayAsk ? await askHidden("Become password: ") : undefined;
  return becomePassword === undefined || becomePassword === ""
    ? notAsked(mayAsk)
    : { ...ask, becomePassword };
}

export const isUnanswered = (secrets: AskedSecrets | Diagnostic): secrets is Diagnostic =>
  "severity" in secrets;

const notAsked = (mayAsk: boolean): Diagnostic =>
  mayAsk
    ? errorDiagnostic("No become password was given", "Nothing was done.")
    : errorDiagnostic(
        "The become password cannot be asked for",
        "It is asked for on a terminal only, never read from a pipe, and not with -input=false. Set become_password in the ssh block, from a sensitive variable.",
      );
