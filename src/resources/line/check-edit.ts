/**
 * @module What a plan says of an edit beside what its settings say: lines that go, anchors that do not exist, what becomes of
 * the file.
 */
import { type Diagnostic, warningDiagnostic } from "../../diagnostics/diagnostic.ts";
import { at } from "../../values/path.ts";
import type { PlainObject } from "../../values/plain.ts";
import type { PathFacts } from "../paths/path-facts.ts";
import { noWritingInPlace, otherNames } from "../paths/writing.ts";
import { consequences } from "./edit.ts";

/**
 * @param isKnown whether everything about the line is known
 */
export function checkEdit(
  object: PlainObject,
  content: Buffer,
  file: Pick<PathFacts, "names" | "mode" | "shared">,
  isKnown: boolean,
): readonly Diagnostic[] {
  const about = [...otherNames(object, file.names), ...noWritingInPlace(object, file)];
  if (!isKnown) return about;
  const { goes, misses } = consequences(content, object);
  return [
    ...about,
    ...(goes.length === 0 ? [] : [linesGo(object, goes, isForEverybody(file))]),
    ...(misses === undefined ? [] : [nothingMatches(object, misses)]),
  ];
}

/** What only its owner may read is not shown to whoever reads a plan. */
const isForEverybody = ({ mode }: Pick<PathFacts, "mode">): boolean => (mode & 0o044) !== 0;

const mostShown = 10;
/** Characters of a line. */
const longestShown = 200;

function linesGo({ path, state }: PlainObject, goes: readonly string[], isShown: boolean): Diagnostic {
  const count = goes.length === 1 ? "a line" : `${goes.length} lines`;
  const what = state === "absent" ? `${count} is removed from` : `${count} is replaced in`;
  const sentence = `On the host, ${goes.length === 1 ? what : what.replace(" is ", " are ")} ${String(path)}`;
  const shown = goes.slice(0, mostShown).map((text) => `  ${JSON.stringify(text.slice(0, longestShown))}`);
  const more = goes.length > mostShown ? [`  (and ${goes.length - mostShown} more)`] : [];
  const found = warningDiagnostic(
    state === "absent" ? "Lines are removed" : "Line is replaced",
    isShown ? [`${sentence}:`, ...shown, ...more].join("\n") : `${sentence}.`,
    { attribute: at("path") },
  );
  return { ...found, withoutValues: `${sentence}.` };
}

const nothingMatches = ({ path }: PlainObject, setting: string): Diagnostic =>
  warningDiagnostic(
    "No line to insert at",
    `On the host, ${String(path)} has no line that ${setting} matches: the new line is added at the end, where it may mean something else (as below a Match in sshd_config).`,
    { attribute: at(setting) },
  );
