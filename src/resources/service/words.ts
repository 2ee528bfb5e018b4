/**
 * @module The answer about services without systemd: three words on a line.
 */
import { AnswerError } from "../kind.ts";
import type { InitName, ServiceFacts } from "./init-system.ts";

/** @throws AnswerError */
export function parseWords(
  init: InitName,
  answer: string,
  units: readonly string[],
): readonly ServiceFacts[] {
  const reported = answer.split("\n").filter((line) => line !== "");
  if (reported.length !== units.length) {
    throw new AnswerError(`the host told of ${reported.length} services and was asked about ${units.length}`);
  }
  return reported.map((line) => {
    const words = /^(exists|missing) (running|stopped) (enabled|disabled)$/.exec(line);
    if (words === null) throw new AnswerError(`the host told "${line}" of a service`);
    return {
      init,
      exists: words[1] === "exists",
      running: words[2] === "running",
      enabled: words[3] === "enabled",
      masked: false,
      canEnable: true,
    };
  });
}
