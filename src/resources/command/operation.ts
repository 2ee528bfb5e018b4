/**
 * @module The operation that runs a command, and the attributes that result from it.
 */
import type { PlainObject } from "../../values/plain.ts";
import type { CommandAnswer, CommandOperation } from "../operation.ts";
import { commandText, invocation, writtenInvocation } from "./invocation.ts";
import { masker } from "./secrets.ts";

export function runCommand(settings: PlainObject): CommandOperation {
  const { stdin, timeout, success_codes: codes } = settings;
  return {
    do: "command",
    script: invocation(settings, commandText(settings)),
    written: writtenInvocation(settings, commandText(settings)),
    ...(typeof stdin === "string" ? { stdin: Buffer.from(stdin, "utf8") } : {}),
    ...(typeof timeout === "number" ? { timeout } : {}),
    // What makes the same is the same work, though its text was edited meanwhile.
    ...(typeof settings.creates === "string" ? { work: `creates ${settings.creates}` } : {}),
    purpose: "run the command",
    accept: Array.isArray(codes) ? codes.map(Number) : [0],
    shown: masker(settings),
  };
}

/** Bytes of a stream that are stored: what is longer keeps its end. */
const longestStored = 256 * 1024;

/** The last bytes of a text, from the beginning of a character on. */
function endOf(text: string): string {
  const bytes = Buffer.from(text, "utf8");
  if (bytes.length <= longestStored) return text;
  let start = bytes.length - longestStored;
  while ((bytes[start]! & 0xc0) === 0x80) start++;
  return bytes.toString("utf8", start);
}

/** The computed attributes: what it printed, unless that is secret, and its status. */
export function resultOf(settings: PlainObject, answer: CommandAnswer): PlainObject {
  const mask = masker(settings);
  // Masked before it is cut: the cut may go through a secret.
  const text = (stream: Buffer) =>
    settings.sensitive === true ? null : endOf(mask(stream.toString("utf8")));
  return { stdout: text(answer.stdout), stderr: text(answer.stderr), exit_code: answer.status, ran: true };
}
