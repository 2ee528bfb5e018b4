/**
 * @module Secrets that a person types: asked on the terminal, not shown, never read from a pipe.
 */
import { StringDecoder } from "node:string_decoder";

/** Whether there is a terminal to ask on. */
export const canAskHidden = (): boolean => process.stdin.isTTY === true && process.stderr.isTTY === true;

/**
 * @param question shown on standard error, since standard output may go elsewhere
 * @returns undefined when the input ended or ^C was typed, which reaches the program as always
 */
export function askHidden(question: string): Promise<string | undefined> {
  const { stdin, stderr } = process;
  const decoder = new StringDecoder("utf8");
  let typed: string[] = [];
  stderr.write(question);
  stdin.setRawMode(true);
  stdin.resume();
  return new Promise((resolve) => {
    const finish = (answer: string | undefined): void => {
      stdin.off("data", onData);
      stdin.off("end", onEnd);
      stdin.setRawMode(false);
      stdin.pause();
      stderr.write("\n");
      resolve(answer);
    };
    const onEnd = (): void => finish(undefined);
    const onData = (chunk: Buffer): void => {
      const characters = [...decoder.write(chunk)];
      for (const [at, character] of characters.entries()) {
        if (character === "\r" || character === "\n") {
          const rest = characters.slice(at + 1).join("");
          finish(typed.join(""));
          // What was typed ahead is for the next question.
          if (rest !== "") stdin.unshift(Buffer.from(rest));
          return;
        }
        if (character === "\x03") {
          finish(undefined);
          process.kill(process.pid, "SIGINT");
          return;
        }
        if (character === "\x04" && typed.length === 0) {
          finish(undefined);
          return;
        }
        if (character === "\x7f" || character === "\b") typed = typed.slice(0, -1);
        else if (character === "\x15") typed = [];
        else if (character >= " ") typed.push(character);
      }
    };
    stdin.on("data", onData);
    stdin.once("end", onEnd);
  });
}
