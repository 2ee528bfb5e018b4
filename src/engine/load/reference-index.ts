/**
 * @module Which resources expressions refer to, directly or through locals.
 */
import type { Configuration } from "../../compiler/model.ts";
import { errorDiagnostic } from "../../diagnostics/diagnostic.ts";
import { references } from "../../eval/references.ts";
import type { Expression } from "../../hcl/tree.ts";
import { dependencyOrder, transitive } from "../graph/order.ts";
import { hostPartRoot } from "./host-part.ts";
import type { Problems } from "./problems.ts";

export interface ReferenceIndex {
  /** Names of locals that refer to no resource, directly or not. */
  readonly fixedLocals: ReadonlySet<string>;
  /** Addresses of the configuration's resources that the expressions refer to. */
  resourcesOf(expressions: readonly Expression[]): readonly string[];
}

/** Reports locals that depend on each other in a cycle. */
export function referenceIndex(configuration: Configuration, problems: Problems): ReferenceIndex {
  const addresses = new Set(configuration.resources.map(({ address }) => address));
  const direct = new Map<string, readonly string[]>();
  const uses = new Map<string, ReadonlySet<string>>();
  for (const { name, expression } of configuration.locals.values()) {
    const { locals, resources } = split(expression, addresses);
    direct.set(name, locals);
    uses.set(name, new Set(resources));
  }
  const { cycle } = dependencyOrder(direct);
  if (cycle !== undefined) reportCycle(cycle, configuration, problems);
  const all = transitive(direct);
  const resourcesOfLocal = new Map<string, ReadonlySet<string>>();
  for (const [name, own] of uses) {
    const others = [...(all.get(name) ?? [])].flatMap((other) => [...uses.get(other)!]);
    resourcesOfLocal.set(name, new Set([...own, ...others]));
  }
  return {
    fixedLocals: new Set([...uses.keys()].filter((name) => resourcesOfLocal.get(name)!.size === 0)),
    resourcesOf(expressions) {
      const found = new Set<string>();
      for (const expression of expressions) {
        const { locals, resources } = split(expression, addresses);
        for (const resource of resources) found.add(resource);
        for (const local of locals)
          for (const resource of resourcesOfLocal.get(local) ?? []) found.add(resource);
      }
      return [...found];
    },
  };
}

function split(expression: Expression, addresses: ReadonlySet<string>) {
  const locals: string[] = [];
  const resources: string[] = [];
  for (const { root, steps } of references(expression)) {
    const [step] = steps;
    if (step === undefined || "index" in step) continue;
    const name = "attribute" in step ? step.attribute : step.key;
    if (root === hostPartRoot) resources.push(name);
    else if (root === "local") locals.push(name);
    else if (addresses.has(`${root}.${name}`)) resources.push(`${root}.${name}`);
  }
  return { locals, resources };
}

function reportCycle(cycle: readonly string[], { locals }: Configuration, problems: Problems): void {
  const names = [...cycle, cycle[0]!].map((name) => `local.${name}`);
  const { range } = locals.get(cycle[0]!)!;
  problems.report(
    errorDiagnostic(
      "Locals refer to each other in a cycle",
      `${names.join(" → ")}: each needs the next one first.`,
      { range },
    ),
  );
}
