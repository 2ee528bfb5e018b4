/**
 * @module Changes on the hosts since the last apply, by host and step: expected and observed values.
 */
import type { Colors } from "picocolors/types";
import { visible } from "../../diagnostics/visible.ts";
import type { Plan, PlannedChange } from "../../engine/index.ts";
import type { PropertyChange } from "../../revision/decision.ts";
import { type DriftMode, ownershipOf } from "../../revision/ownership.ts";
import { fieldsOf } from "../../revision/proposal.ts";
import { formatPath } from "../../values/path.ts";
import { formatLine } from "./line.ts";
import { hostCount, onHosts, unreadHosts } from "./unread-hosts.ts";
import { diffLines } from "./value-diff.ts";
import { oneLine, plainSpelling } from "./value-lines.ts";

/** An instance that is not as it was last applied. */
export interface Drifted {
  readonly change: PlannedChange;
  /** Whether all of it is gone; then `changes` is empty. */
  readonly gone: boolean;
  /** What its `drift` block says: `warn` leaves what was found to the host, which then owns it. */
  readonly mode: DriftMode;
  /** `before` is what was expected, `after` what was found. */
  readonly changes: readonly PropertyChange[];
}

/** @param changes of a plan of mode `refresh-only` */
export const driftedOf = (changes: readonly PlannedChange[]): readonly Drifted[] =>
  changes.flatMap((change) => {
    const gone = change.decision.reasons.some(({ kind }) => kind === "gone");
    const { drift } = change.decision;
    return gone || drift.length > 0 ? [{ change, gone, mode: modeOf(change), changes: drift }] : [];
  });

function modeOf({ before }: PlannedChange): DriftMode {
  const fields = fieldsOf(before);
  return fields === undefined ? "enabled" : ownershipOf(fields).mode;
}

/** Hosts with what drifted on them; empty when nothing did. */
export function renderDrift(drifted: readonly Drifted[], colors: Colors): string {
  const hosts = new Map<string, Drifted[]>();
  for (const one of drifted) {
    const host = one.change.host ?? "";
    hosts.set(host, [...(hosts.get(host) ?? []), one]);
  }
  return [...hosts]
    .map(([host, ones]) => {
      const title = host === "" ? "Outside of circuits" : `Host ${visible(host)}`;
      return `\n${colors.bold(`${title}:`)}\n${ones.map((one) => driftedText(one, colors)).join("")}`;
    })
    .join("");
}

function driftedText({ change, gone, mode, changes }: Drifted, colors: Colors): string {
  const { member, role, address } = change;
  const name = member === undefined ? address : `${role ?? "step"} ${member} (${address})`;
  const state = gone ? colors.red("is gone from the host") : mode === "warn" ? "is left as it is" : undefined;
  const heading = `  ${visible(name)}${state === undefined ? "" : ` ${state}`}\n`;
  return heading + changes.map((one) => changeText(one, colors)).join("");
}

function changeText({ path, before, after }: PropertyChange, colors: Colors): string {
  const name = visible(formatPath(path));
  const expected = before === undefined ? "nothing" : oneLine(before);
  const found = after === undefined ? "nothing" : oneLine(after);
  if (expected !== undefined && found !== undefined) {
    return `    ${name}: expected ${visible(expected)}, found ${colors.yellow(visible(found))}\n`;
  }
  const style = { ...plainSpelling, requiresReplace: [], drifted: [] };
  const lines = diffLines(before, after, { path, depth: 0, label: `${name}: `, end: "" }, style);
  return lines.map((each) => `  ${formatLine(each, colors)}\n`).join("");
}

/** `Drift: 2 instances on 1 of 3 hosts.` */
export function driftSummary({ changes }: Plan, drifted: readonly Drifted[], colors: Colors): string {
  const read = changes.filter(({ unread }) => !unread);
  const hosts = (of: readonly PlannedChange[]): readonly string[] => [
    ...new Set(of.flatMap(({ host }) => host ?? [])),
  ];
  const { wholly, inPart } = unreadHosts(changes);
  const all = hosts(changes).length;
  const text =
    drifted.length === 0
      ? `${colors.bold(colors.green("No drift"))} in what was read: ${count(read.length, "instance")}${onHosts(hosts(read).length)}.`
      : `${colors.bold("Drift:")} ${count(drifted.length, "instance")}${all === 0 ? "" : ` on ${hosts(drifted.map(({ change }) => change)).length} of ${hostCount(all)}`}.`;
  return text + named("Not read", wholly) + named("Read in part", inPart);
}

const named = (how: string, hosts: readonly string[]): string =>
  hosts.length === 0 ? "" : ` ${how}: ${hosts.map(visible).join(", ")}.`;

const count = (number: number, what: string): string => `${number} ${what}${number === 1 ? "" : "s"}`;
