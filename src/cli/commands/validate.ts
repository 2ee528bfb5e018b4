/**
 * @module `conn3x validate`
 */
import { loadConfiguration } from "../../compiler/load.ts";
import { hasErrors } from "../../diagnostics/diagnostic.ts";
import { validateJson } from "../../diagnostics/json.ts";
import { kinds } from "../../resources/index.ts";
import type { Context, ExitCode } from "../command.ts";

export async function runValidate({ terminal, options }: Context): Promise<ExitCode> {
  const { diagnostics } = await loadConfiguration(".", { kinds });
  const valid = !hasErrors(diagnostics);
  if (options.flag("json")) {
    terminal.out(`${JSON.stringify(validateJson(diagnostics), undefined, 2)}\n`);
    return valid ? 0 : 1;
  }
  terminal.report(diagnostics);
  if (valid) {
    const { bold, green } = terminal.colors;
    const warned = diagnostics.length > 0 ? ", but there were some validation warnings as shown above" : "";
    terminal.out(`${bold(green("Success!"))} The configuration is valid${warned}.\n`);
  }
  return valid ? 0 : 1;
}
