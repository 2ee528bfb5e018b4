/**
 * @module The last lines of an apply: its summary, and the table of hosts with failures.
 */
import type { Colors } from "picocolors/types";
import { hasErrors } from "../../diagnostics/diagnostic.ts";
import { displayWidth, visible } from "../../diagnostics/visible.ts";
import type { ApplyOutcome, FailedInstance, Plan, PlannedChange } from "../../engine/index.ts";
import { moduleText, parseAddress } from "../../values/address.ts";
import { groupBy } from "../../values/group-by.ts";
import { isOfNoObject } from "./plan.ts";
import { listed } from "./reason.ts";
import { leftUnreadText } from "./unread-hosts.ts";

export interface OutcomeOptions {
  readonly colors: Colors;
  readonly width: number;
}

/** How many ended of which there is nothing on a host: they count as kept, and nothing was. */
function forgottenBy({ changes }: Plan, { failed, notDone, kept = 0 }: ApplyOutcome): number {
  const left = new Set([...notDone, ...failed.map(({ address }) => address)]);
  const ended = changes.filter(
    (change) => change.decision.action === "delete" && isOfNoObject(change) && !left.has(change.address),
  );
  return Math.min(ended.length, kept);
}

/** `Apply complete! 2 created, …`, or what failed where and what was not done because of it. */
export function renderOutcome(plan: Plan, outcome: ApplyOutcome, { colors, width }: OutcomeOptions): string {
  const verb = plan.mode === "destroy" ? "Destroy" : "Apply";
  const imported = (outcome.imported ?? 0) === 0 ? "" : `${outcome.imported} imported, `;
  const forgotten = forgottenBy(plan, outcome);
  const kept = (outcome.kept ?? 0) - forgotten;
  const counts = `${imported}${outcome.created} created, ${outcome.updated} updated, ${outcome.replaced} replaced, ${outcome.deleted} deleted${kept <= 0 ? "" : `, ${kept} kept on the hosts`}${forgotten === 0 ? "" : `, ${forgotten} forgotten`}.`;
  const unread = leftUnreadText(plan);
  if (outcome.failed.length === 0 && outcome.notDone.length === 0) {
    const summary = hasErrors(outcome.diagnostics)
      ? colors.red(`${verb} incomplete: see the errors.`)
      : unread === ""
        ? colors.green(`${verb} complete!`)
        : colors.red(`${verb} incomplete:`);
    return unread === "" || hasErrors(outcome.diagnostics)
      ? `\n${colors.bold(summary)} ${counts}${unread}\n`
      : `\n${colors.bold(summary)}${unread} ${counts}\n`;
  }
  const missing =
    outcome.failed.length === 0
      ? `stopped: ${outcome.notDone.length} not done.`
      : `incomplete: ${outcome.failed.length} failed, ${outcome.notDone.length} not done.`;
  const table = failureTable(plan, outcome, width);
  const pending = pendingHandlers(plan, outcome);
  return `${table === "" ? "" : `\n${table}`}${pending}\n${colors.bold(colors.red(`${verb} ${missing}`))} ${counts}${unread}\n`;
}

/** Says that handlers which did not run are still due (C9). */
function pendingHandlers({ changes }: Plan, { failed, notDone }: ApplyOutcome): string {
  const missing = new Set([...failed.map(({ address }) => address), ...notDone]);
  const pending = changes.some(
    ({ address, role, decision: { action } }) =>
      role === "handler" && missing.has(address) && (action === "create" || action === "replace"),
  );
  return pending ? "\nHandlers that did not run are still due: the next apply runs them.\n" : "";
}

interface Row {
  readonly host: string;
  readonly step: string;
  readonly reason: string;
  readonly notDone: string;
}

const heading: Row = { host: "HOST", step: "STEP", reason: "REASON", notDone: "NOT DONE" };

function failureTable(plan: Plan, { failed, notDone }: ApplyOutcome, width: number): string {
  if (failed.length === 0) return "";
  const orders = ordersOf(plan.changes);
  const inOrder = [...failed].sort((a, b) => (orders.get(a.host) ?? 0) - (orders.get(b.host) ?? 0));
  const missing = new Set(notDone);
  const missed = plan.changes.filter(({ address }) => missing.has(address));
  const reported = new Set<string | undefined>();
  const rows = inOrder.map((instance): Row => {
    // What a host did not do is reported once, with its first failure.
    const first = !reported.has(instance.host);
    reported.add(instance.host);
    return rowOf(instance, first ? missed.filter(({ host }) => host === instance.host) : []);
  });
  const elsewhere = alsoNotDone(missed.filter(({ host }) => !reported.has(host)));
  return layOut([heading, ...rows], width) + (elsewhere.length === 0 ? "" : `\n${elsewhere.join("")}`);
}

/** The position of each host's first change in the plan: hosts fail in any order. */
function ordersOf(changes: readonly PlannedChange[]): ReadonlyMap<string | undefined, number> {
  const orders = new Map<string | undefined, number>();
  for (const [i, { host }] of changes.entries()) if (!orders.has(host)) orders.set(host, i);
  return orders;
}

/** A line for all hosts that lack the same: those that a rollout did not come to lack everything. */
function alsoNotDone(missed: readonly PlannedChange[]): readonly string[] {
  const ofHosts = groupBy(missed, ({ host }) => host);
  const lacking = [...ofHosts].flatMap(([host, changes]) =>
    host === undefined ? [] : [{ host: visible(host), members: membersOf(changes) }],
  );
  const hostless = (ofHosts.get(undefined) ?? []).map(({ address }) => visible(address));
  return [
    ...[...groupBy(lacking, ({ members }) => members)].map(
      ([members, hosts]) => `Also not done on ${listed(hosts.map(({ host }) => host))}: ${members}.\n`,
    ),
    ...(hostless.length === 0 ? [] : [`Also not done: ${listed(hostless)}.\n`]),
  ];
}

const membersOf = (changes: readonly PlannedChange[]): string =>
  listed([...new Set(changes.map(({ address, member }) => withModule(address, member ?? address)))]);

const rowOf = ({ address, host, member, reason }: FailedInstance, missed: readonly PlannedChange[]): Row => ({
  host: visible(host ?? "-"),
  step: visible(stepOf(address, member)),
  reason: visible(reason).replaceAll("\n", " "),
  notDone: missed.length === 0 ? "-" : membersOf(missed),
});

/** A step's name, with its module and the key of its own that the instance has beside its host's: `config["a"]`. */
function stepOf(address: string, member: string | undefined): string {
  if (member === undefined) return address;
  const key = /\["[^"/]*\/(.*)"\]$/.exec(address)?.[1];
  const step = key === undefined ? member : `${member}["${key}"]`;
  return withModule(address, step);
}

/** `module.site["blog"].config`: circuits in modules have steps of the same names. */
function withModule(address: string, step: string): string {
  const module = moduleText(parseAddress(address) ?? { modules: [] });
  return module === "" || step === address ? step : `${module}.${step}`;
}

/** Columns two spaces apart. A reason that would make a line too wide goes below its row, whole. */
function layOut(rows: readonly Row[], width: number): string {
  const widest = (column: keyof Row): number => Math.max(...rows.map((row) => displayWidth(row[column])));
  const [host, step, notDone] = [widest("host"), widest("step"), widest("notDone")];
  const room = width - 2 - host - 2 - step - 2 - 2 - notDone;
  const fits = widest("reason") <= room;
  const pad = (text: string, columns: number): string => text + " ".repeat(columns - displayWidth(text));
  return rows
    .map((row, i) => {
      const start = `  ${pad(row.host, host)}  ${pad(row.step, step)}  `;
      if (fits) return `${start}${pad(row.reason, widest("reason"))}  ${row.notDone}\n`;
      return i === 0 ? `${start}${row.notDone}\n` : `${start}${row.notDone}\n    ${row.reason}\n`;
    })
    .join("");
}
