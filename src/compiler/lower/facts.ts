/**
 * @module `host.facts`: one resource for each circuit some member of which asks what is found on its hosts.
 */
import type { SourceRange } from "../../diagnostics/source.ts";
import type { Expression } from "../../hcl/tree.ts";
import type { CircuitDeclaration, KindRegistry } from "../declare/declaration.ts";
import { hostLogin, loginBlock } from "../hosts/login.ts";
import type { Resource } from "../model.ts";
import { hostsLocalName, resourceName, factsType as type } from "../names.ts";
import { type Builder, buildAt } from "./build.ts";
import { expressionsIn } from "./expressions.ts";
import type { LoweringContext } from "./member.ts";
import { visitExpression } from "./rewrite.ts";
import { hostScope, type Scope } from "./scope.ts";

/** Replaces a step's name. */
const member = "facts";

export interface FactsDeclaration {
  /** The first use; undefined when facts are not used. */
  readonly range: SourceRange | undefined;
  readonly meaning: Scope["facts"];
}

export function declareFacts(circuit: CircuitDeclaration, kinds: KindRegistry): FactsDeclaration {
  if (!kinds.has(type)) {
    return {
      range: undefined,
      meaning: {
        summary: '"host.facts" is not supported by this version',
        detail: "It belongs to the language, but there is no kind of resource here that finds facts.",
      },
    };
  }
  return {
    range: firstUse(circuit),
    meaning: (build: Builder) => build.path(type, resourceName(circuit.name, member)),
  };
}

/** Read before the first step: facts are about the host as it was found. */
export function lowerFacts(
  range: SourceRange,
  dependsOn: readonly string[],
  { circuit, hosts, facts, secrets }: LoweringContext,
): Resource {
  const build = buildAt(range);
  const name = resourceName(circuit.name, member);
  const scope = hostScope({ circuit, where: "the circuit", steps: new Map(), facts });
  const sources = { member: undefined, host: hostLogin(hosts, scope.host), circuit: circuit.ssh };
  const placement = secrets.placement(undefined, scope, build);
  const login = loginBlock(sources, placement, scope, circuit.ssh?.range ?? range, () => undefined);
  return {
    type,
    name,
    address: `${type}.${name}`,
    forEach: build.path("local", hostsLocalName(circuit.name)),
    count: undefined,
    body: build.body([login]),
    dependsOn,
    lifecycle: undefined,
    origin: { circuit: circuit.name, member, role: "step", kind: "facts", ownKeys: false },
    range,
  };
}

function firstUse({ steps, handlers }: CircuitDeclaration): SourceRange | undefined {
  for (const { block } of [...steps, ...handlers]) {
    for (const expression of expressionsIn(block.body)) {
      const found = useIn(expression);
      if (found !== undefined) return found;
    }
  }
  return undefined;
}

function useIn(expression: Expression): SourceRange | undefined {
  let found: SourceRange | undefined;
  visitExpression(expression, (node, hidden) => {
    if (found !== undefined || node.kind !== "attributeAccess" || node.name !== "facts") return;
    if (node.object.kind === "variable" && node.object.name === "host" && !hidden.has("host")) found = node;
  });
  return found;
}
