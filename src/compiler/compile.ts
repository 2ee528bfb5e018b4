/**
 * @module Configuration files → {@link Configuration}: everything that can be known without a host, a state or the
 * network. Pure.
 */
import { type Diagnostic, errorDiagnostic, hasErrors } from "../diagnostics/diagnostic.ts";
import type { SourceFile, SourceRange } from "../diagnostics/source.ts";
import { parseFile } from "../hcl/parse.ts";
import type { Block, Body } from "../hcl/tree.ts";
import { suggestion } from "./body-reader.ts";
import { withoutCycles } from "./circuit-cycles.ts";
import { findCycles } from "./cycles.ts";
import type { CircuitDeclaration, KindRegistry } from "./declaration.ts";
import { declareCircuit } from "./declare-circuit.ts";
import { declareResource } from "./declare-resource.ts";
import { declareLocals, declareOutput, declareVariable } from "./declare-values.ts";
import { topLevelTypes, whyForeign } from "./foreign.ts";
import { findMistakenReferences } from "./instance-references.ts";
import { parseJsonFile } from "./json/body.ts";
import { placeOf, withoutRepeats } from "./labels.ts";
import { type LoweredCircuit, lowerCircuit } from "./lower-circuit.ts";
import type { Configuration, NamedExpression, Output, ParsedFile, Resource, Variable } from "./model.ts";
import { allExpressions, findUndeclared } from "./references.ts";
import type { Report } from "./report.ts";
import { isJsonSource, sourceForm } from "./source-set.ts";

export interface CompileOptions {
  /** The directory as the user named it. */
  readonly directory: string;
  readonly kinds: KindRegistry;
  /** What was found wrong before: unreadable files, hand-edited outputs. */
  readonly diagnostics?: readonly Diagnostic[];
}

/** @param files in the order in which their blocks count; outputs of ours are not among them */
export function compileFiles(files: readonly SourceFile[], options: CompileOptions): Configuration {
  const diagnostics: Diagnostic[] = [...(options.diagnostics ?? [])];
  const sources = files.map((file) => parseSource(file, options.kinds, diagnostics));
  // What is understood of a broken file would give more errors that are none.
  const broken = hasErrors(diagnostics);
  const report: Report = broken ? () => undefined : (diagnostic) => void diagnostics.push(diagnostic);
  const found = declareAll(sources, options.kinds, report);
  const circuits = compileCircuits(found.circuits, report);
  const locals = [...circuits.map((lowered) => lowered.hosts), ...found.locals];
  const resources = inSourceOrder(
    [...circuits.flatMap((lowered) => lowered.resources), ...found.resources],
    files,
  );
  const unique = [...byName(resources, (resource) => resource.address, "resource", report).values()];
  const uniqueLocals = byName(locals, (local) => local.name, "local value", report);
  const declared = {
    resources: unique,
    variables: byName(found.variables, (variable) => variable.name, "variable", report),
    locals: uniqueLocals,
    outputs: byName(found.outputs, (output) => output.name, "output", report),
    foreign: found.foreign,
  };
  findCycles(unique, uniqueLocals.values()).forEach(report);
  // What is wrong already may be why something is not declared.
  if (!hasErrors(diagnostics)) {
    const expressions = allExpressions(declared);
    findUndeclared(declared, expressions).forEach(report);
    findMistakenReferences(expressions, unique, options.kinds).forEach(report);
  }
  return {
    directory: options.directory,
    files,
    sources,
    circuits: circuits.map((lowered) => lowered.circuit),
    ...declared,
    providers: found.providers,
    diagnostics: inFileOrder(withoutRepetitions(diagnostics), files),
  };
}

function parseSource(file: SourceFile, kinds: KindRegistry, diagnostics: Diagnostic[]): ParsedFile {
  const { diagnostics: found, ...parsed } = isJsonSource(file.name)
    ? { ...parseJsonFile(file, kinds), comments: [] }
    : parseFile(file);
  diagnostics.push(...found);
  return { file, ...parsed };
}

interface Declarations {
  readonly circuits: CircuitDeclaration[];
  readonly resources: Resource[];
  readonly variables: Variable[];
  readonly locals: NamedExpression[];
  readonly outputs: Output[];
  readonly providers: Block[];
  readonly foreign: { readonly block: Block; readonly why: string }[];
}

function declareAll(sources: readonly ParsedFile[], kinds: KindRegistry, report: Report): Declarations {
  const found: Declarations = {
    circuits: [],
    resources: [],
    variables: [],
    locals: [],
    outputs: [],
    providers: [],
    foreign: [],
  };
  for (const { body } of sources) {
    for (const block of topLevelBlocks(body, report)) declare(block, found, kinds, report);
  }
  return found;
}

function declare(block: Block, found: Declarations, kinds: KindRegistry, report: Report): void {
  const why = whyForeign(block);
  if (why !== undefined) {
    found.foreign.push({ block, why });
    if (block.type !== "variable" && block.type !== "output") return;
  }
  const put = <T>(list: T[], value: T | undefined): void => {
    if (value !== undefined) list.push(value);
  };
  switch (block.type) {
    case "circuit":
      checkPlace(block, report);
      put(found.circuits, declareCircuit(block, kinds, report));
      break;
    case "variable":
      put(found.variables, declareVariable(block, report));
      break;
    case "locals":
      found.locals.push(...declareLocals(block, report));
      break;
    case "output":
      put(found.outputs, declareOutput(block, report));
      break;
    case "provider":
      put(found.providers, block);
      break;
    case "resource":
      put(found.resources, declareResource(block, kinds, report));
      break;
  }
}

/** OpenTofu reads the other files itself, and knows no circuits. */
function checkPlace(block: Block, report: Report): void {
  if (sourceForm(block.file.name) === "circuit") return;
  report(
    errorDiagnostic(
      "A circuit in a file of OpenTofu",
      "OpenTofu would not understand it. Move it into a file whose name ends in .circuit.hcl.",
      { range: block.header },
    ),
  );
}

function topLevelBlocks(body: Body, report: Report): readonly Block[] {
  return body.items.filter((item): item is Block => {
    if (item.kind === "attribute") {
      report(
        errorDiagnostic(
          `Argument "${item.name}" outside of a block`,
          "A file holds blocks only. A value that others refer to goes into locals { … }.",
          { range: item.nameRange },
        ),
      );
      return false;
    }
    if (topLevelTypes.includes(item.type)) return true;
    report(
      errorDiagnostic(
        `Unknown block "${item.type}"`,
        `There is no block of this type at the top of a file. ${suggestion(item.type, topLevelTypes)}`,
        { range: item.typeRange },
      ),
    );
    return false;
  });
}

function compileCircuits(declared: readonly CircuitDeclaration[], report: Report): readonly LoweredCircuit[] {
  const unique = withoutRepeats(declared, "circuit", report);
  const circuits = withoutCycles(new Map(unique.map((circuit) => [circuit.name, circuit])), report);
  return [...circuits.values()].map((circuit) => lowerCircuit(circuit, circuits, report));
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
          `Second ${what} "${name}"`,
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

function inFileOrder(
  diagnostics: readonly Diagnostic[],
  files: readonly SourceFile[],
): readonly Diagnostic[] {
  const order = new Map(files.map((file, index) => [file, index]));
  const fileOf = ({ range }: Diagnostic) =>
    range === undefined ? -1 : (order.get(range.file) ?? files.length);
  return [...diagnostics].sort(
    (a, b) => fileOf(a) - fileOf(b) || (a.range?.start ?? 0) - (b.range?.start ?? 0),
  );
}

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
