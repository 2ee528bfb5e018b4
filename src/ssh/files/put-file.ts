/**
 * @module Writing a whole file: how its bytes are sent, and what a refusal of the host means.
 */
import { randomBytes } from "node:crypto";
import type { Script } from "../../script/script.ts";
import { raw } from "../../script/script.ts";
import { HostError } from "../host-error.ts";
import type { Login } from "../login/login.ts";
import type { Answer, FilePut } from "../session.ts";
import { damagedStatus, invalidStatus, putScript, refusedStatus } from "./put-script.ts";

/** Content that travels inside the script, so that it needs no channel of its own. */
const inlineContent = 32 * 1024;
/** Binary content grows as text; beyond this the shell's parsing costs more than a channel. */
const inlineText = 64 * 1024;

/** Seconds for what follows when all content is there, and bytes that the host writes and hashes in one, at least. */
const [leastTime, slowestDisk] = [120, 2_000_000];

/** This process, in the names of temporary files. */
const run = randomBytes(4).toString("hex");

/** A script for the host, and what goes to its standard input. */
export interface PutJob {
  readonly script: string;
  readonly stdin?: Buffer | AsyncIterable<Buffer>;
  readonly stdinSize?: number;
  /** Seconds for what is left to be done; unset where the user's own command has a part in it. */
  readonly afterInput?: number;
}

/** @throws HostError with code `write` when the path can be no file's */
export function putJob(login: Login, request: FilePut): PutJob {
  if (!request.path.startsWith("/") || request.path.endsWith("/") || request.path.includes("\0")) {
    throw new HostError(
      "write",
      login.host,
      `${JSON.stringify(request.path)} is not the absolute path of a file`,
    );
  }
  const { content } = request;
  const isSmall = Buffer.isBuffer(content) && content.length <= inlineContent;
  const inline = isSmall ? inlineSource(content) : undefined;
  if (inline) return { script: putScript(request, inline, run).text };
  const size = Buffer.isBuffer(content) ? content.length : content.size;
  return {
    script: putScript(request, raw("cat"), run).text,
    ...(request.validate === undefined ? { afterInput: leastTime + size / slowestDisk } : {}),
    ...(Buffer.isBuffer(content)
      ? { stdin: content, stdinSize: content.length }
      : { stdin: content.open(), stdinSize: content.size }),
  };
}

/** @throws HostError with code `write` or `invalid` */
export function checkPut(login: Login, request: FilePut, answer: Answer): void {
  if (answer.status === 0) return;
  const said = (answer.merged ? answer.stdout : answer.stderr).toString("utf8").trim();
  if (answer.status === invalidStatus) {
    throw new HostError(
      "invalid",
      login.host,
      `the new content of ${request.path} on ${login.host} did not pass ${request.validate}, and the file was left as it is`,
      said === "" ? "" : `It said:\n${said.split("\n").slice(-20).join("\n")}`,
    );
  }
  const reason =
    answer.status === damagedStatus
      ? "the bytes that arrived are not the ones that were sent"
      : reasonOf(answer, said);
  const busy = /busy/i.test(reason);
  throw new HostError(
    "write",
    login.host,
    `cannot write ${request.path} on ${login.host}: ${busy ? `it is a mount point of its own and cannot be replaced (${reason})` : reason}`,
    busy && !request.inPlace ? "With unsafe_write = true it is written over." : "",
    false,
  );
}

/** The system's words after the last colon: "mv: cannot move 'a' to 'b': Read-only file system". */
function reasonOf(answer: Answer, said: string): string {
  if (said === "") return `the script ended with status ${answer.status}`;
  const last = said.split("\n").at(-1)!;
  return answer.status === refusedStatus ? last : (/: ([^:]+)$/.exec(last)?.[1] ?? last);
}

/** `printf`, a builtin of dash, bash and busybox, with everything unusual in octal; nothing when that grows too long. */
function inlineSource(content: Buffer): Script | undefined {
  let text = "";
  for (const byte of content) text += encoded[byte];
  // A format that starts with "-" would be read as options.
  return text.length > inlineText ? undefined : raw(`printf '${text.replace(/^-/, "\\055")}'`);
}

/** Always three digits, so that a digit may follow. */
const encoded: readonly string[] = Array.from({ length: 256 }, (_, byte) => {
  const character = String.fromCharCode(byte);
  if (character === "%") return "%%";
  const plain =
    (byte >= 0x20 && byte < 0x7f && character !== "'" && character !== "\\") || character === "\n";
  return plain ? character : `\\${byte.toString(8).padStart(3, "0")}`;
});
