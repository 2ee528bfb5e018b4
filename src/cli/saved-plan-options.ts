/**
 * @module Options that say what is planned, beside a plan that was made already: nobody may believe that they count.
 */
import { type Diagnostic, errorDiagnostic } from "../diagnostics/diagnostic.ts";
import type { Options } from "./option.ts";

/** `-var` is not among them: other engines want variables again for what they need before the plan is read. */
const lists = ["target", "circuit", "step", "limit", "replace"] as const;
const variables = ["var", "var-file"] as const;
const modes = ["destroy", "refresh-only"] as const;

/**
 * @param embedded whether the plan has its variables with it
 * @returns undefined when nothing of the kind was given
 */
export function optionsOfPlanning(options: Options, path: string, embedded: boolean): Diagnostic | undefined {
  const given = [
    ...[...lists, ...(embedded ? variables : [])].filter((name) => options.list(name).length > 0),
    ...modes.filter((name) => options.flag(name)),
    ...(options.flag("refresh") ? [] : ["refresh=false"]),
  ].map((name) => `-${name}`);
  if (given.length === 0) return undefined;
  const [says, them] = given.length === 1 ? ["says", "it"] : ["say", "them"];
  return errorDiagnostic(
    `A saved plan takes no ${given.join(", ")}`,
    `${path} is applied as it was planned, and ${given.join(", ")} ${says} what is planned. Leave ${them} out, or give ${them} to conn3x plan -out. Nothing was done.`,
  );
}
