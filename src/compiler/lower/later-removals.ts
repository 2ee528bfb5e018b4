/**
 * @module The packages that later steps of a circuit remove, as an expression for an earlier step: what that takes away
 * with its own change is asked for, only later.
 *
 * As with paths that a purge spares ({@link managedPaths}), only the compiler sees all steps. What a later step says with
 * something that is not there yet for the earlier one is left out: it then has to be named.
 */
import type { Attribute, Expression } from "../../hcl/tree.ts";
import type { CircuitDeclaration, StepDeclaration } from "../declare/declaration.ts";
import { literalString } from "../hosts/literal.ts";
import { type Builder, buildAt } from "./build.ts";
import { resolveExpression } from "./resolve.ts";
import type { Scope } from "./scope.ts";

const setting = "removed_later";

/** Variables of the generated expressions: no user can choose these names. */
const ownKey = "conn3x_key";
const ownValue = "conn3x_value";
const ownName = "conn3x_name";

const gone: readonly unknown[] = ["absent", "purged"];

/**
 * @param scope of the step's own settings
 * @returns undefined where there is nothing of the kind
 */
export function laterRemovals(
  step: StepDeclaration,
  scope: Scope,
  circuit: CircuitDeclaration,
): Attribute | undefined {
  if (step.kind?.schema.attributes[setting] === undefined || step.settings === undefined) return undefined;
  const build = buildAt(step.settings);
  const from = circuit.steps.indexOf(step) + (step.forEach === undefined ? 1 : 0);
  const lists = circuit.steps
    .slice(from)
    .flatMap((other) => (other.runOn === undefined ? (removedBy(other, scope, build) ?? []) : []));
  if (lists.length === 0) return undefined;
  return build.attribute(setting, build.call("flatten", build.tuple(lists)));
}

const argument = ({ settings }: StepDeclaration, name: string): Expression | undefined =>
  settings?.body.items.find((item): item is Attribute => item.kind === "attribute" && item.name === name)
    ?.expression;

/** A list of the names that a step removes on the same host; undefined for one that removes none. */
function removedBy(other: StepDeclaration, scope: Scope, build: Builder): Expression | undefined {
  const state = other.kind?.schema.attributes[setting] && argument(other, "state");
  if (state === undefined) return undefined;
  const text = literalString(state);
  if (text !== undefined && !gone.includes(text)) return undefined;
  const [name, names] = [argument(other, "name"), argument(other, "names")];
  const list = names ?? (name && build.tuple([name]));
  if (list === undefined) return undefined;
  const problems: unknown[] = [];
  const { forEach } = other;
  const each =
    forEach === undefined
      ? { key: scope.hostName, value: scope.host }
      : { key: (at: Builder) => at.path(ownKey), value: (at: Builder) => at.path(ownValue) };
  const resolve = (expression: Expression) =>
    resolveExpression(expression, { ...scope, where: `step "${other.name}"`, each }, (problem) =>
      problems.push(problem),
    );
  const isGone =
    text === undefined
      ? [
          build.call(
            "contains",
            build.tuple(gone.map((word) => build.string(String(word)))),
            build.call("coalesce", resolve(state), build.string("present")),
          ),
        ]
      : [];
  const conditions = [...isGone, ...(other.when === undefined ? [] : [resolve(other.when.expression)])];
  const removed = conditions.reduce(
    (collection, condition) =>
      build.forTuple({ valueName: ownName, collection, value: build.path(ownName), condition }),
    resolve(list),
  );
  const all =
    forEach === undefined
      ? removed
      : build.forTuple({
          keyName: ownKey,
          valueName: ownValue,
          collection: resolve(forEach),
          value: removed,
        });
  return problems.length === 0 ? all : undefined;
}
