/**
 * @module Configuration files → {@link Configuration}: everything that can be known without a host, a state or the
 * network. Pure.
 */

import { type Diagnostic, errorDiagnostic, hasErrors } from "../diagnostics/diagnostic.ts";
import { inFileOrder } from "../diagnostics/file-order.ts";
import { quoted } from "../diagnostics/quoted.ts";
import type { SourceFile, SourceRange } from "../diagnostics/source.ts";
import { touching } from "../diagnostics/touching.ts";
import { buildAt } from "./build.ts";
import { checkMoved } from "./check-moved.ts";
import { withoutCycles } from "./circuit-cycles.ts";
import { type Cycles, findCycles } from "./cycles.ts";
import type { CircuitDeclaration, KindRegistry } from "./declaration.ts";
import { declareAll } from "./declare-all.ts";
import { unknownCircuit } from "./dependencies.ts";
import { gapsIn } from "./gaps.ts";
import { findMistakenReferences } from "./instance-references.ts";
import { placeOf, withoutRepeats } from "./labels.ts";
import { type CircuitSurroundings, type LoweredCircuit, lowerCircuit } from "./lower-circuit.ts";
import type { Backend, Configuration, NamedExpression } from "./model.ts";
import { findMissingOutputs } from "./module-references.ts";
import type { ParsedSources } from "./parse-sources.ts";
import { circuitLogins, withCircuitLogins } from "./provider-logins.ts";
import { allExpressions, findUndeclared, findUndeclaredWaits } from "./references.ts";
import type { Report } from "./report.ts";

export interface CompileOptions {
  /** The directory as the user named it. */
  readonly directory: string;
  readonly kinds: KindRegistry;
  /** What was found wrong before: unreadable files, hand-edited outputs. */
  readonly diagnostics?: readonly Diagnostic[];
  /** Whether a file could not be read. */
  readonly incomplete?: boolean;
  /** Configurations of the local modules that it calls, by `source` as written. */
  readonly modules?: ReadonlyMap<string, Configuration>;
  /** Whether another configuration calls it, and so no provider can be configured in it. */
  readonly isModule?: boolean;
}

/** OpenTofu has it from one block, and calls two an error. */
function onlyBackend([first, second]: readonly Backend[], report: Report): Backend | undefined {
  if (second !== undefined)
    report(
      errorDiagnostic("There are two backends", "A configuration has one place for its state.", {
        range: second.range,
      }),
    );
  return first;
}

/** @param parsed files in the order in which their blocks count; outputs of ours are not among them */
export function compileSources(parsed: ParsedSources, options: CompileOptions): Configuration {
  const { sources } = parsed;
  const { kinds } = options;
  const files = sources.map((source) => source.file);
  const diagnostics: Diagnostic[] = [...(options.diagnostics ?? []), ...parsed.diagnostics];
  const incomplete = options.incomplete === true || parsed.unclear.size > 0;
  const modules = options.modules ?? new Map();
  const gaps = [
    ...sources.flatMap(({ body }) => gapsIn(body)),
    ...[...modules.values()].flatMap((module) => module.gaps ?? []),
  ];
  const report: Report =
    incomplete || hasErrors(parsed.diagnostics)
      ? ofUnderstood(parsed, gaps, (diagnostic) => void diagnostics.push(diagnostic))
      : (diagnostic) => void diagnostics.push(diagnostic);
  const found = declareAll(sources, { kinds, modules, report });
  const { lost } = found;
  if (incomplete) lost.blocks.add("anything");
  const circuits = compileCircuits(
    found.circuits,
    {
      kinds,
      values: {
        variables: new Map(found.variables.map((variable) => [variable.name, variable])),
        locals: new Map(found.locals.map(({ name, expression }) => [name, expression])),
      },
      isModule: options.isModule ?? false,
    },
    lost.blocks.size === 0 ? report : ofKnownCircuits(report),
  );
  const logins = circuitLogins(circuits.flatMap((lowered) => lowered.logins));
  const locals = [...circuits.map((lowered) => lowered.hosts), ...found.locals];
  const resources = inSourceOrder(
    [...circuits.flatMap((lowered) => lowered.resources), ...found.resources],
    files,
  );
  const unique = [...byName(resources, (resource) => resource.address, "resource", report).values()];
  const uniqueLocals = byName(locals, (local) => local.name, "local value", report);
  const cycles = findCycles(unique, uniqueLocals.values());
  cycles.diagnostics.forEach(report);
  const declared = {
    resources: unique,
    variables: byName(found.variables, (variable) => variable.name, "variable", report),
    locals: new Map([...uniqueLocals].map(([name, local]) => [name, withoutCycle(local, cycles)])),
    outputs: byName(found.outputs, (output) => output.name, "output", report),
    modules: byName(found.modules, (call) => call.name, "module", report),
    checks: [...byName(found.checks, (check) => check.name, "check", report).values()],
    foreign: found.foreign,
  };
  const expressions = allExpressions(declared);
  const told = new Set(diagnostics.map(placeInText));
  for (const problem of findUndeclared(declared, expressions, lost))
    if (!told.has(placeInText(problem))) report(problem);
  findUndeclaredWaits(declared, lost).forEach(report);
  const understood = unique.filter(({ name }) => !lost.members.has(name));
  findMistakenReferences(expressions, understood, kinds).forEach(report);
  findMissingOutputs(expressions, declared.modules).forEach(report);
  const moved = [...circuits.flatMap((lowered) => lowered.circuit.moved), ...found.moved];
  checkMoved(moved, report);
  const providers = withCircuitLogins(found.providers, logins, report);
  for (const module of modules.values())
    for (const diagnostic of module.diagnostics) diagnostics.push(diagnostic);
  return {
    directory: options.directory,
    files,
    sources,
    circuits: circuits.map((lowered) => lowered.circuit),
    ...declared,
    moved,
    removed: found.removed,
    imports: found.imports,
    backend: onlyBackend(found.backends, report),
    providers,
    circuitLogins: logins,
    diagnostics: inFileOrder(withoutRepetitions(diagnostics), files),
    incomplete: incomplete || [...modules.values()].some((module) => module.incomplete),
    ...(gaps.length > 0 ? { gaps } : {}),
    ...(lost.blocks.size + lost.members.size > 0 ? { lost } : {}),
  };
}

/**
 * Reports what stands away from what was not understood: what is understood of that would give more errors that are
 * none.
 */
function ofUnderstood({ unclear }: ParsedSources, gaps: readonly SourceRange[], report: Report): Report {
  const isNearGap = touching(gaps);
  return (diagnostic) => {
    const { range } = diagnostic;
    if (range !== undefined && !unclear.has(range.file) && !isNearGap(range)) report(diagnostic);
  };
}

/** A circuit that is not known may be one that was not understood. */
const ofKnownCircuits =
  (report: Report): Report =>
  (diagnostic) => {
    if (!diagnostic.summary.startsWith(unknownCircuit)) report(diagnostic);
  };

/** What needs itself never has a value. */
const withoutCycle = (local: NamedExpression, { members }: Cycles): NamedExpression =>
  members.has(`local.${local.name}`) ? { ...local, expression: buildAt(local.range).broken() } : local;

function compileCircuits(
  declared: readonly CircuitDeclaration[],
  surroundings: Omit<CircuitSurroundings, "circuits">,
  report: Report,
): readonly LoweredCircuit[] {
  const unique = withoutRepeats(declared, "circuit", report);
  const circuits = withoutCycles(new Map(unique.map((circuit) => [circuit.name, circuit])), report);
  return [...circuits.values()].map((circuit) =>
    lowerCircuit(circuit, { ...surroundings, circuits }, report),
  );
}

/** The first of each name; the others are reported. */
function byName<T extends { readonly range: SourceRange }>(
  items: readonly T[],
  nameOf: (item: T) => string,
  what: string,
  report: Report,
): ReadonlyMap<string, T> {
  const found = new Map<string, T>();
  for (const item of items) {
    const name = nameOf(item);
    const first = found.get(name);
    if (first === undefined) found.set(name, item);
    else {
      report(
        errorDiagnostic(
          `Second ${what} ${quoted(name)}`,
          `The first is at ${placeOf(first.range)}. Names are unique in a configuration: rename one of them.`,
          { range: item.range },
        ),
      );
    }
  }
  return found;
}

/** A circuit's members keep their order: they are declared in it. */
const inSourceOrder = <T extends { readonly range: SourceRange }>(
  items: readonly T[],
  files: readonly SourceFile[],
): readonly T[] => {
  const order = new Map(files.map((file, index) => [file, index]));
  const fileOf = (item: T) => order.get(item.range.file) ?? files.length;
  return [...items].sort((a, b) => fileOf(a) - fileOf(b) || a.range.start - b.range.start);
};

const placeInText = ({ range }: Diagnostic): string => `${range?.file.name}:${range?.start}`;

/** What a circuit says once counts for each of its members: what is wrong with it is said once as well. */
function withoutRepetitions(diagnostics: readonly Diagnostic[]): readonly Diagnostic[] {
  const seen = new Map<string, Diagnostic>();
  for (const diagnostic of diagnostics) {
    const { summary, range } = diagnostic;
    const key = JSON.stringify([summary, range?.file.name, range?.start, range?.end]);
    if (!seen.has(key)) seen.set(key, diagnostic);
  }
  return [...seen.values()];
}
