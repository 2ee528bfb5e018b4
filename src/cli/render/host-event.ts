/**
 * @module Events of a connection as text: in full for `-log`, as one line for `-v`.
 */
import { visible, visibleLine } from "../../diagnostics/visible.ts";
import type { Answered, Asked, HostEvent } from "../../ssh/index.ts";

/** Characters that a line of `-v` has of a text. */
const longestPart = 120;

/** Ends with a line feed. Texts of several lines are indented below. */
export function hostEventText(event: HostEvent, at: Date): string {
  const [first, ...more] = fullLines(event);
  return [`${at.toISOString()}  ${first}`, ...more].map((line) => `${line.trimEnd()}\n`).join("");
}

function fullLines(event: HostEvent): readonly string[] {
  switch (event.kind) {
    case "asked":
      return [`${askedTitle(event)}:`, ...block(event.text)];
    case "answered":
      return [
        answeredTitle(event),
        ...stream("standard output", event.stdout),
        ...stream("standard error", event.stderr),
        ...(event.error === undefined ? [] : block(event.error)),
      ];
    default: {
      const [first = "", ...more] = visible(sentence(event)).split("\n");
      return [first, ...more.map(indented)];
    }
  }
}

const stream = (name: string, text: string | undefined): readonly string[] =>
  text === undefined ? [] : [`  ${name}:`, ...block(text)];

const block = (text: string): readonly string[] =>
  visible(text)
    .replace(/^\n+|\n+$/g, "")
    .split("\n")
    .map(indented);

const indented = (line: string): string => `    ${line}`;

/** `web1: #3 facts answered after 0.021 s: status 0`, with a line feed. */
export function hostEventLine(event: HostEvent): string {
  return `${visibleLine(`${event.host}: `)}${shortText(event)}\n`;
}

function shortText(event: HostEvent): string {
  switch (event.kind) {
    case "asked":
      // What it is for says more than the first line of a script of ours.
      return event.purpose !== undefined && event.request !== "command"
        ? visibleLine(askedTitle(event))
        : `${visibleLine(askedTitle(event))}: ${part(event.text)}`;
    case "answered": {
      const said = event.error ?? event.stderr ?? event.stdout;
      return `${answeredTitle(event)}${said === undefined ? "" : `: ${part(said)}`}`;
    }
    default:
      return part(sentence(event));
  }
}

/** As much as a line holds. */
function part(text: string): string {
  const line = visibleLine(text.trim());
  return line.length > longestPart ? `${line.slice(0, longestPart - 1)}…` : line;
}

const askedTitle = ({ id, request, purpose }: Asked): string =>
  `#${id} ${request}${purpose === undefined ? "" : `, to ${visibleLine(purpose)}`}`;

function answeredTitle({ id, request, milliseconds, status, error }: Answered): string {
  const outcome = error === undefined ? "answered" : "failed";
  const reported = status === undefined ? "" : `, status ${status}`;
  return `#${id} ${request} ${outcome} after ${seconds(milliseconds)}${reported}`;
}

function sentence(event: Exclude<HostEvent, { readonly kind: "asked" | "answered" }>): string {
  switch (event.kind) {
    case "connecting": {
      const { address, port, user, becomes } = event;
      const then = becomes === undefined ? "" : `, to become ${becomes}`;
      return `connecting to ${address} port ${port} as ${user}${then}`;
    }
    case "connected":
      return `logged in after ${seconds(event.milliseconds)}`;
    case "not_connected":
      return `not logged in after ${seconds(event.milliseconds)}: ${event.error}`;
    case "disconnected":
      return event.error === undefined ? "disconnected" : `connection lost: ${event.error}`;
    case "login":
      return event.text;
    case "channel":
      return event.error === undefined
        ? `channel opened after ${seconds(event.milliseconds)}: ${event.command}`
        : `channel not opened: ${event.error}`;
  }
}

const seconds = (milliseconds: number): string => `${(milliseconds / 1000).toFixed(3)} s`;
