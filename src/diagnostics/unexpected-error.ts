/**
 * @module What is reported of an error that nobody expected. Its own message is never shown, since it may quote a value:
 * `JSON.parse` quotes the text, Node the argument, a regular expression itself. Where it happened quotes nothing.
 */

/** An error whose message has no value in it: it may be shown. */
export class PlainError extends Error {}

/** `TypeError at doIt (…/file.ts:1:2)` */
export function unexpectedLocation(error: unknown): string {
  if (error instanceof PlainError) return error.message;
  const [first] = framesOf(error);
  return first === undefined ? nameOf(error) : `${nameOf(error)} ${first.trim()}`;
}

/** The error without its message: its name and all of the stack. */
export const unexpectedTrace = (error: unknown): string => [nameOf(error), ...framesOf(error)].join("\n");

/** A name that somebody gave an error may be anything. */
const nameOf = (error: unknown): string => {
  if (!(error instanceof Error)) return typeof error;
  return /^\w{1,60}$/.test(error.name) ? error.name : "Error";
};

/** The lines of a stack below the message, which may have several lines itself. */
function framesOf(error: unknown): readonly string[] {
  if (!(error instanceof Error)) return [];
  const { message, stack = "" } = error;
  return (stack.includes(message) ? stack.slice(stack.indexOf(message) + message.length) : stack)
    .split("\n")
    .filter((line) => /^ +at .*(?::\d+:\d+\)?|\(<anonymous>\)|\(native\))$/.test(line));
}
