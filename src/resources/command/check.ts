/**
 * @module Settings of a command that exclude each other, or that look like a mistake.
 */
import { type Diagnostic, errorDiagnostic, warningDiagnostic } from "../../diagnostics/diagnostic.ts";
import { at } from "../../values/path.ts";
import type { PlainObject } from "../../values/plain.ts";
import { Unknown } from "../../values/value.ts";

export function checkCommand(config: PlainObject): readonly Diagnostic[] {
  const { run, script } = config;
  // What is not known yet may turn out to be null.
  const [interpreter, stdin] = [config.interpreter, config.stdin].map((value) =>
    value instanceof Unknown ? null : value,
  );
  if (run === null && script === null) {
    return [errorDiagnostic("Missing command", "A command needs run or script.", { attribute: at("run") })];
  }
  if (interpreter !== null && script === null) {
    return [
      errorDiagnostic("Interpreter without a script", "run is for /bin/sh. Write the text as script.", {
        attribute: at("interpreter"),
      }),
    ];
  }
  if (interpreter !== null && stdin !== null) {
    return [
      errorDiagnostic(
        "Standard input is taken",
        "The interpreter reads the script from standard input, so it cannot read anything else there.",
        { attribute: at("stdin") },
      ),
    ];
  }
  return ["run", "script"].filter((name) => hasCarriageReturns(config[name])).map(carriageReturns);
}

const hasCarriageReturns = (text: unknown): boolean => typeof text === "string" && /\r\n/.test(text);

const carriageReturns = (name: string): Diagnostic =>
  warningDiagnostic(
    "Line ends with carriage returns",
    `${name} has lines that end with CRLF, and a shell takes the CR as part of the last word. Save the file with LF.`,
    { attribute: at(name) },
  );
