/**
 * @module The options of a command's sessions: secrets that are asked for, and logs.
 */

import type { Diagnostic } from "../../diagnostics/diagnostic.ts";
import { type AskedSecrets, askedSecrets, isUnanswered } from "../terminal/asked-secrets.ts";
import { type HostLog, type HostLogTo, isLogProblem, openHostLog } from "../terminal/host-log.ts";
import type { Options } from "./option.ts";
import type { LoginOption } from "./shared-options.ts";

/** @returns an error, not reported yet, when a question stays unanswered or a log cannot be had */
export async function poolOptions(
  options: Options<LoginOption>,
  to: HostLogTo,
): Promise<{ readonly pool: AskedSecrets & HostLog } | { readonly problem: Diagnostic }> {
  const secrets = await askedSecrets(options);
  if (isUnanswered(secrets)) return { problem: secrets };
  const log = openHostLog(options, to);
  return isLogProblem(log) ? { problem: log } : { pool: { ...secrets, ...log } };
}
