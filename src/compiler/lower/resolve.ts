/**
 * @module Replaces `host`, `each`, `step` and `handler` in a step or handler by expressions of plain OpenTofu.
 */

import { type Diagnostic, errorDiagnostic } from "../../diagnostics/diagnostic.ts";
import { suggestion } from "../../diagnostics/nearest.ts";
import type { Report } from "../../diagnostics/report.ts";
import type { SourceRange } from "../../diagnostics/source.ts";
import type { AttributeAccess, Body, Expression, IndexAccess } from "../../hcl/tree.ts";
import { wrongKey } from "../check/step-keys.ts";
import type { StepDeclaration } from "../declare/declaration.ts";
import { literalString } from "../hosts/literal.ts";
import { mayHave } from "../source/gaps.ts";
import { type Builder, buildAt } from "./build.ts";
import { type Replace, rewriteBody, rewriteExpression } from "./rewrite.ts";
import type { Meaningless, Scope } from "./scope.ts";
import { instancesOnHost, instanceWithKey } from "./step-instances.ts";

/** Attributes of `host` in the language. The compiled value of a host also has login settings. */
const hostAttributes: readonly string[] = ["name", "address", "port", "vars", "groups", "facts"];

export const resolveExpression = (expression: Expression, scope: Scope, report: Report): Expression =>
  rewriteExpression(expression, resolver(scope, report));

export const resolveBody = (body: Body, scope: Scope, report: Report): Body =>
  rewriteBody(body, (expression) => resolveExpression(expression, scope, report));

function resolver(scope: Scope, report: Report): Replace {
  const replace: Replace = (node, hidden) => {
    const root = rootOf(node);
    if (root === undefined || hidden.has(root.name)) return undefined;
    const resolved = resolve(node, scope, report, (inner) => rewriteExpression(inner, replace, hidden));
    if (resolved !== undefined && hidden.has(scope.carrier)) report(hiddenCarrier(root, scope.carrier));
    return resolved;
  };
  return replace;
}

/** The root name if the node has one of the forms that are resolved: `x`, `x.a`, `x.a[key]`, `x.a.b`. */
function rootOf(node: Expression): { readonly name: string; readonly range: SourceRange } | undefined {
  const inner =
    node.kind === "index" ? node.collection : node.kind === "attributeAccess" ? node.object : node;
  const root = inner.kind === "attributeAccess" && inner !== node ? inner.object : inner;
  return root.kind === "variable" ? { name: root.name, range: root } : undefined;
}

function resolve(
  node: Expression,
  scope: Scope,
  report: Report,
  inside: (expression: Expression) => Expression,
): Expression | undefined {
  const build = buildAt(node);
  if (node.kind === "variable") return resolveRoot(node.name, node, scope, build, report);
  if (node.kind !== "attributeAccess" && node.kind !== "index") return undefined;
  const object = node.kind === "index" ? node.collection : node.object;
  if (object.kind === "variable" && node.kind === "attributeAccess") {
    return resolveAttribute(object.name, node, scope, build, report);
  }
  return resolveOwnKey(object, node, scope, build, inside, report);
}

function resolveRoot(
  name: string,
  range: SourceRange,
  scope: Scope,
  build: Builder,
  report: Report,
): Expression | undefined {
  if (name === "host") return scope.host(build);
  if (name === "step") {
    report(errorDiagnostic('"step" alone means nothing', "Name one: step.config.", { range }));
    return build.broken();
  }
  if (name === "handler" || name === "circuit") {
    report(misplaced(name, range));
    return build.broken();
  }
  return undefined;
}

function resolveAttribute(
  root: string,
  node: AttributeAccess,
  scope: Scope,
  build: Builder,
  report: Report,
): Expression | undefined {
  switch (root) {
    case "each":
      return resolveEach(node, scope, build, report);
    case "host":
      return resolveHost(node, scope, build, report);
    case "step": {
      const step = earlierStep(node, scope, report);
      return step === undefined ? build.broken() : instancesOnHost(step, scope, build);
    }
    case "handler":
    case "circuit":
      report(misplaced(root, node));
      return build.broken();
    default:
      return undefined;
  }
}

function resolveEach(
  node: AttributeAccess,
  scope: Scope,
  build: Builder,
  report: Report,
): Expression | undefined {
  if ("summary" in scope.each) return meaningless(scope.each, node, build, report);
  return node.name === "key" || node.name === "value" ? scope.each[node.name](build) : undefined;
}

function resolveHost(node: AttributeAccess, scope: Scope, build: Builder, report: Report): Expression {
  if (node.name === "name") return scope.hostName(build);
  if (node.name === "facts") {
    return "summary" in scope.facts
      ? meaningless(scope.facts, node, build, report)
      : build.index(scope.facts(build), scope.hostName(build));
  }
  if (node.name === "groups") return groupsOf(scope.host(build), build);
  if (hostAttributes.includes(node.name)) return build.attributeOf(scope.host(build), node.name);
  report(
    errorDiagnostic(
      `Unknown attribute "${node.name}" of host`,
      `A host has no such attribute. ${suggestion(node.name, hostAttributes)} What else is known of it goes into its vars.`,
      { range: node.nameRange },
    ),
  );
  return build.broken();
}

/** Hosts of which none has groups have no such attribute. */
const groupsOf = (host: Expression, build: Builder): Expression =>
  build.call("try", build.attributeOf(host, "groups"), build.tuple([]));

function meaningless(
  { summary, detail }: Meaningless,
  range: SourceRange,
  build: Builder,
  report: Report,
): Expression {
  report(errorDiagnostic(summary, detail, { range }));
  return build.broken();
}

/** One instance of a step with keys of its own: `step.tools["curl"]` or `step.tools.curl`. */
function resolveOwnKey(
  object: Expression,
  node: AttributeAccess | IndexAccess,
  scope: Scope,
  build: Builder,
  inside: (expression: Expression) => Expression,
  report: Report,
): Expression | undefined {
  if (
    object.kind !== "attributeAccess" ||
    object.object.kind !== "variable" ||
    object.object.name !== "step"
  ) {
    return undefined;
  }
  const step = scope.steps.get(object.name);
  if (step?.kind === undefined) return undefined;
  const problem = wrongKey(step, node);
  if (problem !== undefined) {
    report(problem);
    return build.broken();
  }
  if (step.forEach === undefined) return undefined;
  const key = node.kind === "attributeAccess" ? node.name : (literalString(node.key) ?? inside(node.key));
  return instanceWithKey(step, key, scope, build);
}

function earlierStep(node: AttributeAccess, scope: Scope, report: Report): StepDeclaration | undefined {
  const found = scope.steps.get(node.name);
  if (found !== undefined) return found;
  const exists = scope.circuit.steps.some((step) => step.name === node.name);
  const range = node.nameRange;
  if (!exists && mayHave(scope.circuit, "step", node.name)) return undefined;
  if (!exists) {
    report(
      errorDiagnostic(
        `Unknown step "${node.name}"`,
        `Circuit "${scope.circuit.name}" has no step of that name. ${suggestion(node.name, [...scope.steps.keys()])}`,
        { range },
      ),
    );
  } else if (scope.where === `step "${node.name}"`) {
    report(
      errorDiagnostic(`Step "${node.name}" refers to itself`, "A step may refer to earlier steps only.", {
        range,
      }),
    );
  } else {
    report(
      errorDiagnostic(
        `Step "${node.name}" comes later`,
        `${scope.where.replace(/^\w/, (first) => first.toUpperCase())} may refer to earlier steps only. Move the step "${node.name}" before it.`,
        { range },
      ),
    );
  }
  return undefined;
}

const misplaced = (root: "handler" | "circuit", range: SourceRange): Diagnostic =>
  root === "handler"
    ? errorDiagnostic(
        '"handler" is only for notify',
        "A handler has no values to refer to. Write notify = [handler.reload] in the step.",
        { range },
      )
    : errorDiagnostic(
        '"circuit" is only for depends_on',
        "A circuit has no values to refer to. Refer to one of its resources: conn3x_file.web__config[host.name].",
        { range },
      );

const hiddenCarrier = (
  root: { readonly name: string; readonly range: SourceRange },
  carrier: string,
): Diagnostic =>
  errorDiagnostic(
    `"${root.name}" cannot be used here`,
    `A for expression around it has a variable named "${carrier}", which hides what it is made of. Rename that variable.`,
    { range: root.range },
  );
