/**
 * @module Instances of one step to which the same happens become one row; where what is shown of them differs, each form
 * is shown once. Unchanged lines around a change, and whatever is computed, make no difference.
 */
import { quoted } from "../../../diagnostics/quoted.ts";
import type { PlannedChange } from "../../../engine/index.ts";
import { parseAddress } from "../../../values/address.ts";
import type { Line } from "../line.ts";
import { bodyOf } from "./body.ts";
import { type Effect, effectOf } from "./effect.ts";
import { removedCauses } from "./removed-causes.ts";
import { subjectOf } from "./subject.ts";
import { whyOf } from "./words.ts";

/** What some hosts' instances have in common, to the letter. */
export interface Form {
  readonly changes: readonly PlannedChange[];
  readonly body: readonly Line[];
}

/** A step or handler on the hosts on which the same happens to it. */
export interface Row {
  /** `config`, `tools (curl)` */
  readonly name: string;
  readonly effect: Effect;
  readonly subject: string;
  readonly why: string;
  /** Never empty; in the plan's order. */
  readonly changes: readonly PlannedChange[];
  readonly forms: readonly Form[];
}

export interface Section {
  /** `web`, `module.site["a"].web` */
  readonly circuit: string;
  /** The hosts of the circuit, as far as the plan knows them. */
  readonly hosts: ReadonlySet<string>;
  readonly rows: readonly Row[];
}

interface Growing {
  readonly row: Omit<Row, "changes" | "forms">;
  readonly changes: PlannedChange[];
  readonly forms: Map<string, { readonly changes: PlannedChange[]; readonly body: readonly Line[] }>;
}

/**
 * @param changes of steps and handlers of circuits
 * @param expand whether each instance has a row of its own
 * @returns sections and rows in the order of their first instances; nothing of what neither changes nor is of interest
 */
export function sectionsOf(changes: readonly PlannedChange[], expand: boolean): readonly Section[] {
  const named = new Map(changes.map((change) => [change.address, change]));
  const causes = removedCauses(changes);
  const sections = new Map<string, { readonly hosts: Set<string>; readonly rows: Map<string, Growing> }>();
  for (const change of changes) {
    const circuit = change.circuit!;
    const section = sections.get(circuit) ?? { hosts: new Set(), rows: new Map() };
    sections.set(circuit, section);
    if (change.host !== undefined) section.hosts.add(change.host);
    const effect = effectOf(change);
    if (effect !== "none" && effect !== "left_out")
      add(section.rows, change, effect, { named, causes, expand });
  }
  return [...sections].flatMap(([circuit, { hosts, rows }]) =>
    rows.size === 0 ? [] : [{ circuit, hosts, rows: [...rows.values()].map(finished) }],
  );
}

interface Grouping {
  /** All changes by address. */
  readonly named: ReadonlyMap<string, PlannedChange>;
  readonly causes: (change: PlannedChange) => readonly string[];
  readonly expand: boolean;
}

function add(
  rows: Map<string, Growing>,
  change: PlannedChange,
  effect: Effect,
  { named, causes, expand }: Grouping,
): void {
  const name = (address: string): string => nameFrom(change, named.get(address), address);
  const row = {
    name: nameOf(change),
    effect,
    subject: subjectOf(change),
    why: whyOf(change, effect, { name, removed: causes(change).map(name) }),
  };
  const key = expand ? change.address : JSON.stringify([change.type, change.deposed !== undefined, row]);
  const growing: Growing = rows.get(key) ?? { row, changes: [], forms: new Map() };
  rows.set(key, growing);
  growing.changes.push(change);
  const body = bodyOf(change, effect, expand);
  const formKey = JSON.stringify([change.decision.besides ?? [], body.filter(({ mark }) => mark !== " ")]);
  const form = growing.forms.get(formKey) ?? { changes: [], body };
  growing.forms.set(formKey, form);
  form.changes.push(change);
}

const finished = ({ row, changes, forms }: Growing): Row => ({ ...row, changes, forms: [...forms.values()] });

/** A step's name, and in brackets the key of its own that the instance has beside its host's. */
function nameOf({ member, name, host, key }: PlannedChange): string {
  const step = member ?? name;
  const own =
    host !== undefined && typeof key === "string" && key.startsWith(`${host}/`)
      ? key.slice(host.length + 1)
      : undefined;
  return own === undefined ? step : `${step} (${/[\p{Cc}\u2028\u2029]/u.test(own) ? quoted(own) : own})`;
}

/** How another instance is named in what is said of one: with its circuit where that is another. */
function nameFrom(change: PlannedChange, other: PlannedChange | undefined, address: string): string {
  if (other === undefined) return addressWithoutKey(address);
  const name = other.member ?? other.name;
  if (other.circuit === change.circuit) return name;
  return other.circuit === undefined ? addressWithoutKey(address) : `${other.circuit}.${name}`;
}

function addressWithoutKey(address: string): string {
  const parsed = parseAddress(address);
  return parsed === undefined ? address : `${parsed.type}.${parsed.name}`;
}
