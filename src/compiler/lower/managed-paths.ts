/**
 * @module The paths that a step which purges a directory, or sets what is in it, has to spare: those at which steps of this
 * and of other circuits put something on the same host, as an expression.
 *
 * Only the compiler sees all steps: a provider gets one instance at a time, and a resource cannot refer
 * to resources of later steps. So the expressions of their paths are repeated here, in terms of this step. Extra paths
 * (of a step that is skipped, or that runs on one host only) do no harm: less is removed.
 */

import { errorDiagnostic } from "../../diagnostics/diagnostic.ts";
import type { Report } from "../../diagnostics/report.ts";
import type { Attribute, Expression } from "../../hcl/tree.ts";
import type { CircuitDeclaration, StepDeclaration } from "../declare/declaration.ts";
import { hostsLocalName } from "../names.ts";
import { type Builder, buildAt } from "./build.ts";
import { resolveExpression } from "./resolve.ts";
import { foreignHost, type Scope } from "./scope.ts";

/** Variables of the generated expressions: no user can choose these names. */
const ownKey = "conn3x_key";
const ownValue = "conn3x_value";

/** A circuit, with the facts that its steps may refer to. */
export interface OtherCircuit {
  readonly circuit: CircuitDeclaration;
  readonly facts: Scope["facts"];
}

interface Surroundings {
  readonly circuit: CircuitDeclaration;
  readonly otherCircuits: () => readonly OtherCircuit[];
  readonly report: Report;
}

/**
 * @param scope of the step's own settings
 * @returns undefined for a step that does neither, or when there is nothing to spare
 */
export function managedPaths(
  step: StepDeclaration,
  scope: Scope,
  { circuit, otherCircuits, report }: Surroundings,
): Attribute | undefined {
  const search = searchOf(step);
  if (search === undefined) return undefined;
  const build = buildAt(search);
  const here = circuit.steps
    .filter((other) => other !== step || other.forEach !== undefined)
    .flatMap((other) => ownPaths(other, scope, build, reportedOf(step, other, report)));
  const there = otherCircuits().flatMap((other) => foreignPaths(other, scope, build));
  const single = here.filter(({ form }) => form === "one").map(({ expression }) => expression);
  const lists = [...here, ...there].filter(({ form }) => form === "list").map(({ expression }) => expression);
  const all = [...(single.length > 0 ? [build.tuple(single)] : []), ...lists];
  if (all.length === 0) return undefined;
  return build.attribute("managed", all.length === 1 ? all[0]! : build.call("concat", ...all));
}

interface Paths {
  /** Whether the expression is a path, or a list of them. */
  readonly form: "one" | "list";
  readonly expression: Expression;
}

/** The first argument for which a directory is searched, unless it is `false` or the kind has none. */
function searchOf(step: StepDeclaration): Attribute | undefined {
  if (step.kind?.schema.attributes.managed === undefined) return undefined;
  return possible(step, "purge") ?? possible(step, "recurse");
}

/** An argument that may be true. */
function possible({ settings }: StepDeclaration, name: string): Attribute | undefined {
  const found = settings?.body.items.find(
    (item): item is Attribute => item.kind === "attribute" && item.name === name,
  );
  if (found?.expression.kind === "keyword" && found.expression.value !== true) return undefined;
  return found;
}

/** The settings of a kind that are paths on the host. */
const placesOf = ({ kind, settings }: StepDeclaration): readonly Expression[] =>
  (settings?.body.items ?? []).flatMap((item) =>
    item.kind === "attribute" && kind?.schema.attributes[item.name]?.occupies ? [item.expression] : [],
  );

/** A directory that sets what is in it as well is marked by a slash at its end. */
function marked(step: StepDeclaration, path: Expression, build: Builder): Expression {
  if (step.kind?.schema.attributes.managed === undefined || possible(step, "recurse") === undefined)
    return path;
  const isText = path.kind === "template" && path.parts.every(({ kind }) => kind === "literal");
  const text = isText ? path.parts.map((part) => (part.kind === "literal" ? part.value : "")).join("") : path;
  return typeof text === "string" ? build.string(`${text}/`) : build.template(text, "/");
}

/** Paths of a step of the same circuit on the same host; on any host for a step with `run_on`. */
function ownPaths(
  other: StepDeclaration,
  scope: Scope,
  build: Builder,
  report: (scope: Scope) => Report,
): readonly Paths[] {
  const isElsewhere = other.runOn !== undefined;
  const view = { ...(isElsewhere ? onAnyHost(scope) : scope), where: `step "${other.name}"` };
  const found = pathsIn(other, view, build, report(view));
  return isElsewhere ? found.map((paths) => forHosts(scope.circuit, paths, build)) : found;
}

/** Paths of the steps of another circuit, if that has the same host. */
function foreignPaths({ circuit, facts }: OtherCircuit, scope: Scope, build: Builder): readonly Paths[] {
  const isSameHost = build.equal(
    build.path(foreignHost, "address"),
    build.attributeOf(scope.host(build), "address"),
  );
  return circuit.steps.flatMap((step, index) => {
    const steps = new Map(circuit.steps.slice(0, index).map((earlier) => [earlier.name, earlier]));
    const view = { ...onAnyHost(scope), circuit, facts, steps, where: `step "${step.name}"` };
    // Errors in it are reported where it is compiled.
    const found = pathsIn(step, view, build, () => undefined);
    return found.map((paths) => forHosts(circuit, paths, build, isSameHost));
  });
}

const onAnyHost = (scope: Scope): Scope => ({
  ...scope,
  carrier: foreignHost,
  host: (build) => build.path(foreignHost),
  hostName: (build) => build.path(foreignHost, "name"),
});

/** A step's paths on the host of `view`. */
function pathsIn(step: StepDeclaration, view: Scope, build: Builder, report: Report): readonly Paths[] {
  const { forEach } = step;
  if (forEach === undefined) {
    const each = { key: view.hostName, value: view.host };
    return placesOf(step).map((path) => ({
      form: "one",
      expression: marked(step, resolveExpression(path, { ...view, each }, report), build),
    }));
  }
  const each = { key: (at: Builder) => at.path(ownKey), value: (at: Builder) => at.path(ownValue) };
  return placesOf(step).map((path) => ({
    form: "list",
    expression: build.forTuple({
      keyName: ownKey,
      valueName: ownValue,
      collection: resolveExpression(forEach, { ...view, each }, report),
      value: marked(step, resolveExpression(path, { ...view, each }, report), build),
    }),
  }));
}

/** The paths for each host of a circuit. */
function forHosts(
  circuit: CircuitDeclaration,
  { form, expression }: Paths,
  build: Builder,
  condition?: Expression,
): Paths {
  const all = build.forTuple({
    valueName: foreignHost,
    collection: build.path("local", hostsLocalName(circuit.name)),
    value: expression,
    ...(condition && { condition }),
  });
  return { form: "list", expression: form === "one" ? all : build.call("flatten", all) };
}

/**
 * Errors in the path of another step are reported where that is compiled. Only what is valid there and not here is
 * reported here: a reference to a step that does not come before this one.
 */
const reportedOf =
  (step: StepDeclaration, other: StepDeclaration, report: Report) =>
  (view: Scope): Report =>
  () => {
    const earlier = view.circuit.steps.slice(0, view.circuit.steps.indexOf(other));
    const steps = new Map(earlier.map((one) => [one.name, one]));
    const own: unknown[] = [];
    for (const path of placesOf(other)) {
      const each = { key: view.hostName, value: view.host };
      resolveExpression(path, { ...view, steps, each }, (problem) => own.push(problem));
    }
    if (own.length > 0) return;
    report(
      errorDiagnostic(
        `Step "${step.name}" cannot know what step "${other.name}" puts there`,
        `Its path refers to a step that is not before "${step.name}", which ${possible(step, "purge") === undefined ? "sets what is in a directory" : "purges a directory"} and has to spare what other steps put into it. Move "${step.name}" behind the steps that the path refers to.`,
        { range: searchOf(step)! },
      ),
    );
  };
