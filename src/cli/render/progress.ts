/**
 * @module The events of a run as lines of text.
 */
import type { Colors } from "picocolors/types";
import { visible } from "../../diagnostics/visible.ts";
import type { Event, EventSubject } from "../../engine/index.ts";
import { withoutModuleKeys } from "../../values/address.ts";

export interface ProgressOptions {
  readonly colors: Colors;
  /** On a terminal only what is complete is shown; elsewhere what begins too. */
  readonly live: boolean;
}

type Acting = "create" | "update" | "delete";

const beginning: Record<Acting, string> = {
  create: "Creating...",
  update: "Updating...",
  delete: "Deleting...",
};
/** Of what is deleted from the state alone, or may be. */
const forgetting = { true: "Forgetting...", perhaps: "Ending..." } as const;
const done: Record<Acting, string> = { create: "Created", update: "Updated", delete: "Deleted" };

/** The line for what has run so long and still does; undefined for what is not shown. */
export function stillLine(
  event: Extract<Event, { kind: "apply_start" }>,
  elapsed: number,
  { colors, live }: ProgressOptions,
): string | undefined {
  if (live || nothingToRun(event)) return undefined;
  const doing = beginningText(event).replace("...", "").toLowerCase();
  return `${subjectText(event, colors)} Still ${doing} after ${seconds(elapsed)}\n`;
}

/** The line for an event with its line end; undefined for one that is not shown. */
export function progressLine(event: Event, { colors, live }: ProgressOptions): string | undefined {
  switch (event.kind) {
    case "refresh_start":
    case "refresh_complete":
    case "diagnostic":
      return undefined;
    case "apply_start":
      if (live || nothingToRun(event)) return undefined;
      return `${subjectText(event, colors)} ${beginningText(event)}\n`;
    case "apply_complete":
      if (nothingToRun(event)) return undefined;
      return `${subjectText(event, colors)} ${doneText(event)} after ${seconds(event.elapsed)}\n`;
    case "apply_errored":
      return `${subjectText(event, colors)} ${colors.red("Failed")} after ${seconds(event.elapsed)}\n`;
    case "apply_skipped":
      return `${subjectText(event, colors)} ${colors.yellow("Not done:")} ${visible(event.because)}\n`;
  }
}

const subjectText = (
  { subject, deposed }: { readonly subject: EventSubject; readonly deposed?: string },
  colors: Colors,
): string => colors.bold(`${visible(subject.address)}${deposed === undefined ? "" : " (old object)"}:`);

function beginningText(event: Extract<Event, { kind: "apply_start" }>): string {
  if (runs(event)) return "Running...";
  if (isAction(event.subject) && event.action === "create") return "Noting...";
  return event.kept === undefined ? beginning[event.action] : forgetting[`${event.kept}`];
}

function doneText(event: Extract<Event, { kind: "apply_complete" }>): string {
  const { subject, action, kept = false, unchanged = false } = event;
  if (kept) return "Kept on the host, and forgotten,";
  if (unchanged) return "Nothing to change, as it turned out,";
  if (!isAction(subject)) return done[action];
  if (runs(event)) return "Ran";
  return action === "create" ? "Noted, not run," : "Updated, not run,";
}

/** A handler's instance is forgotten before it is made again: nothing happens on the host (C9). */
const nothingToRun = ({
  subject,
  action,
}: {
  readonly subject: EventSubject;
  readonly action: Acting;
}): boolean => isAction(subject) && action === "delete";

/** A handler that is only brought up to date is not run. */
const runs = ({
  subject,
  action,
  runs = action === "create",
}: Extract<Event, { kind: "apply_start" | "apply_complete" }>): boolean => isAction(subject) && runs;

/** Whether it is a handler's, in whatever module. */
const isAction = ({ address }: EventSubject): boolean =>
  /^(?:module\.[\w-]+\.)*conn3x_\w+_action\./.test(withoutModuleKeys(address));

/** @param elapsed milliseconds */
export function seconds(elapsed: number): string {
  if (elapsed < 9950) return `${(elapsed / 1000).toFixed(1)}s`;
  const whole = Math.round(elapsed / 1000);
  return whole < 60 ? `${whole}s` : `${Math.floor(whole / 60)}m${String(whole % 60).padStart(2, "0")}s`;
}
