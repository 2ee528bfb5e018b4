/**
 * @module Collects what the files of a directory declare, by type of block. References are not resolved yet.
 */

import { type Diagnostic, errorDiagnostic } from "../../diagnostics/diagnostic.ts";
import { suggestion } from "../../diagnostics/nearest.ts";
import { quoted } from "../../diagnostics/quoted.ts";
import type { Report } from "../../diagnostics/report.ts";
import type { Block, Body } from "../../hcl/tree.ts";
import { providerBlock } from "../../login/index.ts";
import { checkSettings } from "../check/settings.ts";
import type {
  Backend,
  Check,
  Configuration,
  Import,
  Lost,
  ModuleCall,
  Moved,
  NamedExpression,
  Output,
  ParsedFile,
  Removed,
  Resource,
  Variable,
} from "../model.ts";
import { resourceName } from "../names.ts";
import { isBackend, topLevelTypes, whyForeign } from "../source/foreign.ts";
import { hasGap, lostNames } from "../source/gaps.ts";
import { sourceForm } from "../source/source-set.ts";
import { declareCheck } from "./check.ts";
import { declareCircuit } from "./circuit.ts";
import type { CircuitDeclaration, KindRegistry } from "./declaration.ts";
import { checkNoLabels } from "./labels.ts";
import { declareModule } from "./module.ts";
import { declareImport, declareMoved, declareRemoved } from "./moves.ts";
import { declareResource } from "./resource.ts";
import { declareLocals, declareOutput } from "./values.ts";
import { declareVariable } from "./variable.ts";

export interface Declarations {
  readonly circuits: CircuitDeclaration[];
  readonly resources: Resource[];
  readonly variables: Variable[];
  readonly locals: NamedExpression[];
  readonly outputs: Output[];
  readonly modules: ModuleCall[];
  readonly moved: Moved[];
  readonly removed: Removed[];
  readonly imports: Import[];
  readonly checks: Check[];
  readonly backends: Backend[];
  readonly providers: Block[];
  readonly foreign: { readonly block: Block; readonly why: string }[];
  /** What could not be understood; each case was reported. */
  readonly lost: {
    readonly [Key in keyof Lost]: Lost[Key] extends ReadonlySet<infer Name> ? Set<Name> : never;
  };
}

export interface DeclarationContext {
  readonly kinds: KindRegistry;
  /** Configurations of local modules, by `source` as written. */
  readonly modules: ReadonlyMap<string, Configuration>;
  readonly report: Report;
}

export function declareAll(sources: readonly ParsedFile[], context: DeclarationContext): Declarations {
  const { report } = context;
  const found: Declarations = {
    circuits: [],
    resources: [],
    variables: [],
    locals: [],
    outputs: [],
    modules: [],
    moved: [],
    removed: [],
    imports: [],
    checks: [],
    backends: [],
    providers: [],
    foreign: [],
    lost: { blocks: new Set(), members: new Set() },
  };
  for (const { body } of sources) {
    const blocks = topLevelBlocks(body, report);
    if (blocks.length < body.items.filter(({ kind }) => kind === "block").length || body.gaps !== undefined)
      found.lost.blocks.add("anything");
    for (const block of blocks) declare(block, found, context);
  }
  return found;
}

/** Blocks that are read even where the embedded engine does not act on them: other blocks may refer to them. */
const alwaysRead: readonly string[] = [
  "variable",
  "output",
  "module",
  "moved",
  "removed",
  "import",
  "check",
  "terraform",
  "tofu",
];

function declare(block: Block, found: Declarations, context: DeclarationContext): void {
  if (!hasItsLabels(block, context.report)) {
    if (block.type !== "provider") found.lost.blocks.add("resource");
    return;
  }
  const refused = foreign(block);
  found.foreign.push(...refused);
  if (refused.length > 0 && !alwaysRead.includes(block.type)) return;
  declareByType[block.type]?.(block, found, context);
}

/** Adds what one block declares to `found`. */
type Declare = (block: Block, found: Declarations, context: DeclarationContext) => void;

const declareByType: Readonly<Record<string, Declare>> = {
  circuit: declareCircuitIn,
  variable: (block, found, { report }) => {
    if (!put(found.variables, declareVariable(block, report))) found.lost.blocks.add("variable");
  },
  locals: (block, found, { report }) => {
    found.locals.push(...declareLocals(block, report));
    if (block.body.gaps !== undefined) found.lost.blocks.add("local");
  },
  output: (block, found, { report }) => void put(found.outputs, declareOutput(block, report)),
  provider: (block, found, { report }) => {
    checkProvider(block, report);
    found.providers.push(block);
  },
  resource: (block, found, { kinds, report }) => {
    if (!put(found.resources, declareResource(block, kinds, report))) found.lost.blocks.add("resource");
    if (hasGap(block)) found.lost.members.add(block.labels[1]!.value);
  },
  module: (block, found, { modules, report }) => {
    if (!put(found.modules, declareModule(block, modules, report))) found.lost.blocks.add("module");
  },
  moved: (block, found, { report }) => void put(found.moved, declareMoved(block, report)),
  removed: (block, found, { report }) => void put(found.removed, declareRemoved(block, report)),
  import: (block, found, { report }) => void put(found.imports, declareImport(block, report)),
  check: (block, found, { report }) => void put(found.checks, declareCheck(block, report)),
  terraform: (block, found) => void found.backends.push(...backendsIn(block)),
  tofu: (block, found) => void found.backends.push(...backendsIn(block)),
  data: (block, _found, { report }) => report(noDataSource(block)),
};

/** @returns whether there is something to put into the list */
function put<T>(list: T[], value: T | undefined): boolean {
  if (value === undefined) return false;
  list.push(value);
  return true;
}

function declareCircuitIn(block: Block, found: Declarations, { kinds, report }: DeclarationContext): void {
  checkAllowedHere(block, report);
  const circuit = declareCircuit(block, kinds, report);
  if (circuit === undefined) {
    found.lost.blocks.add("resource");
    return;
  }
  found.circuits.push(circuit);
  noteLost(circuit, found);
  found.foreign.push(...circuit.moves.flatMap(({ block: moved }) => foreign(moved)));
}

const backendsIn = ({ body }: Block): readonly Backend[] =>
  body.items.flatMap((item) =>
    item.kind === "block" && isBackend(item)
      ? [{ type: item.labels[0]!.value, body: item.body, range: item.header }]
      : [],
  );

/** Labels of block types whose content may be left unread: their labels are checked here. */
const labelsOf: Readonly<Record<string, readonly string[]>> = {
  provider: ["name"],
  data: ["type", "name"],
  ephemeral: ["type", "name"],
  resource: ["type", "name"],
};

function hasItsLabels(block: Block, report: Report): boolean {
  const { type, labels, header } = block;
  if (type === "terraform" || type === "tofu") checkNoLabels(block, report);
  const wanted = labelsOf[type];
  if (wanted === undefined || labels.length === wanted.length) return true;
  const form = [type, ...wanted.map(quoted), "{ … }"].join(" ");
  const range = labels[wanted.length] ?? header;
  report(errorDiagnostic(`This ${type} is not named right`, `Write ${form}.`, { range }));
  return false;
}

/** Notes the members of a circuit that become no resource, or one that lacks something. */
function noteLost(circuit: CircuitDeclaration, { lost }: Declarations): void {
  const { name, steps, handlers } = circuit;
  for (const member of [...steps, ...handlers]) {
    if (member.kind === undefined || hasGap(member.block)) lost.members.add(resourceName(name, member.name));
  }
  const { labels, isOpen } = lostNames(circuit);
  for (const label of labels) lost.members.add(resourceName(name, label));
  if (isOpen) lost.blocks.add("resource");
}

const noDataSource = ({ labels: [type], header }: Block): Diagnostic =>
  errorDiagnostic(
    `There is no data source "${type?.value ?? ""}"`,
    "Conn3x has no data sources. What is found on a host is host.facts in a circuit, and the resource conn3x_facts.",
    { range: header },
  );

/** Arguments of a provider block that the engines handle themselves. */
const providerMetaArguments: readonly string[] = ["alias", "version", "for_each"];

function checkProvider(block: Block, report: Report): void {
  const items = block.body.items.filter(
    (item) => item.kind === "block" || !providerMetaArguments.includes(item.name),
  );
  checkSettings({ ...block.body, items }, providerBlock, { what: 'provider "conn3x"', block }, report);
}

function foreign(block: Block): Declarations["foreign"] {
  const why = whyForeign(block);
  return why === undefined ? [] : [{ block, why }];
}

/** OpenTofu reads all other files itself and would refuse a circuit there. */
function checkAllowedHere(block: Block, report: Report): void {
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
          `Argument ${quoted(item.name)} outside of a block`,
          "A file holds blocks only. A value that others refer to goes into locals { … }.",
          { range: item.nameRange },
        ),
      );
      return false;
    }
    if (topLevelTypes.includes(item.type)) return true;
    report(
      errorDiagnostic(
        `Unknown block ${quoted(item.type)}`,
        `There is no block of this type at the top of a file. ${suggestion(item.type, topLevelTypes)}`,
        { range: item.typeRange },
      ),
    );
    return false;
  });
}
