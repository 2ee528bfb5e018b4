/**
 * @module A whole plan as text.
 */
import type { Colors } from "picocolors/types";
import { visible } from "../../diagnostics/visible.ts";
import type { OutputChange, Plan, PlannedChange } from "../../engine/index.ts";
import type { Action } from "../../revision/decision.ts";
import { withMark } from "../../values/marks.ts";
import type { Value } from "../../values/value.ts";
import { countsText } from "./circuits/counts.ts";
import { changesHost } from "./circuits/effect.ts";
import { renderSections } from "./circuits/sections.ts";
import { driftedOf, driftSummary, renderDrift } from "./drift.ts";
import { markOf } from "./entry.ts";
import { type Entry, foldChanges, withoutHost } from "./fold.ts";
import { formatLine, type LineMark, markColor } from "./line.ts";
import { hostCount, hostsOf, onHosts, unreadHosts, unreadText } from "./unread-hosts.ts";
import { differs, diffLines } from "./value-diff.ts";
import { labels, plainSpelling } from "./value-lines.ts";

export const planFormats = ["circuits", "resources", "markdown"] as const;

/** Of plans as plain text. */
type PlanFormat = Exclude<(typeof planFormats)[number], "markdown">;

export interface PlanOptions {
  readonly colors: Colors;
  readonly width: number;
  /** Whether steps and handlers of circuits are shown as such, or as the resources that they compile to. */
  readonly format: PlanFormat;
  /** Whether each host's instance is shown by itself. */
  readonly expand: boolean;
  /** Whether what a replacement is made of is shown step by step. Absent: no. */
  readonly replaceSteps?: boolean;
}

/** More hosts than this are counted. */
const mostHosts = 20;

/** Everything that would be done, and the summary. */
export function renderPlan(plan: Plan, options: PlanOptions): string {
  if (plan.mode === "refresh-only") return renderRefreshOnly(plan, options.colors);
  const outputs = renderOutputChanges(plan.outputs, options.colors);
  if (plan.changes.every(isQuiet) && outputs === "") return noChanges(plan, options.colors);
  const ofCircuits = options.format === "circuits" ? plan.changes.filter(isOfCircuit) : [];
  const others = ofCircuits.length === 0 ? plan.changes : plan.changes.filter((each) => !isOfCircuit(each));
  const entries = foldChanges(others, options);
  const shown = entries.map((entry) => `${renderEntry(entry, options)}\n\n`).join("");
  const heading = entries.length === 0 ? "" : `\n${legend(entries, options.colors)}\n`;
  const sections = renderSections(ofCircuits, options);
  const last = options.format === "circuits" ? countsText(plan, options) : summary(plan, options.colors);
  return `${sections}${heading}${shown}${sections !== "" && entries.length === 0 ? "\n" : ""}${last}\n${outputs}`;
}

const isOfCircuit = ({ circuit }: PlannedChange): boolean => circuit !== undefined;

/** Whether there is nothing to be said of it. */
const isQuiet = ({ decision, movedFrom, importing }: PlannedChange): boolean =>
  decision.action === "none" && movedFrom === undefined && importing === undefined;

function renderRefreshOnly(plan: Plan, colors: Colors): string {
  const drifted = driftedOf(plan.changes);
  const next =
    drifted.length === 0
      ? ""
      : "An apply of this plan writes that to the state and does nothing on any host.\n";
  return `${renderDrift(drifted, colors)}\n${driftSummary(plan, drifted, colors)}\n${next}`;
}

/** The text claims no more than what was read. */
function noChanges({ changes, mode }: Plan, colors: Colors): string {
  const heading = `\n${colors.bold(colors.green("No changes."))}`;
  if (mode === "destroy") return `${heading} There is nothing to destroy.\n`;
  if (changes.length === 0) return `${heading} The configuration describes nothing on any host.\n`;
  const [all, missing] = [hostsOf(changes), unreadHosts(changes)];
  const unreadWholly = new Set(missing.wholly);
  // Handlers are never marked as unread, not even those of hosts that were not read.
  const read = changes.filter(({ unread, host = "" }) => !unread && !unreadWholly.has(host));
  const compared = `${instanceCount(read.length)}${onHosts(hostsOf(read).size)} compared, nothing to do.`;
  if (read.length === changes.length) return `${heading} The hosts match the configuration.\n\n${compared}\n`;
  if (read.length === 0)
    return `${heading} The state matches the configuration. No host was read: what is on them may differ.\n`;
  const matching =
    missing.inPart.length === 0
      ? "The hosts that were read match the configuration."
      : "What was read matches the configuration.";
  return `${heading} ${matching}\n\n${compared}${unreadText(missing, all.size)}\n`;
}

const instanceCount = (count: number): string => `${count} ${count === 1 ? "instance" : "instances"}`;

/** `Conn3x will do the following (+ create, ~ update):` */
function legend(entries: readonly Entry[], colors: Colors): string {
  const present = new Set(entries.map(({ changes }) => markOf(changes[0]!.decision)));
  const words: readonly [LineMark, string][] = [
    ["+", "create"],
    ["~", "update in place"],
    ["-/+", "delete and create again"],
    ["+/-", "create again and delete the old one"],
    ["-", "delete"],
  ];
  const marks = words
    .filter(([mark]) => present.has(mark))
    .map(([mark, word]) => `  ${markColor(mark, colors)(mark.padStart(3))} ${word}\n`);
  return marks.length === 0
    ? "Conn3x will do the following:\n"
    : `Conn3x will do the following. What the marks mean:\n${marks.join("")}`;
}

function renderEntry(entry: Entry, { colors, width }: PlanOptions): string {
  const { changes, reason, notes, steps, block } = entry;
  const [first] = changes;
  const subject = changes.length === 1 ? first!.address : groupName(changes);
  const comment = `  ${colors.bold(`# ${visible(subject)}${whichObject(changes)}`)} ${visible(reason)}`;
  const origins = notes.map((note) => `  # ${visible(note)}`);
  const hosts = changes.length === 1 ? [] : hostLines(changes, width);
  const more = [...hosts, ...steps.map((step, i) => `#   ${i + 1}. ${visible(step)}`)];
  const dimmed = more.map((text) => `  ${colors.dim(text)}`);
  return [comment, ...origins, ...dimmed, ...block.map((each) => formatLine(each, colors))].join("\n");
}

/** ` (deposed object 6f5eb581)`, as OpenTofu calls what a replacement left. */
function whichObject(changes: readonly PlannedChange[]): string {
  const { deposed } = changes[0]!;
  if (deposed === undefined) return "";
  return changes.length === 1 ? ` (deposed object ${deposed})` : " (deposed objects)";
}

/** `conn3x_package.web__tools (curl) on 3 hosts` */
function groupName(changes: readonly PlannedChange[]): string {
  const { address, host } = changes[0]!;
  return `${withoutHost(host!)(address)} on ${hostCount(hostsOf(changes).size)}`;
}

function hostLines(changes: readonly PlannedChange[], width: number): string[] {
  // Several old objects of one instance are on one host.
  const hosts = [...hostsOf(changes)];
  const more = hosts.length - mostHosts;
  const words = hosts
    .slice(0, mostHosts)
    .map((host, i) => (i === Math.min(hosts.length, mostHosts) - 1 ? host : `${host},`));
  if (more > 0) words.push(`and ${more} more (-expand shows each)`);
  const lines: string[] = [];
  for (const word of words) {
    const last = lines.at(-1);
    if (last === undefined || last.length + word.length + 3 > width) lines.push(`#   ${word}`);
    else lines[lines.length - 1] = `${last} ${word}`;
  }
  return lines;
}

/** `Plan: 0 to create, 1 to update, 1 to replace, 0 to delete, 38 unchanged. Hosts: 1 of 20 change.` */
export function summary({ changes }: Plan, colors: Colors): string {
  const count = (action: Action): number =>
    changes.filter(({ decision }) => decision.action === action).length;
  const changing = hostsOf(changes.filter(changesHost)).size;
  const all = hostsOf(changes).size;
  const ending = changes.filter(({ decision }) => decision.action === "delete");
  const nothing = ending.filter(isOfNoObject).length;
  const kept = ending.filter(({ decision }) => decision.keeps !== undefined).length - nothing;
  const imported = changes.filter(({ importing }) => importing !== undefined).length;
  return (
    `${colors.bold("Plan:")} ${imported === 0 ? "" : `${imported} to import, `}${count("create")} to create, ${count("update")} to update, ${count("replace")} to replace, ` +
    `${ending.length - kept - nothing} to delete, ${kept === 0 ? "" : `${kept} to forget and keep, `}${nothing === 0 ? "" : `${nothing} to forget, `}${count("none")} unchanged.` +
    (all === 0 ? "" : ` Hosts: ${changing} of ${all} change.`) +
    unreadText(unreadHosts(changes), all)
  );
}

/** Whether nothing on a host is what it stands for: a command that was run. */
export const isOfNoObject = ({ decision }: PlannedChange): boolean => decision.keeps === "no_object";

/** `Changes to outputs:` with a line for each; empty when none changes. */
function renderOutputChanges(outputs: readonly OutputChange[], colors: Colors): string {
  const changed = outputs.filter(({ before, after }) => differs(before, after));
  if (changed.length === 0) return "";
  const label = labels(
    changed.map(({ name }) => name),
    false,
    plainSpelling,
  );
  const style = { ...plainSpelling, requiresReplace: [], drifted: [] };
  const lines = changed.flatMap(({ name, before, after, sensitive }) => {
    const position = { path: [{ attribute: name }], depth: 0, label: label(name), end: "" };
    const [old, now] = sensitive ? [hide(before), hide(after)] : [before, after];
    return diffLines(old, now, position, style);
  });
  return `\nChanges to outputs:\n${lines.map((each) => formatLine(each, colors)).join("\n")}\n`;
}

const hide = (value: Value | undefined): Value | undefined =>
  value === undefined ? undefined : withMark(value, "sensitive");
