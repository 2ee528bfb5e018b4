/**
 * @module Running a command as its settings say, and what came of it.
 */
import type { PlainObject } from "../../values/plain.ts";
import type { CommandAnswer, CommandOperation } from "../operation.ts";
import { commandText, invocation } from "./invocation.ts";
import { masker } from "./secrets.ts";

export function runCommand(settings: PlainObject): CommandOperation {
  const { stdin, timeout, success_codes: codes } = settings;
  return {
    do: "command",
    script: invocation(settings, commandText(settings)),
    ...(typeof stdin === "string" ? { stdin: Buffer.from(stdin, "utf8") } : {}),
    ...(typeof timeout === "number" ? { timeout } : {}),
    purpose: "run the command",
    accept: Array.isArray(codes) ? codes.map(Number) : [0],
    shown: masker(settings),
  };
}

/** Bytes of a stream that are stored: what is longer keeps its end. */
const longestStored = 256 * 1024;

/** The computed attributes: what it printed, unless that is secret, and its status. */
export function resultOf(settings: PlainObject, answer: CommandAnswer): PlainObject {
  const text = (stream: Buffer) =>
    settings.sensitive === true ? null : masker(settings)(stream.subarray(-longestStored).toString("utf8"));
  return { stdout: text(answer.stdout), stderr: text(answer.stderr), exit_code: answer.status, ran: true };
}
