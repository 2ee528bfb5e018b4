/**
 * @module A file with values of variables, in its native form (`terraform.tfvars`) or in JSON.
 * Source: https://opentofu.org/docs/language/values/variables/#variable-definitions-tfvars-files
 */
import { nativeText, parseJson, setTwice } from "../../compiler/index.ts";
import { type Diagnostic, errorDiagnostic } from "../../diagnostics/diagnostic.ts";
import type { SourceFile } from "../../diagnostics/source.ts";
import { sourceFrom, unreadable } from "../../diagnostics/source-bytes.ts";
import type { VariableInput } from "../../engine/index.ts";
import { readRegularSync } from "../../files/read-regular.ts";
import { parseFile } from "../../hcl/parse/parse.ts";

/** Values of variables from one source, or from all. */
export interface ReadVariables {
  /** Lowest precedence first. */
  readonly inputs: readonly VariableInput[];
  readonly diagnostics: readonly Diagnostic[];
  /** Whether there may be values that could not be read. */
  readonly incomplete: boolean;
}

/**
 * @param path what ends in `.json` is JSON
 * @param named whether the user named it, who may mean a pipe
 */
export function readVariablesFile(path: string, named = false): ReadVariables {
  let file: SourceFile;
  try {
    file = sourceFrom(path, readRegularSync(path, { pipes: named }), "values");
  } catch (error) {
    return nothingRead(unreadable(path, error));
  }
  return path.endsWith(".json") ? fromJson(file) : fromNative(file);
}

export const nothingRead = (problem: Diagnostic): ReadVariables => ({
  inputs: [],
  diagnostics: [problem],
  incomplete: true,
});

function fromNative(file: SourceFile): ReadVariables {
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
    const isBroken = diagnostics.some(
      ({ range }) => range && range.start < item.end && item.start < range.end,
    );
    const text = file.text.slice(start, end);
    const range = { file, start, end };
    return [{ name: item.name, text, form: isBroken ? "broken" : "expression", source: file.name, range }];
  });
  return { inputs, diagnostics: [...diagnostics, ...misplaced], incomplete: diagnostics.length > 0 };
}

function fromJson(file: SourceFile): ReadVariables {
  const parsed = parseJson(file);
  if ("problem" in parsed) return nothingRead(parsed.problem);
  const { node } = parsed;
  if (node.kind !== "object") {
    const detail = "A variables file in JSON holds an object of names and values.";
    return nothingRead(errorDiagnostic("Variables file is not a JSON object", detail, { range: node }));
  }
  const inputs = new Map<string, VariableInput>();
  const diagnostics: Diagnostic[] = [];
  for (const { key, value } of node.members) {
    const name = key.value;
    // As everywhere in HCL's JSON: a comment.
    if (name === "//") continue;
    if (inputs.has(name)) diagnostics.push(setTwice(key));
    inputs.set(name, {
      name,
      text: nativeText(value),
      form: "expression",
      source: file.name,
      range: { file, start: value.start, end: value.end },
    });
  }
  return { inputs: [...inputs.values()], diagnostics, incomplete: false };
}
