/**
 * @module What is said of an error that no layer expected. Its own message is never shown, since it may quote a value:
 * `JSON.parse` quotes the text, Node the argument. Where it happened quotes nothing.
 */

/** @param isTraced whether all of the stack is wanted, to report it with */
export function unexpectedText(error: unknown, isTraced: boolean): string {
  const frames = error instanceof Error ? framesOf(error) : [];
  const name = error instanceof Error ? error.name : typeof error;
  const where = frames[0] === undefined ? "" : ` ${frames[0].trim()}`;
  const advice = isTraced
    ? frames.join("\n")
    : "Run the same with CONN3X_TRACE=1 for a trace to report it with.";
  return `\nError: this is a defect of Conn3x: ${name}${where}\n${advice}\n`;
}

/** The lines of a stack below the message, which may have several lines itself. */
const framesOf = ({ message, stack = "" }: Error): readonly string[] =>
  (stack.includes(message) ? stack.slice(stack.indexOf(message) + message.length) : stack)
    .split("\n")
    .filter((line) => /^ +at /.test(line));
