/**
 * @module Configuration files → {@link Configuration}: everything that can be known without a host, a state or the
 * network. Pure.
 */

import { type Diagnostic, errorDiagnostic, hasErrors } from "../diagnostics/diagnostic.ts";
import { inFileOrder } from "../diagnostics/file-order.ts";
import { quoted } from "../diagnostics/quoted.ts";
import type { Report } from "../diagnostics/report.ts";
import type { SourceFile, SourceRange } from "../diagnostics/source.ts";
import { touching } from "../diagnostics/touching.ts";
import { withoutCycles } from "./check/circuit-cycles.ts";
import { type Cycles, findCycles } from "./check/cycles.ts";
import { findMistakenReferences } from "./check/instance-references.ts";
import { findMissingOutputs } from "./check/module-references.ts";
import { checkMoved } from "./check/moved.ts";
import { allExpressions, type Declared, findUndeclared, findUndeclaredWaits } from "./check/references.ts";
import { type Declarations, declareAll } from "./declare/all.ts";
import type { KindRegistry } from "./declare/declaration.ts";
import { placeOf, withoutRepeats } from "./declare/labels.ts";
import { buildAt } from "./lower/build.ts";
import { type LoweredCircuit, lowerCircuit } from "./lower/circuit.ts";
import { unknownCircuit } from "./lower/dependencies.ts";
import { circuitLogins, withCircuitLogins } from "./lower/provider-logins.ts";
import type { Backend, Configuration, Lost, NamedExpression } from "./model.ts";
import { gapsIn } from "./source/gaps.ts";
import type { ParsedSources } from "./source/parse-sources.ts";

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

/** The one backend block: a second one is an error, as in OpenTofu. */
function onlyBackend([first, second]: readonly Backend[], report: Report): Backend | undefined {
  if (second !== undefined)
    report(
      errorDiagnostic("There are two backends", "A configuration has one place for its state.", {
        range: second.range,
      }),
    );
  return first;
}

/** @param parsed files in the order in which their blocks count, without outputs of the compiler */
export function compileSources(parsed: ParsedSources, options: CompileOptions): Configuration {
  const { sources } = parsed;
  const files = sources.map((source) => source.file);
  const diagnostics: Diagnostic[] = [...(options.diagnostics ?? []), ...parsed.diagnostics];
  const incomplete = options.incomplete === true || parsed.unclear.size > 0;
  const modules = options.modules ?? new Map();
  const gaps = [
    ...sources.flatMap(({ body }) => gapsIn(body)),
    ...[...modules.values()].flatMap((module) => module.gaps ?? []),
  ];
  const add: Report = (diagnostic) => void diagnostics.push(diagnostic);
  const report = incomplete || hasErrors(parsed.diagnostics) ? ofUnderstood(parsed, gaps, add) : add;
  const found = declareAll(sources, { kinds: options.kinds, modules, report });
  const { lost } = found;
  if (incomplete) lost.blocks.add("anything");
  const circuits = compileCircuits(found, options, report);
  const logins = circuitLogins(circuits.flatMap((lowered) => lowered.logins));
  const declared = namedOnce(found, circuits, files, report);
  const reported = new Set(diagnostics.map(placeInText));
  const reportNew: Report = (problem) => {
    if (!reported.has(placeInText(problem))) report(problem);
  };
  checkReferences(declared, lost, options.kinds, { report, reportNew });
  const moved = [...circuits.flatMap((lowered) => lowered.circuit.moved), ...found.moved];
  checkMoved(moved, report);
  const providers = withCircuitLogins(found.providers, logins, report);
  for (const module of modules.values()) diagnostics.push(...module.diagnostics);
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

/** What the files declare and what circuits become: of each name the first, in the order of the files. */
function namedOnce(
  found: Declarations,
  circuits: readonly LoweredCircuit[],
  files: readonly SourceFile[],
  report: Report,
): Declared {
  const all = [...circuits.flatMap((lowered) => lowered.resources), ...found.resources];
  const inOrder = inSourceOrder(all, files);
  const resources = [...byName(inOrder, (resource) => resource.address, "resource", report).values()];
  const allLocals = [...circuits.map((lowered) => lowered.hosts), ...found.locals];
  const locals = byName(allLocals, (local) => local.name, "local value", report);
  const cycles = findCycles(resources, locals.values());
  cycles.diagnostics.forEach(report);
  return {
    resources,
    variables: byName(found.variables, (variable) => variable.name, "variable", report),
    locals: new Map([...locals].map(([name, local]) => [name, withoutCycle(local, cycles)])),
    outputs: byName(found.outputs, (output) => output.name, "output", report),
    modules: byName(found.modules, (call) => call.name, "module", report),
    checks: [...byName(found.checks, (check) => check.name, "check", report).values()],
    foreign: found.foreign,
  };
}

/** Reports references that lead nowhere. `reportNew` drops a problem where another one was reported before. */
function checkReferences(
  declared: Declared,
  lost: Lost,
  kinds: KindRegistry,
  { report, reportNew }: { readonly report: Report; readonly reportNew: Report },
): void {
  const expressions = allExpressions(declared);
  findUndeclared(declared, expressions, lost).forEach(reportNew);
  findUndeclaredWaits(declared, lost).forEach(report);
  const understood = declared.resources.filter(({ name }) => !lost.members.has(name));
  findMistakenReferences(expressions, understood, kinds).forEach(report);
  findMissingOutputs(expressions, declared.modules).forEach(report);
}

/** Drops what is reported close to text that was not understood: it would be an error that follows from the first. */
function ofUnderstood({ unclear }: ParsedSources, gaps: readonly SourceRange[], report: Report): Report {
  const isNearGap = touching(gaps);
  return (diagnostic) => {
    const { range } = diagnostic;
    if (range !== undefined && !unclear.has(range.file) && !isNearGap(range)) report(diagnostic);
  };
}

/** Drops errors about unknown circuits: such a circuit may be one that was not understood. */
const ofKnownCircuits =
  (report: Report): Report =>
  (diagnostic) => {
    if (!diagnostic.summary.startsWith(unknownCircuit)) report(diagnostic);
  };

/** A local value that needs itself has no value. */
const withoutCycle = (local: NamedExpression, { members }: Cycles): NamedExpression =>
  members.has(`local.${local.name}`) ? { ...local, expression: buildAt(local.range).broken() } : local;

function compileCircuits(
  { circuits: declared, variables, locals, lost }: Declarations,
  { kinds, isModule = false }: CompileOptions,
  reportAll: Report,
): readonly LoweredCircuit[] {
  const report = lost.blocks.size === 0 ? reportAll : ofKnownCircuits(reportAll);
  const unique = withoutRepeats(declared, "circuit", report);
  const circuits = withoutCycles(new Map(unique.map((circuit) => [circuit.name, circuit])), report);
  const values = {
    variables: new Map(variables.map((variable) => [variable.name, variable])),
    locals: new Map(locals.map(({ name, expression }) => [name, expression])),
  };
  return [...circuits.values()].map((circuit) =>
    lowerCircuit(circuit, { kinds, values, isModule, circuits }, report),
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

/** Sorted by file and position, so that the members of a circuit keep their order. */
const inSourceOrder = <T extends { readonly range: SourceRange }>(
  items: readonly T[],
  files: readonly SourceFile[],
): readonly T[] => {
  const order = new Map(files.map((file, index) => [file, index]));
  const fileOf = (item: T) => order.get(item.range.file) ?? files.length;
  return [...items].sort((a, b) => fileOf(a) - fileOf(b) || a.range.start - b.range.start);
};

const placeInText = ({ range }: Diagnostic): string => `${range?.file.name}:${range?.start}`;

/** What a circuit sets for all of its members is checked with each of them: the same error is reported once. */
function withoutRepetitions(diagnostics: readonly Diagnostic[]): readonly Diagnostic[] {
  const seen = new Map<string, Diagnostic>();
  for (const diagnostic of diagnostics) {
    const { summary, range } = diagnostic;
    const key = JSON.stringify([summary, range?.file.name, range?.start, range?.end]);
    if (!seen.has(key)) seen.set(key, diagnostic);
  }
  return [...seen.values()];
}
