/**
 * @module Lowers a circuit to a local value with its hosts, and to a resource for each step and handler, in order.
 */

import { errorDiagnostic, warningDiagnostic } from "../../diagnostics/diagnostic.ts";
import { suggestion } from "../../diagnostics/nearest.ts";
import { quoted } from "../../diagnostics/quoted.ts";
import type { Report } from "../../diagnostics/report.ts";
import { isBroken } from "../../hcl/parse/broken.ts";
import type { Expression } from "../../hcl/tree.ts";
import { checkNoLists } from "../check/lists.ts";
import { checkNotSensitive } from "../check/sensitive-hosts.ts";
import { checkMoves } from "../declare/circuit-moves.ts";
import type {
  CircuitDeclaration,
  HandlerDeclaration,
  KindRegistry,
  SshDeclaration,
  StepDeclaration,
} from "../declare/declaration.ts";
import { checkHostsScope, normaliseHosts } from "../hosts/hosts.ts";
import { checkCircuitLogin } from "../hosts/login.ts";
import { planSecrets } from "../hosts/secrets.ts";
import { type NamedValues, shapeOf } from "../hosts/shapes.ts";
import type { Circuit, CircuitMember, NamedExpression, Resource } from "../model.ts";
import { hostsLocalName } from "../names.ts";
import { mayHave, mayHaveOthers } from "../source/gaps.ts";
import { buildAt } from "./build.ts";
import { type Circuits, circuitDependencies, outsideItems, stepDependencies } from "./dependencies.ts";
import { declareFacts, lowerFacts } from "./facts.ts";
import { type LoweringContext, lowerHandler, lowerStep } from "./member.ts";
import { lowerMoves } from "./moves.ts";
import { hostScope } from "./scope.ts";

export interface LoweredCircuit {
  readonly circuit: Circuit;
  /** The local value of its hosts. */
  readonly hosts: NamedExpression;
  readonly resources: readonly Resource[];
  /** Expressions for the provider's `circuit_logins`: each gives a map of entries. */
  readonly logins: readonly Expression[];
}

/** What compiling a circuit needs from the rest of the configuration. */
export interface CircuitSurroundings {
  readonly circuits: Circuits;
  readonly kinds: KindRegistry;
  readonly values: NamedValues;
  /** Whether another configuration calls this one. */
  readonly isModule: boolean;
}

export function lowerCircuit(
  declared: CircuitDeclaration,
  { circuits, kinds, values, isModule }: CircuitSurroundings,
  report: Report,
): LoweredCircuit {
  const circuit = withLoginShapes(declared, values);
  const expression = circuit.hosts ?? buildAt(circuit.nameRange).broken();
  checkHostsScope(expression, report);
  const isUsable = checkNotSensitive(expression, values, report);
  checkNoLists(circuit, values, report);
  const hosts = normaliseHosts(isUsable ? expression : buildAt(expression).broken(), values, report);
  const facts = declareFacts(circuit, kinds);
  const secrets = planSecrets({ circuit, hosts, locals: values.locals, isModule, report });
  const otherCircuits = () =>
    [...circuits.values()]
      .filter(({ name }) => name !== declared.name)
      .map((other) => ({ circuit: other, facts: declareFacts(other, kinds).meaning }));
  const context: LoweringContext = { circuit, hosts, facts: facts.meaning, secrets, otherCircuits, report };
  const whole = hostScope({ circuit, where: "the circuit", steps: new Map(), facts: facts.meaning });
  checkCircuitLogin(circuit.ssh, secrets.placement(undefined, whole, buildAt(expression)), whole, report);
  checkNotifications(circuit, report);
  const moves = checkMoves(circuit, circuits, report);
  const before = circuitDependencies(circuit, circuits, report);
  const gathered = facts.range === undefined ? undefined : lowerFacts(facts.range, before, context);
  const first = gathered === undefined ? before : [gathered.address];
  const steps = lowerSteps(context, first, circuits);
  const handlers = lowerHandlers(context, steps.at(-1)?.address, first);
  const resources = [...(gathered === undefined ? [] : [gathered]), ...steps, ...handlers];
  return {
    circuit: {
      name: circuit.name,
      range: circuit.block.header,
      hosts: expression,
      steps: steps.map((resource) => memberOf(resource)),
      handlers: handlers.map((resource) => memberOf(resource)),
      facts: gathered?.address,
      moved: lowerMoves(moves, circuit, resources),
      ...circuit.fleet,
    },
    hosts: { name: hostsLocalName(circuit.name), expression: hosts.expression, range: expression },
    logins: secrets.entries,
    resources: withCircuitRanges(resources, outsideItems(circuit.dependsOn)),
  };
}

/** The first waits for what the circuit waits for. */
const withCircuitRanges = (
  [first, ...others]: readonly Resource[],
  ranges: NonNullable<Resource["dependsOnRanges"]>,
): readonly Resource[] =>
  first === undefined
    ? []
    : [{ ...first, dependsOnRanges: new Map([...ranges, ...(first.dependsOnRanges ?? [])]) }, ...others];

/** For logins that are objects: the settings that these may have. */
function withLoginShapes(circuit: CircuitDeclaration, values: NamedValues): CircuitDeclaration {
  const shaped = <D extends { readonly ssh: SshDeclaration | undefined }>(one: D): D => {
    if (one.ssh?.form !== "object") return one;
    return { ...one, ssh: { ...one.ssh, attributes: shapeOf(one.ssh.object, values)?.attributes } };
  };
  return {
    ...shaped(circuit),
    steps: circuit.steps.map(shaped),
    handlers: circuit.handlers.map(shaped),
  };
}

/** Each step waits for the one before it (C8), the first for what the circuit waits for. */
function lowerSteps(
  context: LoweringContext,
  first: readonly string[],
  circuits: Circuits,
): readonly Resource[] {
  const { circuit, report } = context;
  const resources: Resource[] = [];
  circuit.steps.forEach((step, index) => {
    const earlier = circuit.steps.slice(0, index);
    const before = resources.at(-1);
    const own = stepDependencies(step, earlier, circuit, circuits, report);
    const dependsOn = [...new Set([...(before === undefined ? first : [before.address]), ...own])];
    const resource = lowerStep(step, { earlier, dependsOn }, context);
    const dependsOnRanges = outsideItems(step.dependsOn);
    if (resource !== undefined) resources.push({ ...resource, dependsOnRanges });
  });
  return resources;
}

/** Each handler waits for the last step and for the handler before it. */
function lowerHandlers(
  context: LoweringContext,
  lastStep: string | undefined,
  first: readonly string[],
): readonly Resource[] {
  const { circuit } = context;
  const resources: Resource[] = [];
  for (const handler of circuit.handlers) {
    const before = resources.at(-1);
    const dependsOn = [
      ...(lastStep === undefined ? (before === undefined ? first : []) : [lastStep]),
      ...(before === undefined ? [] : [before.address]),
    ];
    const notifying = circuit.steps.filter((step) => notifies(step, handler));
    const resource = lowerHandler(handler, notifying, { earlier: circuit.steps, dependsOn }, context);
    if (resource !== undefined) resources.push(resource);
  }
  return resources;
}

const notifies = (step: StepDeclaration, handler: HandlerDeclaration): boolean =>
  step.notify.some((notification) => notification.handler === handler.name);

function memberOf(resource: Resource): CircuitMember {
  const origin = resource.origin!;
  return { name: origin.member, kind: origin.kind, resource: resource.address, range: resource.range };
}

/** Whether a syntax error may hide some of the handlers that it notifies. */
const mayNotify = ({ block }: StepDeclaration): boolean =>
  block.body.gaps !== undefined ||
  block.body.items.some(
    (item) => item.kind === "attribute" && item.name === "notify" && isBroken(item.expression),
  );

/** Reports notified handlers that do not exist, and handlers that nothing notifies. */
function checkNotifications(circuit: CircuitDeclaration, report: Report): void {
  const names = circuit.handlers.map((handler) => handler.name);
  const unknown = circuit.steps.flatMap((step) =>
    step.notify.filter(({ handler }) => !names.includes(handler)),
  );
  for (const { handler, range } of unknown) {
    if (mayHave(circuit, "handler", handler)) continue;
    report(
      errorDiagnostic(
        `Unknown handler ${quoted(handler)}`,
        `Circuit "${circuit.name}" has no handler of that name. ${suggestion(handler, names)}`,
        { range },
      ),
    );
  }
  const known = circuit.steps.flatMap((step) => step.notify.filter(({ handler }) => names.includes(handler)));
  for (const { handler, again } of known) {
    for (const range of again) {
      report(
        warningDiagnostic(`Handler "${handler}" is notified twice`, "Once is enough: it runs once.", {
          range,
        }),
      );
    }
  }
  // A misspelt name is one mistake, not two.
  if (unknown.length > 0 || mayHaveOthers(circuit) || circuit.steps.some(mayNotify)) return;
  for (const handler of circuit.handlers) {
    if (circuit.steps.some((step) => notifies(step, handler))) continue;
    report(
      warningDiagnostic(
        `Nothing notifies handler "${handler.name}"`,
        `It runs once, when it is first applied, and never again. Add notify = [handler.${handler.name}] to the steps that need it, or remove it.`,
        { range: handler.nameRange },
      ),
    );
  }
}
