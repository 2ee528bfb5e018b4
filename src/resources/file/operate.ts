/**
 * @module The operations that write and remove a file.
 */

import type { Diagnostic } from "../../diagnostics/diagnostic.ts";
import type { PlainObject } from "../../values/plain.ts";
import { Unknown } from "../../values/value.ts";
import type { Found } from "../kind.ts";
import { type LocalContent, type Operation, type PutOperation, sayKept } from "../operation.ts";
import { inTheWay, refusedFor } from "../paths/in-the-way.ts";
import { removeFileAt } from "../paths/remove-file.ts";
import { adjustMetadata, parseMode, setting } from "../paths/settings.ts";
import { follows } from "../paths/subject.ts";
import { noWritingInPlace, otherNames } from "../paths/writing.ts";
import { contentOf, hashWanted } from "./content.ts";
import { type FileFacts, isFile } from "./facts.ts";

export function operateFile(want: PlainObject, found: Found<FileFacts>): readonly Operation[] {
  const path = String(want.path);
  if (found.state === "unreadable") return [refuse(`${path} ${found.why}`)];
  const wanted = contentOf(want);
  if (wanted === undefined) return leaveContent(path, want, found);
  const put = putFile(path, wanted.content, want);
  if (found.state === "absent") return [{ ...put, parents: true }];
  const { facts } = found;
  const problem = otherThing(path, want, facts);
  if (problem !== undefined) return [refuse(problem)];
  if (!isFile(facts, want) || facts.kind !== "file") return [put];
  if (facts.sha256 !== wanted.sha256) return [put];
  const adjust = adjustMetadata(path, want, facts);
  // Where others can turn the name to another file meanwhile, only a new file is given to somebody.
  return adjust.length > 0 && facts.shared ? [put] : adjust;
}

/** The content is somebody else's: what is there stays, and where nothing is there nothing can be made. */
function leaveContent(path: string, want: PlainObject, found: Found<FileFacts>): readonly Operation[] {
  if (found.state === "present" && found.facts.kind === "file") {
    const adjust = adjustMetadata(path, want, found.facts);
    if (adjust.length === 0 || !found.facts.shared) return adjust;
    return [
      refuse(
        `others can change the directory of ${path}, or one above it, so that its owner and mode are only set together with its content, which somebody else owns here`,
      ),
    ];
  }
  return [refuse(`${path} is not a file any more, and somebody else owns its content`)];
}

/** A link is written through, or, without `follow`, replaced whatever it leads to. */
function otherThing(path: string, want: PlainObject, facts: FileFacts): string | undefined {
  if (facts.kind === "file" || facts.kind === "dangling") return undefined;
  if (facts.link && !follows(want)) return undefined;
  return `${path} is ${facts.kind === "directory" ? "a directory" : "no regular file"}`;
}

export function checkFilePlan(object: PlainObject, found: Found<FileFacts>): readonly Diagnostic[] {
  if (found.state !== "present" || object.follow instanceof Unknown) return [];
  const problem = otherThing(String(object.path), object, found.facts);
  if (problem !== undefined) return [inTheWay(problem)];
  const { facts } = found;
  return facts.kind === "file" && isFile(facts, object) && facts.sha256 !== hashWanted(object)
    ? [...otherNames(object, facts.names), ...noWritingInPlace(object, facts)]
    : [];
}

const refuse = (problem: string): Operation => ({
  do: "refuse",
  summary: "Cannot write the file",
  detail: refusedFor(problem),
});

function putFile(path: string, content: Buffer | LocalContent, want: PlainObject): PutOperation {
  const mode = setting(want, "mode");
  const owner = setting(want, "owner");
  const group = setting(want, "group");
  const validate = setting(want, "validate");
  return {
    do: "put",
    path,
    content,
    follow: follows(want),
    ...(mode === undefined ? {} : { mode: parseMode(mode) }),
    ...(owner === undefined ? {} : { owner }),
    ...(group === undefined ? {} : { group }),
    ...(validate === undefined ? {} : { validate }),
    ...(want.backup === true ? { backup: true } : {}),
    ...(want.unsafe_write === true ? { inPlace: true } : {}),
  };
}

export function removeFile(prior: PlainObject, found: Found<FileFacts>): readonly Operation[] {
  const path = String(prior.path);
  if (found.state === "absent") return [];
  if (found.state === "unreadable") {
    return [
      { do: "refuse", summary: "Cannot remove the file", detail: `On the host, ${path} ${found.why}.` },
    ];
  }
  const { facts } = found;
  // What has replaced the file since is not ours to remove.
  if (!isFile(facts, prior) || facts.kind !== "file") return [];
  const purpose = `remove ${path}`;
  const remove = removeFileAt(path, { follow: facts.link });
  // A link may have been turned to a file that Conn3x never wrote: only what was written through it goes.
  const isWritten =
    !facts.link ||
    prior.secret_intact === true ||
    (facts.sha256 !== undefined && facts.sha256 === prior.sha256);
  return [{ do: "script", script: isWritten ? remove : sayKept, purpose, own: false }];
}
