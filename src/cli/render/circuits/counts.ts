/**
 * @module The last line of the plan of circuits: `Plan: 3 of 12 hosts change. 1 new, 1 taken over, 2 updated; 1 command
 * and 3 handlers run.`
 */
import type { Colors } from "picocolors/types";
import { wrap } from "../../../diagnostics/visible.ts";
import type { Plan, PlannedChange } from "../../../engine/index.ts";
import { hostsOf, unreadHosts, unreadText } from "../unread-hosts.ts";
import { type Effect, effectOf, isQuiet } from "./effect.ts";

/** Effects that are counted, with their words. */
const counted: readonly (readonly [Effect, string])[] = [
  ["new", "new"],
  ["taken_over", "taken over"],
  ["adopted", "taken over as it is"],
  ["updated", "updated"],
  ["replaced", "replaced"],
  ["removed", "removed"],
  ["kept", "left on the host"],
  ["forgotten", "forgotten"],
  ["recorded", "only recorded"],
];

interface CountsOptions {
  readonly colors: Colors;
  readonly width: number;
}

export function countsText({ changes }: Plan, { colors, width }: CountsOptions): string {
  const text = `Plan: ${sentences(changes)}`;
  return wrap(text, width)
    .join("\n")
    .replace(/^Plan:/, colors.bold("Plan:"));
}

function sentences(changes: readonly PlannedChange[]): string {
  const effects = changes.map((change) => [change, effectOf(change)] as const);
  const changing = hostsOf(effects.flatMap(([change, effect]) => (isQuiet(effect) ? [] : [change]))).size;
  const all = hostsOf(changes).size;
  const counts = counted.flatMap(([effect, words]) => {
    const count = effects.filter(([, found]) => found === effect).length;
    return count === 0 ? [] : [`${count} ${words}`];
  });
  const imported = changes.filter(({ importing }) => importing !== undefined).length;
  const parts = [
    [...(imported === 0 ? [] : [`${imported} imported`]), ...counts].join(", "),
    runsText(effects.flatMap(([change, effect]) => (effect === "runs" ? [change] : []))),
  ].filter((part) => part !== "");
  const hosts =
    all === 0
      ? ""
      : `${changing} of ${all} ${all === 1 ? "host" : "hosts"} ${changing === 1 ? "changes" : "change"}.`;
  if (hosts === "" && parts.length === 0) return "nothing on any host.";
  const things = parts.length === 0 ? "" : ` ${parts.join("; ")}.`;
  return `${hosts}${things}${unreadText(unreadHosts(changes), all)}`;
}

/** `1 command and 3 handlers run` */
function runsText(running: readonly PlannedChange[]): string {
  const handlers = running.filter(({ role }) => role === "handler").length;
  const commands = running.length - handlers;
  const words = [
    ...(commands === 0 ? [] : [`${commands} ${commands === 1 ? "command" : "commands"}`]),
    ...(handlers === 0 ? [] : [`${handlers} ${handlers === 1 ? "handler" : "handlers"}`]),
  ];
  return words.length === 0 ? "" : `${words.join(" and ")} ${running.length === 1 ? "runs" : "run"}`;
}
