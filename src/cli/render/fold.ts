/**
 * @module Equal changes on many hosts become one entry. Values that name or number an instance (its revision, its id,
 * the revisions that trigger it, how its host is reached) may differ within an entry; all else must be equal.
 */
import { quoted } from "../../diagnostics/quoted.ts";
import type { PlannedChange } from "../../engine/index.ts";
import { formatAddress, parseAddress } from "../../values/address.ts";
import { valuesEqual } from "../../values/equal.ts";
import { storedHostKey } from "../../values/host-key.ts";
import type { Path } from "../../values/path.ts";
import { getPath } from "../../values/walk.ts";
import { blockLines } from "./entry.ts";
import type { Line } from "./line.ts";
import { describeChange, type ReasonNames } from "./reason.ts";
import { stepsOfReplacement } from "./replace-steps.ts";
import { differsText } from "./value-diff.ts";
import { isHidden, knownAfterApply, oneLine, plainSpelling, type Spelling } from "./value-lines.ts";

/** One or more hosts' instances whose changes are shown together. */
export interface Entry {
  /** Never empty; in the plan's order. */
  readonly changes: readonly PlannedChange[];
  /** The line with what happens, and why. */
  readonly reason: string;
  /** Where it comes from, when something happens to it besides; what it does besides. */
  readonly notes: readonly string[];
  /** Of a replacement what is done one after the other, where that is to be shown. */
  readonly steps: readonly string[];
  readonly block: readonly Line[];
}

const own: ReadonlySet<string> = new Set(["revision", "id", "triggers", "ssh"]);

/** Stands for the host's name in what is shown of several. */
const hostPlaceholder = "HOST";

export interface FoldOptions {
  /** Whether every instance is an entry of its own. */
  readonly expand: boolean;
  /** Whether what a replacement is made of is shown step by step. Absent: no. */
  readonly replaceSteps?: boolean;
}

/** What describing one change needs to know about all changes. */
interface Descriptions extends FoldOptions {
  readonly becomes: ReasonNames["becomes"];
  readonly all: ReadonlyMap<string, PlannedChange>;
}

/** @returns entries in the order of their first instances; those that neither change nor come from elsewhere have none */
export function foldChanges(changes: readonly PlannedChange[], options: FoldOptions): Entry[] {
  const acting = changes.filter(
    ({ decision, movedFrom, importing }) =>
      decision.action !== "none" || movedFrom !== undefined || importing !== undefined,
  );
  // An old object has its instance's address, and comes before it.
  const all = new Map(changes.map((change) => [change.address, change]));
  const descriptions = { ...options, all, becomes: outcomeOf(changes) };
  const groups = new Map<string, PlannedChange[]>();
  for (const change of acting) {
    const key =
      options.expand || change.host === undefined
        ? `${change.address} ${change.deposed ?? ""}`
        : foldKey(change, descriptions);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [change]);
    else group.push(change);
  }
  return [...groups.values()].map((group) => entry(group, descriptions));
}

function entry(changes: readonly PlannedChange[], descriptions: Descriptions): Entry {
  const [first] = changes;
  const single = changes.length === 1;
  const name = single ? String : withoutHost(first!.host!);
  const { becomes } = descriptions;
  return {
    changes,
    ...wordsFor(first!, { name, becomes }),
    steps: stepsOf(first!, name, descriptions),
    block: blockLines(
      first!,
      single ? plainSpelling : spellingFor(first!.host!, (path) => !allEqual(changes, path)),
    ),
  };
}

/** More lines than these are counted. */
const besidesShown = 40;

/** What is said of an instance: what only comes from elsewhere does not change. */
function wordsFor(change: PlannedChange, names: ReasonNames): Pick<Entry, "reason" | "notes"> {
  const { decision, movedFrom, importing } = change;
  const origins = [
    ...(movedFrom === undefined ? [] : [`moved from ${names.name(movedFrom)}`]),
    ...(importing === undefined ? [] : [`imported by ${JSON.stringify(importing)}`]),
  ];
  if (decision.action === "none") return { reason: `will be ${origins.join(" and ")}`, notes: [] };
  const { besides = [] } = decision;
  const shown = besides.slice(0, besidesShown).map((text) => `  also ${text}`);
  const more =
    besides.length > besidesShown ? [`  also does so with ${besides.length - besidesShown} more`] : [];
  return {
    reason: describeChange(change, names),
    notes: [...origins.map((origin) => `(${origin})`), ...shown, ...more],
  };
}

const stepsOf = (
  change: PlannedChange,
  name: ReasonNames["name"],
  { replaceSteps, all }: Descriptions,
): readonly string[] => (replaceSteps ? stepsOfReplacement(change, name, all) : []);

/** The key of an entry: instances with equal keys share one. */
function foldKey(change: PlannedChange, descriptions: Descriptions): string {
  const host = change.host!;
  const name = withoutHost(host);
  const words = wordsFor(change, { name, becomes: descriptions.becomes });
  const block = blockLines(
    change,
    spellingFor(host, () => true),
  );
  return JSON.stringify([
    change.circuit,
    change.type,
    change.name,
    change.ownKey,
    change.role,
    change.deposed !== undefined,
    words,
    stepsOf(change, name, descriptions),
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

/** The key as it is where it fits on one line, else quoted. */
const onOneLine = (key: string): string => (/[\p{Cc}\u2028\u2029]/u.test(key) ? quoted(key) : key);

/** `conn3x_file.web__config["web1"]` → `conn3x_file.web__config`; `…["web1/curl"]` → `… (curl)` */
export const withoutHost =
  (host: string) =>
  (address: string): string => {
    const parsed = parseAddress(address);
    if (parsed === undefined) return address;
    const resource = formatAddress({ ...parsed, key: undefined });
    const key = typeof parsed.key === "string" ? storedHostKey(parsed.key) : undefined;
    if (key?.host !== host) return address;
    return key.own === undefined ? resource : `${resource} (${onOneLine(key.own)})`;
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
