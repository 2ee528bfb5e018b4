/**
 * @module `-target`, `-circuit`, `-step` and `-limit` as the engine's targets: each instance by itself, so that it takes
 * the same ones that the embedded engine would.
 *
 * Naming one instance has the engine take all instances of what that depends on, on every host. Where those of one host
 * are named as well it takes just these.
 */
import { type Diagnostic, errorDiagnostic } from "../../diagnostics/diagnostic.ts";
import {
  type ConfiguredResources,
  type Plan,
  type SelectionNames,
  type StoredResources,
  selectionOf,
} from "../../engine/index.ts";
import { groupBy } from "../../values/group-by.ts";
import { arrayAt, type Json, keyAt, textAt } from "../program/json.ts";
import { resourceOf, type Subjects } from "./subjects.ts";

export interface TargetOptions {
  readonly configured: ConfiguredResources;
  readonly subjects: Subjects;
  readonly mode: Plan["mode"];
}

export interface Targets {
  readonly targets: readonly string[];
  /** Whether an instance is among what was chosen. */
  includes(address: string): boolean;
  /** Names of what is not there, and the like. */
  readonly problems: readonly Diagnostic[];
}

export const isSelective = ({ target = [], circuit = [], step = [], limit = [] }: SelectionNames): boolean =>
  target.length + circuit.length + step.length + limit.length > 0;

/** @param plan of everything, as JSON: which instances there are */
export function targetsOf(names: SelectionNames, plan: Json, options: TargetOptions): Targets {
  const instances = inOrder(instancesOf(plan, options.subjects), options.configured);
  const { direct, ours } = divided(names.target ?? []);
  const rest: SelectionNames = { ...names, target: ours };
  if (direct.length > 0 && isSelective({ ...rest, target: [] }))
    return { ...nothingChosen, problems: [cannotNarrow] };
  const isDirect = (address: string): boolean => isTargeted(address, direct);
  if (!isSelective(rest)) return { targets: direct, includes: isDirect, problems: [] };
  const stored: StoredResources = {
    resources: new Map(instances.map(({ resource }) => [resource, { instances: new Map() }])),
  };
  const selection = selectionOf(rest, options.configured, stored, options.mode);
  const chosen = new Set(
    instances.flatMap(({ resource, subject }) =>
      selection.includes(resource, subject) ? [subject.address] : [],
    ),
  );
  const named = instances.map(({ resource, subject: { address } }) => ({ resource, address }));
  const targets = [...direct, ...targetsFor(named, chosen)];
  return {
    targets: targets.length === 0 ? [nothing] : targets,
    includes: (address) => chosen.has(address) || isDirect(address),
    problems: selection.unknownNames(),
  };
}

/**
 * The chosen ones as targets, in their order: a resource by its own address where all of its instances are meant, since an
 * engine may take targets on its command line alone, and the system limits what can be there.
 *
 * @param instances all that there are
 * @param chosen their addresses
 */
export function targetsFor(
  instances: readonly { readonly resource: string; readonly address: string }[],
  chosen: ReadonlySet<string>,
): readonly string[] {
  return [...groupBy(instances, ({ resource }) => resource)].flatMap(([resource, own]) => {
    const meant = own.filter(({ address }) => chosen.has(address));
    return meant.length === own.length ? [resource] : [...new Set(meant.map(({ address }) => address))];
  });
}

/** Whether an address is targeted, or inside of a targeted one. */
export const isTargeted = (address: string, targets: readonly string[]): boolean =>
  targets.some((target) => isBelow(address, target));

/** For an engine no target at all means everything: an address that nothing has stands for nothing. */
const nothing = "terraform_data.conn3x_nothing_chosen";

const nothingChosen = { targets: [], includes: () => false } as const;

/**
 * What the engine would do beyond what was chosen, where that must not be: on hosts that -limit leaves out, and wherever
 * something is to be destroyed.
 */
export function beyondTargets(
  plan: Plan,
  { limit = [] }: SelectionNames,
  { includes }: Pick<Targets, "includes">,
): readonly Diagnostic[] {
  if (plan.mode !== "destroy" && limit.length === 0) return [];
  const more = plan.changes.filter(
    ({ address, decision }) => decision.action !== "none" && !includes(address),
  );
  if (more.length === 0) return [];
  const shown = more.slice(0, 5).map(({ address }) => address);
  const others = more.length > shown.length ? `, and ${more.length - shown.length} more` : "";
  const why = plan.mode === "destroy" ? "what depends on it" : "what it depends on";
  return [
    errorDiagnostic(
      "This engine would do more than was chosen",
      `With what was chosen it takes ${why}, on every host: ${shown.join(", ")}${others}. ${
        plan.mode === "destroy"
          ? "Take hosts or steps out of the configuration to remove what is on them, or leave -engine out."
          : "Choose these as well, apply them first, or leave -engine out."
      }`,
    ),
  ];
}

function instancesOf(plan: Json, subjects: Subjects) {
  return arrayAt(plan, "resource_changes")
    .filter((change) => textAt(change, "mode") === "managed" && textAt(change, "deposed") === undefined)
    .map((change) => {
      const [type, name] = [textAt(change, "type") ?? "", textAt(change, "name") ?? ""];
      const address = textAt(change, "address") ?? "";
      return {
        resource: resourceOf({ address, type, name }),
        subject: subjects({ address, type, name, key: keyAt(change, "index") }),
      };
    });
}

/** As the embedded engine names them: by their resources, dependencies first. */
function inOrder<T extends { readonly resource: string }>(
  instances: readonly T[],
  { resources }: ConfiguredResources,
): readonly T[] {
  const places = new Map([...resources.keys()].map((address, place) => [address, place]));
  const place = ({ resource }: T): number => places.get(resource) ?? places.size;
  return [...instances].sort((a, b) => place(a) - place(b));
}

/** Data sources are for the engine to find; the rest is for us. */
function divided(targets: readonly string[]) {
  const isData = (target: string): boolean => /^(?:module\.[^ ]+\.)?data\./.test(target);
  return { direct: targets.filter(isData), ours: targets.filter((target) => !isData(target)) };
}

const isBelow = (address: string, target: string): boolean =>
  address === target || address.startsWith(`${target}.`) || address.startsWith(`${target}[`);

const cannotNarrow = errorDiagnostic(
  "-target cannot be narrowed here",
  "A data source belongs to no circuit, step or host. Give -circuit, -step and -limit without it.",
);
