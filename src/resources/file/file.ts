/**
 * @module `conn3x_file`: a regular file with given content.
 */
import { createHash } from "node:crypto";
import { type Diagnostic, errorDiagnostic } from "../../diagnostics/diagnostic.ts";
import type { ResourceDiff } from "../../revision/resource-diff.ts";
import { script } from "../../script/script.ts";
import { at } from "../../values/path.ts";
import type { PlainObject } from "../../values/plain.ts";
import type { Found, StepKind } from "../kind.ts";
import type { Operation } from "../operation.ts";
import { askPaths, type PathFacts, parsePaths } from "../paths/path-facts.ts";
import { adjustMetadata, observeMetadata, parseMode, setting } from "../paths/settings.ts";
import { fileSchema } from "./schema.ts";

/** What is known of a file: its metadata and hash, and its bytes where they were looked at. */
export interface FileFacts extends PathFacts {
  readonly content?: Buffer;
}

/** Bytes; what is larger is not fetched to be shown: only its hash tells that it differs. */
const largestShown = 1024 * 1024;

export const fileKind: StepKind<FileFacts> = {
  role: "step",
  name: "file",
  type: "conn3x_file",
  schema: fileSchema,
  check: checkBody,
  facts: {
    key: (object) => String(object.path),
    ask: (paths) => askPaths(paths, true),
    parse: (stdout, paths) => parsePaths(stdout, paths, true),
  },
  closer: {
    wanted: (facts, prior) =>
      facts.sha256 !== undefined && facts.sha256 !== prior.sha256 && facts.size <= largestShown,
    ask: (path) => script`cat -- ${path}`,
    parse: (content, facts) => ({ ...facts, sha256: hashOf(content), content }),
  },
  isOurs: ({ kind }) => kind === "file",
  observe: observeFile,
  plan: planFile,
  operate: operateFile,
  remove: removeFile,
};

function checkBody(config: PlainObject): readonly Diagnostic[] {
  if (config.content !== null || config.content_base64 !== null) return [];
  return [
    errorDiagnostic("Missing content", "A file needs one of content and content_base64.", {
      attribute: at("content"),
    }),
  ];
}

function observeFile(facts: FileFacts, prior: PlainObject): PlainObject {
  const same = facts.sha256 !== undefined && facts.sha256 === prior.sha256;
  const form = prior.content_base64 === null ? "content" : "content_base64";
  return {
    ...prior,
    ...observeMetadata(facts, prior),
    ...(same ? {} : { [form]: shownContent(facts, form) }),
    sha256: facts.sha256 ?? null,
  };
}

function shownContent({ content }: FileFacts, form: "content" | "content_base64"): string | null {
  if (content === undefined) return null;
  return content.toString(form === "content" ? "utf8" : "base64");
}

/** The hash follows from the content: known when that is. */
function planFile(diff: ResourceDiff): void {
  if (!diff.isKnown("content") || !diff.isKnown("content_base64")) diff.setNewComputed("sha256");
  else {
    const bytes = bytesOf({ content: diff.get("content"), content_base64: diff.get("content_base64") });
    if (bytes !== undefined) diff.setNew("sha256", hashOf(bytes));
  }
}

function operateFile(want: PlainObject, found: Found<FileFacts>): readonly Operation[] {
  const path = String(want.path);
  if (found.state === "unreadable") return [refuse(`${path} ${found.why}`)];
  const content = bytesOf(want) ?? Buffer.alloc(0);
  if (found.state === "absent") return [makeParents(path), putFile(path, content, want)];
  if (found.facts.kind !== "file") {
    return [refuse(`${path} is ${found.facts.kind === "directory" ? "a directory" : "no regular file"}`)];
  }
  if (found.facts.sha256 !== hashOf(content)) return [putFile(path, content, want)];
  return adjustMetadata(path, want, found.facts);
}

const refuse = (problem: string): Operation => ({
  do: "refuse",
  summary: "Cannot write the file",
  detail: `On the host, ${problem}. Remove it or choose another path.`,
});

function putFile(path: string, content: Buffer, want: PlainObject): Operation {
  const mode = setting(want, "mode");
  const owner = setting(want, "owner");
  const group = setting(want, "group");
  return {
    do: "put",
    path,
    content,
    follow: true,
    ...(mode === undefined ? {} : { mode: parseMode(mode) }),
    ...(owner === undefined ? {} : { owner }),
    ...(group === undefined ? {} : { group }),
  };
}

/** Parents that are missing get 0755, whatever the login's umask. */
function makeParents(path: string): Operation {
  const parent = path.slice(0, path.lastIndexOf("/")) || "/";
  return {
    do: "script",
    script: script`[ -d ${parent} ] || (umask 022 && mkdir -p -- ${parent})`,
    purpose: `make the directory ${parent}`,
    own: false,
  };
}

function removeFile(prior: PlainObject, found: Found<FileFacts>): readonly Operation[] {
  const path = String(prior.path);
  if (found.state === "absent") return [];
  if (found.state === "unreadable") {
    return [
      { do: "refuse", summary: "Cannot remove the file", detail: `On the host, ${path} ${found.why}.` },
    ];
  }
  // What has taken the file's place since is not ours to remove.
  if (found.facts.kind !== "file") return [];
  return [{ do: "script", script: script`rm -f -- ${path}`, purpose: `remove ${path}`, own: false }];
}

/** The wanted bytes; undefined when neither form is set. */
function bytesOf(object: PlainObject): Buffer | undefined {
  if (typeof object.content === "string") return Buffer.from(object.content, "utf8");
  if (typeof object.content_base64 === "string") return Buffer.from(object.content_base64, "base64");
  return undefined;
}

const hashOf = (bytes: Buffer): string => createHash("sha256").update(bytes).digest("hex");
