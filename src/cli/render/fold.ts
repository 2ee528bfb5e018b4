/**
 * @module Equal changes on many hosts become one entry. Values that name or number an instance (its revision, its id,
 * the revisions that trigger it, how its host is reached) may differ within an entry; all else must be equal.
 */
import type { PlannedChange } from "../../engine/plan.ts";
import { valuesEqual } from "../../values/equal.ts";
import type { Path } from "../../values/path.ts";
import { getPath } from "../../values/walk.ts";
import { blockLines } from "./entry.ts";
import type { Line } from "./line.ts";
import { describeChange, type ReasonNames } from "./reason.ts";
import { differsText } from "./value-diff.ts";
import { isHidden, knownAfterApply, oneLine, plainSpelling, type Spelling } from "./value-lines.ts";

/** One or more hosts' instances whose changes are shown together. */
export interface Entry {
  /** Never empty; in the plan's order. */
  readonly changes: readonly PlannedChange[];
  /** What happens and why. */
  readonly reason: string;
  readonly block: readonly Line[];
}

const own: ReadonlySet<string> = new Set(["revision", "id", "triggers", "ssh"]);

/** Stands for the host's name in what is shown of several. */
export const hostPlaceholder = "HOST";

/**
 * @param expand whether every instance is an entry of its own
 * @returns entries in the order of their first instances; unchanged instances have none
 */
export function foldChanges(changes: readonly PlannedChange[], expand: boolean): Entry[] {
  const acting = changes.filter(({ decision }) => decision.action !== "none");
  const becomes = outcomeOf(changes);
  const groups = new Map<string, PlannedChange[]>();
  for (const change of acting) {
    const key = expand || change.host === undefined ? change.address : foldKey(change, becomes);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [change]);
    else group.push(change);
  }
  return [...groups.values()].map((group) => entry(group, becomes));
}

function entry(changes: readonly PlannedChange[], becomes: ReasonNames["becomes"]): Entry {
  const [first] = changes;
  const single = changes.length === 1;
  const name = single ? String : withoutHost(first!.host!);
  return {
    changes,
    reason: describeChange(first!, { name, becomes }),
    block: blockLines(
      first!,
      single ? plainSpelling : spellingFor(first!.host!, (path) => !allEqual(changes, path)),
    ),
  };
}

/** What must be equal for two instances to share an entry. */
function foldKey(change: PlannedChange, becomes: ReasonNames["becomes"]): string {
  const host = change.host!;
  const reason = describeChange(change, { name: withoutHost(host), becomes });
  const block = blockLines(
    change,
    spellingFor(host, () => true),
  );
  return JSON.stringify([
    change.circuit,
    change.type,
    change.name,
    ownKey(change),
    change.role,
    reason,
    block,
  ]);
}

function spellingFor(host: string, differsAt: (path: Path) => boolean): Spelling {
  return {
    leaf: (value, path) => {
      const [first] = path;
      const text = oneLine(value);
      const masked = first !== undefined && "attribute" in first && own.has(first.attribute);
      if (!masked || text === knownAfterApply || text === undefined || isHidden(value)) return text;
      return differsAt(path) ? differsText : text;
    },
    key: (key) => (key.startsWith(`${host}/`) ? `${hostPlaceholder}${key.slice(host.length)}` : key),
  };
}

const allEqual = (changes: readonly PlannedChange[], path: Path): boolean =>
  changes.every(
    (change) =>
      sameAt(change.before, changes[0]!.before, path) && sameAt(change.after, changes[0]!.after, path),
  );

function sameAt(a: PlannedChange["before"], b: PlannedChange["before"], path: Path): boolean {
  const [inA, inB] = [getPath(a, path), getPath(b, path)];
  return inA === undefined || inB === undefined ? inA === inB : valuesEqual(inA, inB);
}

/** The step's own key in `HOST/KEY`; undefined for a step without one. */
export function ownKey({ host, key }: PlannedChange): string | undefined {
  if (host === undefined || typeof key !== "string") return undefined;
  return key.startsWith(`${host}/`) ? key.slice(host.length + 1) : undefined;
}

/** `conn3x_file.web__config["web1"]` → `conn3x_file.web__config`; `…["web1/curl"]` → `… (curl)` */
const withoutHost =
  (host: string) =>
  (address: string): string => {
    const key = /^(?<resource>[^[]+)\[(?<key>".*")\]$/.exec(address)?.groups;
    if (key === undefined) return address;
    const text: unknown = JSON.parse(key.key!);
    if (text === host) return key.resource!;
    return typeof text === "string" && text.startsWith(`${host}/`)
      ? `${key.resource} (${text.slice(host.length + 1)})`
      : address;
  };

function outcomeOf(changes: readonly PlannedChange[]): ReasonNames["becomes"] {
  const actions = new Map(changes.map(({ address, decision }) => [address, decision.action]));
  const words = {
    none: "changed",
    create: "created",
    update: "updated",
    replace: "replaced",
    delete: "deleted",
  };
  return (address) => words[actions.get(address) ?? "none"];
}
