/**
 * @module Facts about a file, and the observed object.
 */

import { isUtf8 } from "node:buffer";
import { lines, raw } from "../../script/script.ts";
import { sweepBeside } from "../../script/temporary-files.ts";
import type { PlainObject } from "../../values/plain.ts";
import type { Closer, Facts, Look } from "../kind.ts";
import { printHeld } from "../paths/held.ts";
import { askNames, hasOtherNames, takeNames } from "../paths/owner-names.ts";
import { askPaths, type DanglingLink, type PathFacts, parsePaths } from "../paths/path-facts.ts";
import { observeMetadata } from "../paths/settings.ts";
import { follows, type PathSubject, pathOf, pathSubject } from "../paths/subject.ts";
import { hashOf, hashWanted } from "./content.ts";

/** Metadata and hash, and the bytes where they were looked at. */
export type FileFacts = (PathFacts & { readonly content?: Buffer }) | DanglingLink;

export const fileFacts: Facts<FileFacts, PathSubject> = {
  subject: pathSubject,
  ask: (subjects, acts) =>
    lines([...(acts ? [sweepBeside(subjects.map(pathOf))] : []), askPaths(subjects, true)]),
  parse: (stdout, subjects) => parsePaths(stdout, subjects, true),
};

/** Bytes; what is larger is not fetched to be shown: only its hash shows that it differs. */
const largestShown = 1024 * 1024;

/**
 * Content that has drifted, for showing it (of what comes from a local file only the hash), and names of owners
 * that may mean the same as those that were found: two lines, a word, and the content.
 */
export const differingContent: Closer<FileFacts> = {
  ask(facts, object, look) {
    if (facts.kind !== "file") return undefined;
    const isShown = (look === "refresh" || isReplaced(look, facts)) && isToBeShown(facts, object);
    if (!isShown && !hasOtherNames(object, facts)) return undefined;
    const content = isShown ? printHeld(String(object.path), follows(object), shownWord) : raw("echo -");
    return { ask: "script", script: lines([askNames(object, facts), content]), hidesAnswer: true };
  },
  parse({ status, stdout }, found) {
    if (found.kind !== "file") return found;
    const { facts, rest } = takeNames(stdout, found);
    const content = rest.subarray(shownWord.length);
    return status === 0 && rest.toString("utf8", 0, shownWord.length) === shownWord
      ? { ...facts, sha256: hashOf(content), content }
      : facts;
  },
};

/** Whether the plan is to show what a new file would overwrite: nothing that only its owner may read. */
const isReplaced = (look: Look, { mode }: PathFacts): boolean =>
  look === "plan_create" && (mode & 0o044) !== 0;

const shownWord = "content\n";

const isToBeShown = (facts: PathFacts, object: PlainObject): boolean =>
  facts.sha256 !== undefined &&
  facts.hidden !== true &&
  facts.sha256 !== object.sha256 &&
  facts.size <= largestShown &&
  object.source === null &&
  !isSecret(facts, object);

/** Whether the wanted file is there. Without `follow`, a link to one is another thing. */
export const isFile = (facts: FileFacts, object: PlainObject): boolean =>
  facts.kind === "file" && !(facts.link && !follows(object));

/**
 * Whether what the file holds is not to be known: that of `secret_content`, and, where nothing is known of the object
 * yet (an import), that of a file which only its owner may read.
 */
function isSecret({ mode }: PathFacts, object: PlainObject): boolean {
  if (typeof object.secret_content === "string" || typeof object.secret_intact === "boolean") return true;
  return isNew(object) && (mode & 0o044) === 0;
}

/** Whether nothing is known of the object yet, as in an import. */
const isNew = (object: PlainObject): boolean =>
  ["content", "content_base64", "source", "sha256"].every((name) => object[name] === null);

/** Without a word about the content but whether it is as it was written; a refresh knows that better than this. */
function observeSecret(facts: PathFacts, object: PlainObject): PlainObject {
  const wanted = typeof object.secret_content === "string";
  return {
    ...object,
    ...observeMetadata(facts, object),
    sha256: null,
    secret_intact: wanted ? facts.sha256 === hashWanted(object) : (object.secret_intact ?? true),
  };
}

export function observeFile(facts: FileFacts, object: PlainObject): PlainObject {
  if (facts.kind === "dangling") return object;
  if (isSecret(facts, object)) return observeSecret(facts, object);
  const same = facts.sha256 !== undefined && facts.sha256 === object.sha256;
  return {
    ...object,
    ...observeMetadata(facts, object),
    ...(same || object.source !== null ? {} : shownContent(facts, object)),
    // What must not leave the host is known here only by being, or not being, what is known already.
    sha256: facts.hidden && !same ? null : (facts.sha256 ?? null),
  };
}

/** Content that was not fetched is other content than the stored one, not none. Empty for a new object without it. */
function shownContent(
  { content, size }: PathFacts & { readonly content?: Buffer },
  object: PlainObject,
): PlainObject {
  if (isNew(object)) return content === undefined ? {} : exactContent(content);
  const form = object.content_base64 === null ? "content" : "content_base64";
  const shown = content?.toString(form === "content" ? "utf8" : "base64");
  return { [form]: shown ?? `(other content, ${size} bytes)` };
}

/**
 * Content in a form from which exactly these bytes can be written again. Engines bring text into Unicode's normal form C, and
 * what is no UTF-8 is no text for them.
 */
function exactContent(content: Buffer): PlainObject {
  const text = content.toString("utf8");
  return isUtf8(content) && text === text.normalize("NFC")
    ? { content: text }
    : { content_base64: content.toString("base64") };
}
