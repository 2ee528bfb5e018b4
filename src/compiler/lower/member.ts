/**
 * @module Lowers a step or handler to a resource.
 */

import { type Diagnostic, errorDiagnostic } from "../../diagnostics/diagnostic.ts";
import type { Report } from "../../diagnostics/report.ts";
import type { Attribute, Block, Body, Expression } from "../../hcl/tree.ts";
import { checkSettings } from "../check/settings.ts";
import type {
  CircuitDeclaration,
  HandlerDeclaration,
  KindDeclaration,
  StepDeclaration,
} from "../declare/declaration.ts";
import { checkDrift } from "../declare/drift.ts";
import { firstHost, runOnLogin } from "../declare/run-on.ts";
import type { NormalisedHosts } from "../hosts/hosts.ts";
import { hostLogin, type LoginHost, loginBlock } from "../hosts/login.ts";
import type { CircuitSecrets } from "../hosts/secrets.ts";
import type { Resource, ResourceOrigin } from "../model.ts";
import { hostsLocalName, resourceName } from "../names.ts";
import { buildAt } from "./build.ts";
import { laterRemovals } from "./later-removals.ts";
import { managedPaths, type OtherCircuit } from "./managed-paths.ts";
import { resolveBody, resolveExpression } from "./resolve.ts";
import { forEachScope, hostScope, pairScope, type Scope } from "./scope.ts";
import { handlerCondition, triggerEntry } from "./triggers.ts";

export interface LoweringContext {
  readonly circuit: CircuitDeclaration;
  readonly hosts: NormalisedHosts;
  readonly facts: Scope["facts"];
  readonly secrets: CircuitSecrets;
  /** The other circuits of the configuration, with the facts that their steps may refer to. */
  readonly otherCircuits: () => readonly OtherCircuit[];
  readonly report: Report;
}

/** The position of a member in its circuit. */
export interface MemberPosition {
  /** Steps that come before it. */
  readonly earlier: readonly StepDeclaration[];
  /** Addresses of what it has to wait for. */
  readonly dependsOn: readonly string[];
}

const elsewhere = {
  ssh: "How the host is reached is set beside this block, not in it.",
  when: "Where the step applies is set beside this block, not in it.",
  drift: "What is somebody else's is set beside this block, not in it.",
  skipped: "Conn3x makes it.",
  applied: "Conn3x makes it.",
  managed: "The compiler writes it, from what the steps of the circuits put on the host.",
  removed_later: "The compiler writes it, from the packages that later steps remove.",
  id: "Conn3x makes it.",
  revision: "Conn3x makes it.",
};

/** @returns undefined when the step has no usable kind, which was reported */
export function lowerStep(
  step: StepDeclaration,
  position: MemberPosition,
  context: LoweringContext,
): Resource | undefined {
  const { kind, settings } = step;
  if (kind === undefined || settings === undefined) return undefined;
  const { circuit, hosts, report } = context;
  const setting = settingIn(context, `step "${step.name}"`, position);
  const scope = step.forEach === undefined ? hostScope(setting) : pairScope(setting);
  const written = withOnRemove(settings.body, step, kind, report);
  const body = checkSettings(written, kind.schema, { what: kind.name, block: settings, elsewhere }, report);
  const drift = step.drift && checkDrift(step.drift, kind, report);
  const host =
    step.runOn === undefined ? hostLogin(hosts, scope.host) : runOnLogin(step.runOn, hosts, scope, report);
  const resolved = resolveBody(withOwnSettings(body, step.when, drift), scope, report);
  const meaning = (written: Expression | undefined) => written && resolveExpression(written, scope, report);
  return {
    ...identity(circuit, step, kind, {
      role: "step",
      ownKeys: step.forEach !== undefined,
      runOnce: step.runOnce,
      runOn: meaning(step.runOn),
      retries: step.retries && {
        attempts: meaning(step.retries.attempts),
        interval: meaning(step.retries.interval),
      },
      ignoreErrors: meaning(step.ignoreErrors),
    }),
    forEach: instancesOf(step, setting, context),
    body: withLogin(withOthers(resolved, step, scope, context), step, host, scope, context),
    dependsOn: position.dependsOn,
    lifecycle: step.lifecycle === undefined ? undefined : resolveBody(step.lifecycle.body, scope, report),
  };
}

/** An argument about other steps: the paths that a purge spares, the packages that go later. */
function withOthers(body: Body, step: StepDeclaration, scope: Scope, context: LoweringContext): Body {
  const found = managedPaths(step, scope, context) ?? laterRemovals(step, scope, context.circuit);
  return found === undefined ? body : withAttribute(body, found);
}

/** The `for_each` of a step: its hosts, or its hosts and keys. */
function instancesOf(
  step: StepDeclaration,
  setting: ReturnType<typeof settingIn>,
  { circuit, report }: LoweringContext,
): Expression {
  const all = buildAt(step.nameRange).path("local", hostsLocalName(circuit.name));
  const hosts = step.runOnce ? firstHost(all) : all;
  if (step.forEach === undefined) return hosts;
  return pairs(hosts, resolveExpression(step.forEach, forEachScope(setting), report));
}

/** Settings outside of the kind's block that become arguments and blocks of the resource. */
function withOwnSettings(body: Body, when: Attribute | undefined, drift: Block | undefined): Body {
  return {
    ...body,
    items: [...(when === undefined ? [] : [when]), ...body.items, ...(drift === undefined ? [] : [drift])],
  };
}

/** @param notifying the steps that notify it, in their order */
export function lowerHandler(
  handler: HandlerDeclaration,
  notifying: readonly StepDeclaration[],
  position: MemberPosition,
  context: LoweringContext,
): Resource | undefined {
  const { kind, settings } = handler;
  if (kind === undefined || settings === undefined) return undefined;
  const { circuit, hosts, report } = context;
  const scope = hostScope(settingIn(context, `handler "${handler.name}"`, position));
  const advice = { ...elsewhere, triggers: "A handler is triggered by the steps that notify it." };
  const setting = { what: kind.name, block: settings, elsewhere: advice };
  const written = checkSettings(settings.body, kind.schema, setting, report);
  const build = buildAt(handler.nameRange);
  const triggers = build.attribute(
    "triggers",
    build.tuple(notifying.flatMap((step) => triggerEntry(circuit, step, handler) ?? [])),
  );
  const resolved = withAttribute(resolveBody(written, scope, report), triggers);
  const condition = handlerCondition(circuit, notifying, handler);
  const body = condition === undefined ? resolved : withFirst(resolved, build.attribute("when", condition));
  return {
    ...identity(circuit, handler, kind, { role: "handler", ownKeys: false }),
    forEach: build.path("local", hostsLocalName(circuit.name)),
    body: withLogin(body, handler, hostLogin(hosts, scope.host), scope, context),
    dependsOn: position.dependsOn,
    lifecycle: undefined,
  };
}

const settingIn = ({ circuit, facts }: LoweringContext, where: string, position: MemberPosition) => ({
  circuit,
  facts,
  where,
  steps: new Map(position.earlier.map((step) => [step.name, step])),
});

function identity(
  circuit: CircuitDeclaration,
  member: StepDeclaration | HandlerDeclaration,
  kind: KindDeclaration,
  origin: Omit<ResourceOrigin, "circuit" | "member" | "kind">,
) {
  const name = resourceName(circuit.name, member.name);
  return {
    type: kind.type,
    name,
    address: `${kind.type}.${name}`,
    count: undefined,
    origin: { circuit: circuit.name, member: member.name, kind: kind.name, ...origin },
    range: member.block.header,
  };
}

/** `HOST/KEY` → `{ host, key, value }`, for each host and key of the step's own `for_each`. */
function pairs(hosts: Expression, own: Expression): Expression {
  const build = buildAt(own);
  const perHost = build.forObject({
    keyName: "key",
    valueName: "value",
    collection: own,
    key: build.template(build.path("host", "name"), "/", build.path("key")),
    value: build.object({ host: build.path("host"), key: build.path("key"), value: build.path("value") }),
  });
  return build.spread("merge", build.forTuple({ valueName: "host", collection: hosts, value: perHost }));
}

/** The step's `on_remove` as an argument of the resource. */
function withOnRemove(body: Body, step: StepDeclaration, kind: KindDeclaration, report: Report): Body {
  const { onRemove } = step;
  if (onRemove === undefined) return body;
  if (!Object.hasOwn(kind.schema.attributes, onRemove.name)) {
    report(nothingToRemove(onRemove, kind));
    return body;
  }
  for (const item of body.items) {
    if (item.kind !== "attribute" || item.name !== onRemove.name) continue;
    report(givenTwice(item));
    return body;
  }
  return withAttribute(body, onRemove);
}

const withFirst = (body: Body, attribute: Attribute): Body => ({
  ...body,
  items: [attribute, ...body.items],
});

/** The attribute goes after the others and before the blocks. */
function withAttribute(body: Body, attribute: Attribute): Body {
  const last = body.items.findLastIndex((item) => item.kind === "attribute");
  return { ...body, items: body.items.toSpliced(last + 1, 0, attribute) };
}

function withLogin(
  body: Body,
  member: StepDeclaration | HandlerDeclaration,
  host: LoginHost,
  scope: Scope,
  { circuit, secrets, report }: LoweringContext,
): Body {
  const origin = member.ssh?.range ?? circuit.ssh?.range ?? member.nameRange;
  const sources = { member: member.ssh, host, circuit: circuit.ssh };
  const placement = secrets.placement(member, scope, buildAt(origin));
  const login: Block = loginBlock(sources, placement, scope, origin, report);
  return { ...body, items: [...body.items, login] };
}

const nothingToRemove = (onRemove: Attribute, kind: KindDeclaration): Diagnostic =>
  errorDiagnostic(
    `"on_remove" means nothing for "${kind.name}"`,
    "Removing a step of this kind changes nothing on the host. Remove the argument.",
    { range: onRemove.nameRange },
  );

const givenTwice = (second: Attribute): Diagnostic =>
  errorDiagnostic('"on_remove" is given twice', "It is set in the step already. Remove it here.", {
    range: second.nameRange,
  });
