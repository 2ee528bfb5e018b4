/**
 * @module `templatefile` and `templatestring`.
 */

import { type Diagnostic, hasErrors } from "../../diagnostics/diagnostic.ts";
import { SourceFile } from "../../diagnostics/source.ts";
import { parseTemplate } from "../../hcl/parse/parse.ts";
import { isIdentifier } from "../../values/identifier.ts";
import { dynamicType, stringType } from "../../values/type.ts";
import type { Value } from "../../values/value.ts";
import { evaluateTemplateFile } from "../evaluate.ts";
import {
  type EagerFunction,
  type FunctionDefinition,
  type FunctionError,
  functionError,
  isFunctionError,
} from "../function-definition.ts";
import { entries, inside, parameter, text } from "./arguments.ts";
import { readText } from "./files.ts";

/** A template may render others, itself included, so there has to be an end. */
const deepest = 50;

/**
 * @param functions what templates can call: the table that these functions are part of
 */
export function templateFunctions(
  baseDirectory: string,
  functions: () => ReadonlyMap<string, FunctionDefinition>,
): readonly EagerFunction[] {
  let depth = 0;
  let tooDeep = false;
  const nested = <T>(work: () => T): T => {
    depth++;
    try {
      return work();
    } finally {
      depth--;
    }
  };
  const render = (file: SourceFile, variables: Value): Value | FunctionError => {
    if (depth === 0) tooDeep = false;
    if (depth >= deepest) tooDeep = true;
    else {
      const result = nested(() => rendered(file, variables, functions()));
      if (!tooDeep || !isFunctionError(result)) return result;
    }
    // Once, not with the location of each of the calls.
    return functionError(`templates are nested more than ${deepest} levels deep`, 0);
  };
  return [
    {
      // As in OpenTofu the result is as secret as all of its variables, and that of the other one as those it uses.
      name: "templatefile",
      params: [parameter("path", stringType), parameter("vars", dynamicType, { allowUnknown: "inside" })],
      returnType: dynamicType,
      call: ([path, variables]) => {
        const content = readText(baseDirectory, text(path));
        return typeof content === "string"
          ? render(new SourceFile(text(path), content), variables!)
          : content;
      },
    },
    {
      name: "templatestring",
      params: [parameter("str", stringType), parameter("vars", dynamicType, inside)],
      returnType: dynamicType,
      call: ([source, variables]) =>
        render(new SourceFile("<templatestring argument>", text(source)), variables!),
    },
  ];
}

function rendered(
  file: SourceFile,
  variables: Value,
  functions: ReadonlyMap<string, FunctionDefinition>,
): Value | FunctionError {
  const { kind } = variables.type;
  if (kind !== "map" && kind !== "object") return functionError("invalid vars value: must be a map", 1);
  const values = entries(variables);
  const wrong = [...values.keys()].find((name) => !isIdentifier(name));
  if (wrong !== undefined) {
    const rule = "must start with a letter, followed by zero or more letters, digits, and underscores";
    return functionError(`invalid template variable name ${JSON.stringify(wrong)}: ${rule}`, 1);
  }
  const { parts, diagnostics } = parseTemplate(file);
  if (hasErrors(diagnostics)) return firstError(file, diagnostics);
  const outcome = evaluateTemplateFile(file, parts, {
    lookup: (name) => values.get(name),
    names: () => values.keys(),
    functions,
  });
  return hasErrors(outcome.diagnostics) ? firstError(file, outcome.diagnostics) : outcome.value;
}

/** With its location in the template: the diagnostic itself points to the call. */
function firstError(file: SourceFile, diagnostics: readonly Diagnostic[]): FunctionError {
  const { summary, detail, range } = diagnostics.find(({ severity }) => severity === "error")!;
  const { line, column } = file.position(range?.start ?? 0);
  return functionError(`${file.name}:${line},${column}: ${summary}; ${detail.replace(/\.$/, "")}`);
}
