/**
 * @module What happens to instances as lines of OpenTofu's machine-readable UI.
 */
import type { Event, EventSubject } from "../../engine/index.ts";
import type { UrnOf } from "../state/instance-name.ts";
import type { reasonData } from "./action-words.ts";
import { plainText } from "./json-object.ts";
import { type Line, resourceData } from "./ui-line.ts";

export type Acting = Extract<Event, { kind: "apply_start" }>["action"];

export interface EventLines {
  /** Undefined for an event that has no line. */
  event(event: Event): string | undefined;
  /** @param elapsed milliseconds */
  progress(subject: EventSubject, action: Acting, elapsed: number): string;
}

/** @param why what the plan says of an instance, by its address */
export function eventLines(
  line: Line,
  urnOf: UrnOf,
  why: ReadonlyMap<string, ReturnType<typeof reasonData>>,
): EventLines {
  const hook = (event: Event, words: string, more: object, level: "info" | "warn" | "error" = "info") => {
    if (event.kind === "diagnostic") return undefined;
    const { subject } = event;
    const hook = plainText({ resource: resourceData(subject, urnOf), ...more });
    return line(level, `${subject.address}${words}`, event.kind, { hook });
  };
  return {
    event(event) {
      switch (event.kind) {
        case "refresh_start":
          return hook(event, `: Refreshing state...${idText(event)}`, idData(event));
        case "refresh_complete":
          return hook(event, `: Refresh complete${idText(event)}`, idData(event));
        case "apply_start": {
          const { action, kept } = event;
          const begun = kept === undefined ? begins[action] : kept === true ? "Forgetting" : "Ending";
          const words = `${oldText(event)}: ${begun}...${idText(event)}`;
          return hook(event, words, {
            action,
            ...idData(event),
            ...(kept === true && { kept }),
            conn3x: why.get(event.subject.address),
          });
        }
        case "apply_complete": {
          const { action, kept } = event;
          const elapsed_seconds = secondsOf(event);
          const ended = kept ? "Kept on the host, and forgotten," : `${ends[action]} complete`;
          const words = `: ${ended} after ${elapsed_seconds}s${idText(event)}`;
          return hook(event, words, {
            action,
            ...idData(event),
            elapsed_seconds,
            ...(kept ? { kept } : {}),
          });
        }
        case "apply_errored": {
          const { action } = event;
          const elapsed_seconds = secondsOf(event);
          const words = `${oldText(event)}: ${ends[action]} errored after ${elapsed_seconds}s`;
          return hook(event, words, { action, elapsed_seconds }, "error");
        }
        case "apply_skipped":
          return hook(event, `: Not done: ${event.because}`, { reason: event.because }, "warn");
        case "diagnostic":
          return undefined;
      }
    },
    progress(subject, action, elapsed) {
      const elapsed_seconds = secondsOf({ elapsed });
      const message = `${subject.address}: Still ${begins[action].toLowerCase()}... [${elapsed_seconds}s elapsed]`;
      const hook = plainText({ resource: resourceData(subject, urnOf), action, elapsed_seconds });
      return line("info", message, "apply_progress", { hook });
    },
  };
}

const secondsOf = ({ elapsed }: { readonly elapsed: number }): number => Math.round(elapsed / 1000);

/** The suffix by which OpenTofu names an old object that a replacement left. */
const oldText = ({ deposed }: { readonly deposed?: string }): string =>
  deposed === undefined ? "" : ` (deposed object ${deposed})`;

const begins: Record<Acting, string> = { create: "Creating", update: "Modifying", delete: "Destroying" };
const ends: Record<Acting, string> = { create: "Creation", update: "Modifications", delete: "Destruction" };

const idText = ({ id }: { readonly id?: string | undefined }): string =>
  id === undefined ? "" : ` [id=${id}]`;

const idData = ({ id }: { readonly id?: string | undefined }) =>
  id === undefined ? {} : { id_key: "id", id_value: id };
