/**
 * @module A plan as Markdown, for the comment of a pull request: a table for each circuit, and below it what changes, folded.
 *
 * A comment has at most 65,536 characters on GitHub: what has no room is left out and named.
 */
import pico from "picocolors";
import type { Diagnostic } from "../../../diagnostics/diagnostic.ts";
import type { ApplyOutcome, Plan } from "../../../engine/index.ts";
import { countsText } from "../circuits/counts.ts";
import { isQuiet } from "../circuits/effect.ts";
import { type Form, type Row, type Section, sectionsOf } from "../circuits/group.ts";
import { marks } from "../circuits/marks.ts";
import type { Line } from "../line.ts";
import { renderOutcome } from "../outcome.ts";
import { renderPlan } from "../plan.ts";
import { hostCount, hostsOf } from "../unread-hosts.ts";
import { fenced, folded, plainText } from "./markdown-text.ts";

/** Bytes of the whole text. */
const mostBytes = 60_000;
/** Bytes of tables, so that something of the differences has room as well. */
const mostOfTables = 40_000;
/** Bytes kept for saying what was left out. */
const reserve = 2_000;
/** More hosts than this are counted. */
const mostHosts = 12;
/** More names than this are counted. */
const mostNames = 20;

const plain = { colors: pico.createColors(false), width: Number.POSITIVE_INFINITY, expand: false } as const;

/** What may be left out, with what names it. */
interface Part {
  readonly name: string;
  readonly text: string;
}

/** @param warnings of the plan: their summaries are shown, and their texts folded */
export function planMarkdown(plan: Plan, warnings: readonly Diagnostic[]): string {
  const ofCircuits =
    plan.mode === "refresh-only" ? [] : plan.changes.filter(({ circuit }) => circuit !== undefined);
  const sections = sectionsOf(ofCircuits, false);
  const others = plan.changes.filter((change) => !ofCircuits.includes(change));
  const rest = { ...plan, changes: others };
  const hasRest =
    sections.length === 0 ||
    others.some(({ decision }) => decision.action !== "none") ||
    plan.outputs.some(({ before, after }) => before !== after);
  const title =
    sections.length === 0 ? "" : `**${plainText(countsText(plan, plain).replace(/^Plan: /, ""))}**\n\n`;
  const tables = sections.map((section) => table(section, mostOfTables / sections.length)).join("\n");
  const parts = [
    ...warnings.map(warningPart),
    ...sections.flatMap((section) => section.rows.flatMap((row) => rowPart(section, row))),
    ...(hasRest ? [restPart(sections.length === 0 ? plan : rest, sections.length === 0)] : []),
  ];
  return fitting(`### Conn3x plan\n\n${title}${tables}\n`, parts);
}

/** As much as there is room for, in order, and the names of the rest. */
function fitting(head: string, parts: readonly Part[]): string {
  let text = head;
  const left: string[] = [];
  for (const part of parts) {
    const longer = `${text}\n${part.text}`;
    if (Buffer.byteLength(longer) > mostBytes - reserve) left.push(part.name);
    else text = longer;
  }
  if (left.length === 0) return text;
  const more = left.length - mostNames;
  const names = left.slice(0, mostNames).join(", ");
  const said = `Left out, for the length of a comment: ${names}${more > 0 ? ` and ${more} more` : ""}.`;
  return `${text}\n${plainText(said.slice(0, reserve / 8))}\n`;
}

function table({ circuit, hosts, rows }: Section, most: number): string {
  const changing = hostsOf(rows.flatMap(({ effect, changes }) => (isQuiet(effect) ? [] : changes))).size;
  const head = `#### ${plainText(circuit)}: ${changing} of ${hostCount(hosts.size)} ${changing === 1 ? "changes" : "change"}\n\n| | step | object | hosts | why |\n|---|---|---|---|---|\n`;
  let text = head;
  for (const [i, row] of rows.entries()) {
    const cells = [marks[row.effect], row.name, row.subject, hostsText(row, hosts), row.why];
    const next = `| ${cells.map(plainText).join(" | ")} |\n`;
    if (Buffer.byteLength(text + next) > most) return `${text}| | and ${rows.length - i} more rows | | | |\n`;
    text += next;
  }
  return text;
}

function hostsText({ changes }: Pick<Row, "changes">, hosts: ReadonlySet<string>): string {
  const names = [...hostsOf(changes)];
  if (names.length <= mostHosts) return names.join(" ");
  return names.length === hosts.size
    ? `all ${hosts.size} hosts`
    : `${names.length} of ${hostCount(hosts.size)}`;
}

/** What changes on the row's hosts; none where the row says it all. */
function rowPart(section: Section, row: Row): readonly Part[] {
  const forms = row.forms.filter(
    ({ body, changes }) => body.length > 0 || (changes[0]!.decision.besides ?? []).length > 0,
  );
  if (forms.length === 0) return [];
  const content = forms.map((form) => {
    const heading = row.forms.length === 1 ? "" : `${plainText(`on ${hostsText(form, section.hosts)}`)}:\n\n`;
    return `${heading}${fenced(formLines(form), "diff")}`;
  });
  const name = `${row.name} of ${section.circuit}`;
  return [{ name, text: folded(`${marks[row.effect]} ${row.name}: ${row.subject}`, content.join("\n")) }];
}

const formLines = ({ body, changes }: Form): readonly string[] => [
  ...(changes[0]!.decision.besides ?? []).map((text) => `! also ${text}`),
  ...body.map(diffLine),
];

/** `!` is what diff views show a changed line by. */
const diffLine = ({ mark, depth, text, note }: Line): string =>
  `${mark === "~" ? "!" : mark} ${"  ".repeat(depth)}${text}${note === undefined ? "" : ` ${note}`}`.trimEnd();

const warningPart = ({ summary, detail }: Diagnostic): Part => ({
  name: `the warning "${summary}"`,
  text: folded(`Warning: ${summary}`, `${plainText(detail)}\n`),
});

function restPart(plan: Plan, isAll: boolean): Part {
  const text = renderPlan(plan, { ...plain, format: "resources" }).trim();
  const block = fenced(text.split("\n"), "diff");
  return isAll
    ? { name: "the plan", text: block }
    : { name: "resources outside of circuits", text: folded("Resources outside of circuits", block) };
}

/** What was done, and what was not and why. */
export const outcomeMarkdown = (plan: Plan, outcome: ApplyOutcome): string =>
  `### Conn3x apply\n\n${fenced(renderOutcome(plan, outcome, plain).trim().split("\n"), "")}`;
