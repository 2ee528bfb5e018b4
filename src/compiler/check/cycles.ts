/**
 * @module Cycles among resources and local values.
 */
import { type Diagnostic, errorDiagnostic } from "../../diagnostics/diagnostic.ts";
import type { SourceRange } from "../../diagnostics/source.ts";
import type { Expression } from "../../hcl/tree.ts";
import { expressionsOf } from "../lower/expressions.ts";
import { visitExpression } from "../lower/rewrite.ts";
import type { NamedExpression, Resource } from "../model.ts";

/** What one node depends on, and where that is written. */
interface Edge {
  readonly to: string;
  readonly range: SourceRange;
  /** Where the dependency comes from: an element of a `depends_on`, an expression, or the order of steps. */
  readonly source: "depends_on" | "expression" | "order";
}

type Graph = ReadonlyMap<string, readonly Edge[]>;

export interface Cycles {
  /** One error for each cycle: it points to a reference in it and names all members. */
  readonly diagnostics: readonly Diagnostic[];
  /** Members of a cycle: `conn3x_file.web__a`, `local.x`. */
  readonly members: ReadonlySet<string>;
}

export function findCycles(resources: readonly Resource[], locals: Iterable<NamedExpression>): Cycles {
  const graph = graphOf(resources, locals);
  const diagnostics: Diagnostic[] = [];
  const members = new Set<string>();
  const done = new Set<string>();
  for (const root of graph.keys()) {
    if (done.has(root)) continue;
    // No recursion: a chain of local values may be longer than the stack.
    const trail: Visit[] = [];
    const depths = new Map<string, number>();
    const enter = (node: string): void => {
      depths.set(node, trail.length);
      trail.push({ node, edges: graph.get(node)!, next: 0 });
    };
    enter(root);
    for (let visit = trail.at(-1); visit !== undefined; visit = trail.at(-1)) {
      const edge = visit.edges[visit.next++];
      if (edge === undefined) {
        trail.pop();
        depths.delete(visit.node);
        done.add(visit.node);
        continue;
      }
      const depth = depths.get(edge.to);
      if (depth !== undefined) {
        const circle = trail.slice(depth);
        const nodes = circle.map(({ node }) => node);
        const taken = circle.map(({ edges, next }) => edges[next - 1]!);
        diagnostics.push(cycleError(nodes, taken));
        for (const node of nodes) members.add(node);
      } else if (!done.has(edge.to)) enter(edge.to);
    }
  }
  return { diagnostics, members };
}

/** A node that is being visited, and the index of its next dependency. */
interface Visit {
  readonly node: string;
  readonly edges: readonly Edge[];
  next: number;
}

/** What an error points to, best first: a `depends_on` has no other purpose than to order. */
const sources: readonly Edge["source"][] = ["depends_on", "expression", "order"];

function cycleError(nodes: readonly string[], edges: readonly Edge[]): Diagnostic {
  const { range } = sources.flatMap((source) => edges.find((edge) => edge.source === source) ?? [])[0]!;
  return nodes.length === 1
    ? errorDiagnostic(`${nodes[0]} refers to itself`, "It cannot be known before it is known.", { range })
    : errorDiagnostic(
        "These need each other in a circle",
        `${[...nodes, nodes[0]].join(" needs ")}. A step needs the step before it; remove one of the other references.`,
        { range },
      );
}

function graphOf(resources: readonly Resource[], locals: Iterable<NamedExpression>): Graph {
  const parts = new Map<string, readonly Expression[]>();
  for (const resource of resources) parts.set(resource.address, expressionsOf(resource));
  for (const local of locals) parts.set(`local.${local.name}`, [local.expression]);
  const graph = new Map<string, readonly Edge[]>();
  for (const [node, expressions] of parts) {
    graph.set(
      node,
      expressions.flatMap((expression) => references(expression, parts)),
    );
  }
  for (const { address, dependsOn, dependsOnRanges, range } of resources) {
    const ordered = dependsOn
      .filter((to) => parts.has(to))
      .map((to): Edge => {
        const item = dependsOnRanges?.get(to);
        return { to, range: item ?? range, source: item === undefined ? "order" : "depends_on" };
      });
    graph.set(address, [...graph.get(address)!, ...ordered]);
  }
  return graph;
}

function references(expression: Expression, known: ReadonlyMap<string, unknown>): readonly Edge[] {
  const found: Edge[] = [];
  visitExpression(expression, (node, hidden) => {
    if (node.kind !== "attributeAccess" || node.object.kind !== "variable") return;
    const to = `${node.object.name}.${node.name}`;
    if (known.has(to) && !hidden.has(node.object.name)) found.push({ to, range: node, source: "expression" });
  });
  return found;
}
