/**
 * @module The plan of circuits as text: for each circuit its steps and handlers in their order, what happens to them,
 * where, and why.
 *
 * ```
 * web    3 of 12 hosts change
 *
 *   ~ config   file /etc/web.conf   web1 web2 web3   content edited
 *       - workers = 4
 *       + workers = 8
 * ```
 */
import type { Colors } from "picocolors/types";
import { displayWidth, visible, wrap } from "../../../diagnostics/visible.ts";
import type { PlannedChange } from "../../../engine/index.ts";
import type { Line } from "../line.ts";
import { hostCount, hostsOf } from "../unread-hosts.ts";
import { type Effect, isQuiet } from "./effect.ts";
import { type Form, type Row, type Section, sectionsOf } from "./group.ts";
import { marks } from "./marks.ts";

export interface SectionOptions {
  readonly colors: Colors;
  readonly width: number;
  readonly expand: boolean;
}

/** Columns of the names of hosts in a row; with more they are counted there, and named below. */
const hostColumns = 28;
/** More hosts than this are counted below, too. */
const mostHosts = 20;
/** More forms of one step than this are counted. */
const mostForms = 5;
/** Lines about other objects that a step changes as well. */
const mostBesides = 40;

/** @param changes of steps and handlers of circuits @returns empty where nothing is to be shown */
export function renderSections(changes: readonly PlannedChange[], options: SectionOptions): string {
  return sectionsOf(changes, options.expand)
    .map((section) => renderSection(section, options))
    .join("");
}

function renderSection(section: Section, options: SectionOptions): string {
  const { circuit, hosts, rows } = section;
  const changing = hostsOf(rows.flatMap(({ effect, changes }) => (isQuiet(effect) ? [] : changes))).size;
  const { bold } = options.colors;
  const columns = columnsOf(section, options.width);
  const text = rows.map((row) => renderRow(row, section, columns, options)).join("");
  return `\n${bold(visible(circuit))}    ${changing} of ${hostCount(hosts.size)} ${changing === 1 ? "changes" : "change"}\n\n${text}`;
}

interface Columns {
  readonly name: number;
  readonly subject: number;
  readonly hosts: number;
}

/** As wide as most rows need; a longer cell makes its own row break. */
function columnsOf(section: Section, width: number): Columns {
  const widest = (cells: readonly string[], most: number): number =>
    Math.max(0, ...cells.map(displayWidth).filter((cell) => cell <= most));
  const { rows } = section;
  return {
    name: widest(
      rows.map(({ name }) => visible(name)),
      Math.min(width / 4, 50),
    ),
    subject: widest(
      rows.map(({ subject }) => visible(subject)),
      Math.min(width / 2, 100),
    ),
    hosts: widest(
      rows.map((row) => hostsCell(row, section)),
      hostColumns,
    ),
  };
}

function renderRow(row: Row, section: Section, columns: Columns, options: SectionOptions): string {
  const { colors, width } = options;
  const color = colorOf(row.effect, colors);
  const cells = [visible(row.name), visible(row.subject), hostsCell(row, section)] as const;
  const why = visible(row.why);
  const mark = `  ${color(marks[row.effect])} `;
  const name = colors.bold(cells[0]);
  const lines = rowLines(cells, why, columns, width);
  const head = lines.map((line, i) =>
    i > 0
      ? `      ${line}`
      : `${mark}${line.startsWith(cells[0]) ? name + line.slice(cells[0].length) : line}`,
  );
  return [...head, ...hostLines(row, section, options), ...formLines(row, options), ""].join("\n");
}

/** One line; or the reason, or the hosts and the reason, below it. The first starts behind the mark, the others at the body. */
function rowLines(
  [name, subject, hosts]: readonly [string, string, string],
  why: string,
  columns: Columns,
  width: number,
): readonly string[] {
  const start = `${name}${pad(name, columns.name)}  ${subject}`;
  const room = columns.name + 2 + columns.subject;
  const withHosts = `${start}${pad(start, room)}  ${hosts}`;
  const whole = `${withHosts}${pad(withHosts, room + 2 + columns.hosts)}  ${why}`.trimEnd();
  if (displayWidth(whole) + 4 <= width) return [whole];
  if (displayWidth(withHosts) + 4 <= width) return [withHosts, ...hanging(why, 6, width)];
  return [...hanging(start, 6, width), ...hanging(`${hosts}  ${why}`, 6, width)];
}

const pad = (text: string, columns: number): string => " ".repeat(Math.max(0, columns - displayWidth(text)));

/** Lines that end between words; what has no words is not cut. */
const hanging = (text: string, indent: number, width: number): readonly string[] =>
  wrap(text, Math.max(20, width - indent));

/** `web1 web2`, `all 12 hosts`, `all but web9`, `5 of 12 hosts` */
function hostsCell({ changes }: Row, { hosts }: Section): string {
  const names = hostsOf(changes);
  const text = [...names].map(visible).join(" ");
  if (displayWidth(text) <= hostColumns) return text;
  if (names.size === hosts.size) return `all ${hosts.size} hosts`;
  const others = [...hosts].filter((host) => !names.has(host)).map(visible);
  const allBut = `all but ${others.join(" ")}`;
  return displayWidth(allBut) <= hostColumns ? allBut : `${names.size} of ${hostCount(hosts.size)}`;
}

/** The names that the row had no room for. */
function hostLines(row: Row, section: Section, { colors, width, expand }: SectionOptions): readonly string[] {
  const names = [...hostsOf(row.changes)];
  const isCounted = hostsCell(row, section).endsWith(` of ${hostCount(section.hosts.size)}`);
  if (!isCounted || row.forms.length > 1) return [];
  return hanging(namesOf(names, expand), 6, width).map((line) => `      ${colors.dim(line)}`);
}

function namesOf(names: readonly string[], all: boolean): string {
  const shown = all ? names : names.slice(0, mostHosts);
  const more = names.length - shown.length;
  return `${shown.map(visible).join(" ")}${more === 0 ? "" : ` and ${more} more (-expand shows each)`}`;
}

function formLines(row: Row, options: SectionOptions): readonly string[] {
  const { forms } = row;
  if (forms.length === 1) return bodyText(forms[0]!, options);
  const { colors, width } = options;
  const shown = options.expand ? forms : forms.slice(0, mostForms);
  const more = forms.length - shown.length;
  return [
    `      ${colors.dim(`differs by host: ${forms.length} forms`)}`,
    ...shown.flatMap((form) => [
      ...hanging(`on ${namesOf([...hostsOf(form.changes)], options.expand)}:`, 6, width).map(
        (line) => `      ${line}`,
      ),
      ...bodyText(form, options),
    ]),
    ...(more === 0 ? [] : [`      ${colors.dim(`and ${more} more forms (-expand shows each host)`)}`]),
  ];
}

function bodyText({ body, changes }: Form, { colors, expand }: SectionOptions): readonly string[] {
  const { besides = [] } = changes[0]!.decision;
  const shown = expand ? besides : besides.slice(0, mostBesides);
  const more = besides.length - shown.length;
  return [
    ...shown.map((text) => `      also ${visible(text)}`),
    ...(more > 0 ? [`      also does so with ${more} more (-expand shows them)`] : []),
    ...body.map((line) => bodyLine(line, colors)),
  ];
}

/** A line of a difference, coloured as a whole. */
function bodyLine({ mark, depth, text, note }: Line, colors: Colors): string {
  const shown = visible(text);
  const noted = note === undefined ? "" : colors.dim(`${shown === "" ? "" : "  "}${visible(note)}`);
  const line = `      ${"  ".repeat(depth)}${mark} ${shown}`;
  const color =
    mark === "+" ? colors.green : mark === "-" ? colors.red : mark === "~" ? colors.yellow : colors.dim;
  return `${color(line.trimEnd())}${noted === "" ? "" : shown === "" ? ` ${noted}` : noted}`;
}

function colorOf(effect: Effect, colors: Colors): (text: string) => string {
  switch (effect) {
    case "new":
      return colors.green;
    case "removed":
      return colors.red;
    case "replaced":
      return colors.magenta;
    case "updated":
    case "taken_over":
      return colors.yellow;
    case "runs":
      return colors.cyan;
    default:
      return String;
  }
}
