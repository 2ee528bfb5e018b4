/**
 * @module `replace_triggered_by`: resources, instances and attributes a change of which replaces an instance.
 */

import { type Diagnostic, errorDiagnostic } from "../../../diagnostics/diagnostic.ts";
import type { Report } from "../../../diagnostics/report.ts";
import type { Expression } from "../../../hcl/tree.ts";
import type { Path } from "../../../values/path.ts";
import { literalSteps, type TraversalStep, traversalOf } from "../names/traversal.ts";

export interface ReplaceTrigger {
  /** Address of the resource. */
  readonly resource: string;
  /** The key of the instance; undefined for all of them, or the only one. */
  readonly key: Expression | undefined;
  /** What of it counts; empty: any update or replacement. */
  readonly path: Path;
  readonly expression: Expression;
}

/** @param addresses of the configuration's resources */
export function readTriggers(
  expression: Expression,
  addresses: ReadonlySet<string>,
  report: Report,
): readonly ReplaceTrigger[] {
  if (expression.kind !== "tuple") {
    report(noTrigger(expression, "It is a list: [step.config.revision], [conn3x_file.a]."));
    return [];
  }
  return expression.items.flatMap((item) => {
    const trigger = readTrigger(item, addresses);
    if (typeof trigger !== "string") return [trigger];
    report(noTrigger(item, trigger));
    return [];
  });
}

/** What is wrong with it, where something is. */
function readTrigger(expression: Expression, addresses: ReadonlySet<string>): ReplaceTrigger | string {
  const traversal = traversalOf(expression);
  const [first, ...rest] = traversal?.steps ?? [];
  if (traversal === undefined || first === undefined || !("name" in first)) return whatItNames;
  if (namesNoResource.has(traversal.root)) return whatItNames;
  const resource = `${traversal.root}.${first.name}`;
  if (!addresses.has(resource)) return `There is no resource ${resource}. ${whatItNames}`;
  const { key, steps } = withoutKey(rest);
  const path = literalSteps(steps);
  return path === undefined
    ? "A key inside an instance must be written out."
    : { resource, key, path, expression };
}

/** What the names mean that are in front of other things than resources. */
const namesNoResource = new Set([
  "each",
  "count",
  "var",
  "local",
  "module",
  "data",
  "path",
  "self",
  "terraform",
]);

const whatItNames =
  "It names resources of this configuration, instances of them, or attributes of these; no variables, locals or calls.";

function withoutKey(steps: readonly TraversalStep[]) {
  const [first, ...rest] = steps;
  return first !== undefined && "key" in first ? { key: first.key, steps: rest } : { key: undefined, steps };
}

const noTrigger = (range: Expression, why: string): Diagnostic =>
  errorDiagnostic('"replace_triggered_by" names something that cannot trigger', why, { range });
