/**
 * @module Values of input variables from outside, in OpenTofu's order of precedence: `TF_VAR_*`, `terraform.tfvars`,
 * `*.auto.tfvars`, then `-var` and `-var-file` as given.
 * Source: https://opentofu.org/docs/language/values/variables/#variable-definition-precedence
 */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { type Diagnostic, errorDiagnostic } from "../diagnostics/diagnostic.ts";
import { SourceFile } from "../diagnostics/source.ts";
import { systemErrorText } from "../diagnostics/system-error.ts";
import type { VariableInput } from "../engine/load/variable-input.ts";
import { parseFile } from "../hcl/parse.ts";
import type { Options } from "./option.ts";

export interface GivenVariables {
  /** Lowest precedence first. */
  readonly inputs: readonly VariableInput[];
  readonly diagnostics: readonly Diagnostic[];
}

const environmentPrefix = "TF_VAR_";

/**
 * @param directory of the configuration
 * @param lists `-var` and `-var-file`, in the order given
 */
export function collectVariables(
  directory: string,
  environment: Readonly<Record<string, string | undefined>>,
  lists: Options["lists"],
): GivenVariables {
  const parts: GivenVariables[] = [
    fromEnvironment(environment),
    ...automaticFiles(directory).map(fromFile),
    ...lists.flatMap(({ name, value }) => {
      if (name === "var") return [fromOption(value)];
      return name === "var-file" ? [fromFile(value)] : [];
    }),
  ];
  return {
    inputs: parts.flatMap(({ inputs }) => inputs),
    diagnostics: parts.flatMap(({ diagnostics }) => diagnostics),
  };
}

function fromEnvironment(environment: Readonly<Record<string, string | undefined>>): GivenVariables {
  const inputs = Object.entries(environment)
    .filter(([name]) => name.startsWith(environmentPrefix))
    .map(([name, text = ""]) => ({ name: name.slice(environmentPrefix.length), text, source: name }));
  return { inputs, diagnostics: [] };
}

function fromOption(argument: string): GivenVariables {
  const equals = argument.indexOf("=");
  if (equals > 0) {
    const [name, text] = [argument.slice(0, equals).trim(), argument.slice(equals + 1)];
    return { inputs: [{ name, text, source: "-var" }], diagnostics: [] };
  }
  // The argument may be a secret whose name was forgotten: it is not repeated.
  const detail = "-var takes NAME=VALUE: the variable's name, an equals sign, and its value.";
  return problem(errorDiagnostic("A -var option without a name", detail));
}

/** `terraform.tfvars` before `*.auto.tfvars`, those by name; each in its native and its JSON form. */
function automaticFiles(directory: string): string[] {
  const names = readdirSync(directory).sort();
  const always = ["terraform.tfvars", "terraform.tfvars.json"].filter((name) => names.includes(name));
  const automatic = names.filter((name) => /\.auto\.tfvars(?:\.json)?$/.test(name));
  return [...always, ...automatic].map((name) => join(directory, name));
}

function fromFile(path: string): GivenVariables {
  let text: string;
  try {
    text = readFileSync(path, "utf8").replace(/^\uFEFF/, "");
  } catch (error) {
    return problem(errorDiagnostic("Variables file cannot be read", `${path}: ${systemErrorText(error)}.`));
  }
  return path.endsWith(".json") ? fromJson(text, path) : fromNative(new SourceFile(path, text));
}

function fromNative(file: SourceFile): GivenVariables {
  const { body, diagnostics } = parseFile(file);
  const blocks = body.items.filter((item) => item.kind === "block");
  const misplaced = blocks.map((block) =>
    errorDiagnostic(
      "Block in a variables file",
      `A variables file holds arguments only, such as ${block.type} = "value". Blocks belong into the configuration.`,
      { range: block.header },
    ),
  );
  const inputs = body.items.flatMap((item): VariableInput[] => {
    if (item.kind === "block") return [];
    const { start, end } = item.expression;
    return [{ name: item.name, text: file.text.slice(start, end), form: "expression", source: file.name }];
  });
  return { inputs, diagnostics: [...diagnostics, ...misplaced] };
}

/** JSON values are expressions of HCL too, but for strings, in which `${` and some escapes mean something else. */
function fromJson(text: string, path: string): GivenVariables {
  try {
    const content: unknown = JSON.parse(text);
    if (typeof content !== "object" || content === null || Array.isArray(content)) {
      return problem(
        errorDiagnostic(
          "Variables file is no JSON object",
          `${path} must hold an object of names and values.`,
        ),
      );
    }
    const inputs = Object.entries(content).map(([name, value]): VariableInput => {
      return { name, text: expressionOf(value), form: "expression", source: path };
    });
    return { inputs, diagnostics: [] };
  } catch (error) {
    return problem(errorDiagnostic("Variables file is no JSON", `${path}: ${(error as Error).message}.`));
  }
}

function expressionOf(value: unknown): string {
  return JSON.stringify(value)
    .replace(/\\./g, (pair) => ({ "\\b": "\\u0008", "\\f": "\\u000c" })[pair] ?? pair)
    .replace(/([$%])\{/g, "$1$1{");
}

const problem = (diagnostic: Diagnostic): GivenVariables => ({ inputs: [], diagnostics: [diagnostic] });
