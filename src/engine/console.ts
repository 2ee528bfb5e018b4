/**
 * @module Evaluates expressions for the console, one at a time, with the stored resources.
 */

import type { Configuration } from "../compiler/index.ts";
import type { ProviderSchema } from "../core/index.ts";
import { type Diagnostic, hasErrors } from "../diagnostics/diagnostic.ts";
import { SourceFile } from "../diagnostics/source.ts";
import { evaluate } from "../eval/evaluate.ts";
import { parseExpression } from "../hcl/parse/parse.ts";
import { sensitiveIn, withFollowing } from "../schema/sensitive-parts.ts";
import type { InstanceKey } from "../values/address.ts";
import { isConversionError } from "../values/convert.ts";
import { fromJson, parseJson } from "../values/json/json.ts";
import { markPaths } from "../values/marks.ts";
import { showType } from "../values/show.ts";
import { nullValue, type Value } from "../values/value.ts";
import { typeQuestion } from "./console-type.ts";
import { type LoadedType, load } from "./evaluate/load.ts";
import { functionsFor } from "./evaluate/names/functions.ts";
import { PhaseValues } from "./evaluate/names/phase-values.ts";
import { createWorld } from "./evaluate/names/world.ts";
import { Problems } from "./evaluate/problems.ts";
import type { Expansion } from "./evaluate/resources/expansion.ts";
import type { VariableInput } from "./evaluate/variables/variable-input.ts";
import { readSensitivePaths } from "./state/sensitive-paths.ts";
import type { StateFile, StateResource } from "./state/state.ts";

export interface ConsoleOptions {
  readonly configuration: Configuration;
  readonly schema: ProviderSchema;
  /** Lowest precedence first. */
  readonly variables: readonly VariableInput[];
  readonly state: StateFile;
}

export interface Console {
  evaluate(text: string): {
    /** Undefined where it has no value. */
    readonly value: Value | undefined;
    /** What `type` says, where the whole expression is a call of it. */
    readonly type?: string;
    readonly diagnostics: readonly Diagnostic[];
  };
}

/** @returns no console when the configuration has errors */
export function openConsole(options: ConsoleOptions): {
  readonly console: Console | undefined;
  readonly diagnostics: readonly Diagnostic[];
} {
  const { configuration, schema, variables, state } = options;
  const problems = new Problems();
  const now = new Date();
  const functions = functionsFor(configuration.directory, { planTime: now, now });
  const loaded = load(
    { configuration, schema, variables, functions, planTime: now, unset: "unknown" },
    problems,
  );
  if (problems.failed) return { console: undefined, diagnostics: problems.all };
  const values = storedValues(state, loaded.types);
  let said: Diagnostic[] = [];
  const world = createWorld({ ...loaded.surroundings, fixed: new Map() }, values, (one) => said.push(one));
  const evaluateText: Console["evaluate"] = (text) => {
    said = [];
    const parsed = parseExpression(new SourceFile("<console>", text));
    if (hasErrors(parsed.diagnostics)) return { value: undefined, diagnostics: parsed.diagnostics };
    const { asked, depth, problems } = typeQuestion(parsed.expression);
    if (problems.length > 0) return { value: undefined, diagnostics: problems };
    const { value, diagnostics } = evaluate(asked, world.scope({}));
    const all = [...said, ...diagnostics];
    if (hasErrors(all)) return { value: undefined, diagnostics: all };
    // The type of a type is "type".
    const type = depth === 0 ? {} : { type: depth > 1 ? "type" : showType(value.type) };
    return { value, ...type, diagnostics: all };
  };
  return { console: { evaluate: evaluateText }, diagnostics: problems.all };
}

function storedValues({ resources }: StateFile, types: ReadonlyMap<string, LoadedType>): PhaseValues {
  const values = new PhaseValues();
  for (const [address, resource] of resources) {
    const type = types.get(resource.type);
    if (type === undefined) continue;
    values.declare(address, expansionOf(resource), type.objectType);
    for (const { key, attributes, sensitivePaths } of resource.instances.values()) {
      const read = fromJson(parseJson(attributes), type.objectType);
      if (isConversionError(read)) continue;
      const marks = [...readSensitivePaths(sensitivePaths), ...sensitiveIn(type, read.value)];
      values.set(address, key, markPaths(read.value, withFollowing(type.schema, marks)));
    }
  }
  return values;
}

/** The kind of expansion, from the stored keys. */
function expansionOf({ instances }: StateResource): Expansion {
  const keys = [...instances.keys()];
  const numbers = keys.filter((key): key is number => typeof key === "number");
  if (numbers.length > 0) return { kind: "count", count: Math.max(...numbers) + 1 };
  const texts = keys.filter((key: InstanceKey): key is string => typeof key === "string");
  if (texts.length === 0) return { kind: "single" };
  return { kind: "each", entries: new Map(texts.map((key) => [key, nullValue({ kind: "dynamic" })])) };
}
