/**
 * @module `conn3x_line`: one line of a text file.
 */

import { type Diagnostic, errorDiagnostic } from "../../diagnostics/diagnostic.ts";
import { lines } from "../../script/script.ts";
import { sweepBeside } from "../../script/temporary-files.ts";
import { at } from "../../values/path.ts";
import type { PlainObject } from "../../values/plain.ts";
import { Unknown } from "../../values/value.ts";
import { type Found, foundAs, type StepKind } from "../kind.ts";
import type { Operation } from "../operation.ts";
import {
  askContents,
  type ContentFacts,
  largestContent,
  mostOfContents,
  parseContents,
} from "../paths/file-contents.ts";
import { notReadOn, type PathFacts } from "../paths/path-facts.ts";
import { removeFileAt } from "../paths/remove-file.ts";
import { pathId, setting } from "../paths/settings.ts";
import { follows, type PathSubject, pathOf, pathSubject } from "../paths/subject.ts";
import { checkLine } from "./check.ts";
import { checkEdit } from "./check-edit.ts";
import { findLine, hasUnwanted, withLine, withoutUnwanted } from "./edit.ts";
import { lineId } from "./id.ts";
import { lineSchema } from "./schema.ts";

/** What is in the file; undefined when there is none. */
export interface LineFacts {
  readonly content: Buffer | undefined;
  /** The file that is there. */
  readonly file?: Pick<PathFacts, "names" | "mode" | "shared">;
}

export const lineKind: StepKind<LineFacts, PathSubject> = {
  role: "step",
  name: "line",
  type: "conn3x_line",
  schema: lineSchema,
  id: {
    // Without an expression the line itself says which line of the file it is.
    from: ["path", "regexp", "line"],
    of: lineId,
  },
  title: ({ path }) => `in ${path}`,
  check: checkLine,
  facts: {
    hidesAnswer: true,
    subject: pathSubject,
    most: mostOfContents,
    ask: (subjects, acts) =>
      lines([...(acts ? [sweepBeside(subjects.map(pathOf))] : []), askContents(subjects)]),
    parse: (stdout, paths) => parseContents(stdout, paths).map(lineFacts),
  },
  isOurs: ({ content }, object) =>
    isAbsence(object) || (content !== undefined && findLine(content, object).state !== "missing"),
  observe: observeLine,
  planCheck: checkLinePlan,
  asFound: ["line", "state"],
  exclusive: pathId.of,
  operate: operateLine,
  makesHolder: (found) => found.state === "present" && found.facts.content === undefined,
  remove: removeLine,
};

const isAbsence = (object: PlainObject): boolean => object.state === "absent";

const lineFacts = (found: Found<ContentFacts>): Found<LineFacts> => foundAs(linesIn(found), found.realNames);

/** A file that is missing has no line, which may be as wanted. */
function linesIn(found: Found<ContentFacts>): Found<LineFacts> {
  if (found.state === "unreadable") return found;
  const { facts } = found.state === "absent" ? { facts: undefined } : found;
  if (facts === undefined || (facts.kind === "dangling" && facts.followed))
    return { state: "present", facts: { content: undefined } };
  if (facts.kind === "dangling")
    return { state: "unreadable", why: "is a symbolic link, which is followed only with follow = true" };
  if (facts.kind !== "file") return { state: "unreadable", why: "is no regular file" };
  if (facts.content !== undefined) {
    const { names, mode, shared } = facts;
    const file = { names, mode, ...(shared && { shared }) };
    return { state: "present", facts: { content: facts.content, file } };
  }
  const why = facts.hidden
    ? notReadOn
    : facts.size > largestContent
      ? `has more than ${largestContent} bytes`
      : "must not be read by the user that acts";
  return { state: "unreadable", why };
}

function observeLine({ content }: LineFacts, object: PlainObject): PlainObject {
  if (content === undefined) return object;
  if (isAbsence(object)) return hasUnwanted(content, object) ? { ...object, state: "present" } : object;
  const found = findLine(content, object);
  return found.state === "other" ? { ...object, line: found.text } : object;
}

const missingFile = (path: string) => ({
  summary: "No such file",
  detail: `There is no file ${path} on the host whose line could be set. Make it in an earlier step, or set create = true.`,
});

function checkLinePlan(object: PlainObject, found: Found<LineFacts>): readonly Diagnostic[] {
  if (found.state !== "present") return [];
  const { content, file } = found.facts;
  if (content !== undefined && file !== undefined) {
    // An edit that is not known yet may be one.
    const isKnown = !Object.values(object).some((value) => value instanceof Unknown);
    if (isKnown && operateLine(object, found).every((operation) => operation.do !== "put")) return [];
    return checkEdit(object, content, file, isKnown);
  }
  if (isAbsence(object) || object.create === true) return [];
  const { summary, detail } = missingFile(String(object.path));
  return [errorDiagnostic(summary, detail, { attribute: at("path") })];
}

function operateLine(want: PlainObject, found: Found<LineFacts>, prior?: PlainObject): readonly Operation[] {
  const path = String(want.path);
  if (found.state !== "present") return [cannotEdit(path, found)];
  const { content } = found.facts;
  if (isAbsence(want)) {
    if (content === undefined || !hasUnwanted(content, want)) return [];
    return [put(want, withoutUnwanted(content, want))];
  }
  if (content === undefined && want.create !== true) return [{ do: "refuse", ...missingFile(path) }];
  const old = content ?? Buffer.alloc(0);
  // An edited text replaces the one before, where nothing else says which line it is.
  const before = want.regexp === null && prior !== undefined ? setting(prior, "line") : undefined;
  const edited = withLine(old, want, before);
  return content?.equals(edited) ? [] : [put(want, edited)];
}

const cannotEdit = (path: string, found: Found<LineFacts>): Operation => ({
  do: "refuse",
  summary: "Cannot edit the file",
  detail: `On the host, ${path} ${found.state === "unreadable" ? found.why : "cannot be seen"}.`,
});

function put(want: PlainObject, content: Buffer): Operation {
  const validate = setting(want, "validate");
  return {
    do: "put",
    path: String(want.path),
    content,
    follow: follows(want),
    ...(validate === undefined ? {} : { validate }),
    ...(want.backup === true ? { backup: true } : {}),
    ...(want.unsafe_write === true ? { inPlace: true } : {}),
  };
}

/**
 * Takes the line away that an apply put there; one that has been changed since, or is made of another, stays. A file that
 * was made for it goes when nothing else has come into it.
 */
function removeLine(
  prior: PlainObject,
  found: Found<LineFacts>,
  fileMade: boolean = false,
): readonly Operation[] {
  if (found.state === "unreadable") return [cannotEdit(String(prior.path), found)];
  if (found.state === "absent" || isAbsence(prior) || prior.backrefs === true) return [];
  const { content } = found.facts;
  const exactly = { ...prior, regexp: null };
  if (content === undefined || !hasUnwanted(content, exactly)) return [];
  const rest = withoutUnwanted(content, exactly);
  const edit = put({ ...prior, validate: null }, rest);
  return fileMade && rest.length === 0 ? [edit, removeEmpty(prior)] : [edit];
}

const removeEmpty = (prior: PlainObject): Operation => ({
  do: "script",
  script: removeFileAt(String(prior.path), { follow: follows(prior), ifEmpty: true }),
  purpose: `remove the empty file ${String(prior.path)}`,
  own: false,
});
