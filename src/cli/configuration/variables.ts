/**
 * @module Values of input variables from outside, in OpenTofu's order of precedence: `TF_VAR_*`, `terraform.tfvars`,
 * `*.auto.tfvars`, then `-var` and `-var-file` as given.
 * Source: https://opentofu.org/docs/language/values/variables/#variable-definition-precedence
 */
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { type Diagnostic, errorDiagnostic } from "../../diagnostics/diagnostic.ts";
import type { VariableInput } from "../../engine/index.ts";
import { compareText } from "../../values/set-order.ts";
import type { GivenLists } from "../command-line/option.ts";
import { nothingRead, type ReadVariables, readVariablesFile } from "./variables-file.ts";

/** `-var` and `-var-file` as given, which another engine takes the same: all other values it finds itself. */
export const engineVariables = ({ lists }: GivenLists): GivenLists["lists"] =>
  lists.filter(({ name }) => name === "var" || name === "var-file");

const environmentPrefix = "TF_VAR_";

/**
 * @param directory of the configuration
 * @param lists `-var` and `-var-file`, in the order given
 */
export function collectVariables(
  directory: string,
  environment: Readonly<Record<string, string | undefined>>,
  lists: GivenLists["lists"],
): ReadVariables {
  const parts: ReadVariables[] = [
    fromEnvironment(environment),
    ...automaticFiles(directory).map((path) => readVariablesFile(path)),
    ...lists.flatMap((option) => readOption(option) ?? []),
  ];
  return {
    inputs: parts.flatMap(({ inputs }) => inputs),
    diagnostics: parts.flatMap(({ diagnostics }) => diagnostics),
    incomplete: parts.some(({ incomplete }) => incomplete),
  };
}

/** The variables of one option; undefined for other options. */
export function readOption({ name, value }: GivenLists["lists"][number]): ReadVariables | undefined {
  if (name === "var") return fromOption(value);
  return name === "var-file" ? readVariablesFile(value, true) : undefined;
}

/**
 * The inputs, with one of which nothing is known for every variable that may have been given in what could not be read.
 *
 * @param declared names of variables
 */
export function readAsFarAsPossible(
  { inputs, incomplete }: ReadVariables,
  declared: Iterable<string>,
): readonly VariableInput[] {
  if (!incomplete) return inputs;
  const given = new Set(inputs.map(({ name }) => name));
  const lost = [...declared].filter((name) => !given.has(name));
  return [...inputs, ...lost.map((name): VariableInput => ({ name, text: "", form: "broken", source: "" }))];
}

function fromEnvironment(environment: Readonly<Record<string, string | undefined>>): ReadVariables {
  const inputs = Object.entries(environment)
    .filter(([name]) => name.startsWith(environmentPrefix))
    .map(([name, text = ""]) => ({ name: name.slice(environmentPrefix.length), text, source: name }));
  return { inputs, diagnostics: [], incomplete: false };
}

function fromOption(argument: string): ReadVariables {
  const equals = argument.indexOf("=");
  if (equals > 0) {
    const [written, text] = [argument.slice(0, equals), argument.slice(equals + 1)];
    const name = written.trim();
    if (name !== written) return nothingRead(spaceAround(name));
    return { inputs: [{ name, text, source: "-var" }], diagnostics: [], incomplete: false };
  }
  // The argument may be a secret whose name was forgotten: it is not repeated.
  const detail = "-var takes NAME=VALUE: the variable's name, an equals sign, and its value.";
  return nothingRead(errorDiagnostic("A -var option without a name", detail));
}

/** Who writes `-var 'name = value'` means no space at the start of the value, but would get one. */
const spaceAround = (name: string): Diagnostic =>
  errorDiagnostic(
    "Space around the name of a -var option",
    `The value would begin after the equals sign, with its spaces. Write -var '${name}=…'.`,
  );

/** `terraform.tfvars` before `*.auto.tfvars`, those by name; each in its native and its JSON form. */
function automaticFiles(directory: string): string[] {
  const names = namesIn(directory);
  const always = ["terraform.tfvars", "terraform.tfvars.json"].filter((name) => names.includes(name));
  const automatic = names.filter((name) => /\.auto\.tfvars(?:\.json)?$/.test(name));
  return [...always, ...automatic].map((name) => join(directory, name));
}

/** Empty for an unreadable directory, which is reported with the configuration. */
function namesIn(directory: string): readonly string[] {
  try {
    return readdirSync(directory).sort(compareText);
  } catch {
    return [];
  }
}
