/**
 * @module A step or handler → the resource it becomes.
 */
import { type Diagnostic, errorDiagnostic } from "../diagnostics/diagnostic.ts";
import type { Attribute, Block, Body, Expression } from "../hcl/tree.ts";
import { buildAt } from "./build.ts";
import { checkSettings } from "./check-settings.ts";
import type {
  CircuitDeclaration,
  HandlerDeclaration,
  KindDeclaration,
  StepDeclaration,
} from "./declaration.ts";
import type { NormalisedHosts } from "./hosts.ts";
import { loginBlock } from "./login.ts";
import type { Resource } from "./model.ts";
import { hostsLocalName, resourceName } from "./names.ts";
import type { Report } from "./report.ts";
import { forEachScope, hostScope, pairScope, resolveBody, resolveExpression, type Scope } from "./scope.ts";
import { triggerEntry } from "./triggers.ts";

export interface LoweringContext {
  readonly circuit: CircuitDeclaration;
  readonly hosts: NormalisedHosts;
  readonly report: Report;
}

/** Where in its circuit a member stands. */
export interface MemberPosition {
  /** Steps that come before it. */
  readonly earlier: readonly StepDeclaration[];
  /** Addresses of what it has to wait for. */
  readonly dependsOn: readonly string[];
}

const elsewhere = {
  ssh: "How the host is reached is set beside this block, not in it.",
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
  const { circuit, report } = context;
  const place = placeIn(circuit, `step "${step.name}"`, position);
  const scope = step.forEach === undefined ? hostScope(place) : pairScope(place);
  const body = withOnRemove(settings.body, step, kind, report);
  checkSettings(body, kind.schema, { what: kind.name, block: settings, elsewhere }, report);
  const hosts = buildAt(step.nameRange).path("local", hostsLocalName(circuit.name));
  return {
    ...identity(circuit, step, kind, "step"),
    forEach:
      step.forEach === undefined
        ? hosts
        : pairs(hosts, resolveExpression(step.forEach, forEachScope(place), report)),
    body: withLogin(resolveBody(body, scope, report), step, scope, context),
    dependsOn: position.dependsOn,
    lifecycle: step.lifecycle === undefined ? undefined : resolveBody(step.lifecycle.body, scope, report),
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
  const { circuit, report } = context;
  const scope = hostScope(placeIn(circuit, `handler "${handler.name}"`, position));
  const advice = { ...elsewhere, triggers: "A handler is triggered by the steps that notify it." };
  checkSettings(settings.body, kind.schema, { what: kind.name, block: settings, elsewhere: advice }, report);
  const build = buildAt(handler.nameRange);
  const triggers = build.attribute(
    "triggers",
    build.tuple(notifying.flatMap((step) => triggerEntry(circuit.name, step, handler) ?? [])),
  );
  const resolved = resolveBody(settings.body, scope, report);
  return {
    ...identity(circuit, handler, kind, "handler"),
    forEach: build.path("local", hostsLocalName(circuit.name)),
    body: withLogin(withAttribute(resolved, triggers), handler, scope, context),
    dependsOn: position.dependsOn,
    lifecycle: undefined,
  };
}

const placeIn = (circuit: CircuitDeclaration, where: string, position: MemberPosition) => ({
  circuit,
  where,
  steps: new Map(position.earlier.map((step) => [step.name, step])),
});

function identity(
  circuit: CircuitDeclaration,
  member: StepDeclaration | HandlerDeclaration,
  kind: KindDeclaration,
  role: "step" | "handler",
) {
  const name = resourceName(circuit.name, member.name);
  const ownKeys = "forEach" in member && member.forEach !== undefined;
  return {
    type: kind.type,
    name,
    address: `${kind.type}.${name}`,
    count: undefined,
    origin: { circuit: circuit.name, member: member.name, role, kind: kind.name, ownKeys },
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

/** The step's `on_remove` is an argument of the resource. */
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

/** The attribute goes after the others and before the blocks. */
function withAttribute(body: Body, attribute: Attribute): Body {
  const last = body.items.findLastIndex((item) => item.kind === "attribute");
  return { ...body, items: body.items.toSpliced(last + 1, 0, attribute) };
}

function withLogin(
  body: Body,
  member: StepDeclaration | HandlerDeclaration,
  scope: Scope,
  { circuit, hosts, report }: LoweringContext,
): Body {
  const origin = member.ssh?.range ?? circuit.ssh?.range ?? member.nameRange;
  const login: Block = loginBlock({ member: member.ssh, hosts, circuit: circuit.ssh }, scope, origin, report);
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
