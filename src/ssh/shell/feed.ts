/**
 * @module What a command on a channel of its own reads: written no faster than it is taken. A script of ours takes it
 * steadily and ends soon after; a command of the user's may take its time.
 */
import { HostError } from "../host-error.ts";
import type { Login } from "../login/login.ts";
import { milliseconds } from "../milliseconds.ts";
import type { RunRequest } from "../session.ts";
import type { Shell } from "./shell.ts";

/** Bytes that are written at once. */
const slice = 256 * 1024;
/** Seconds in which a script of ours takes something: slow disks are waited for. */
const standstill = 120;

/**
 * Writes the input and its end.
 * @param fail gets why it cannot go on: the input cannot be read here, or the host does not take it in time
 * @returns what is to be called when the command does not read any more
 */
export function feed(
  shell: Shell,
  login: Login,
  { stdin, afterInput }: Pick<RunRequest, "stdin" | "afterInput">,
  fail: (error: unknown) => void,
): () => void {
  let isOver = false;
  let stop = (): void => {};
  let timer: NodeJS.Timeout | undefined;
  const stopped = new Promise<void>((resolve) => {
    stop = resolve;
  });
  const watch = (seconds: number, error: (seconds: number) => HostError): void => {
    clearTimeout(timer);
    if (afterInput === undefined || isOver) return;
    const most = Math.max(seconds, login.commandTimeout);
    timer = setTimeout(() => fail(error(most)), milliseconds(most));
  };
  const write = async (): Promise<void> => {
    for await (const chunk of Buffer.isBuffer(stdin) ? slicesOf(stdin) : (stdin ?? [])) {
      watch(standstill, (most) => takesNothing(login, most));
      shell.write(chunk);
      await Promise.race([shell.drained(), stopped]);
      if (isOver) return;
    }
    shell.end();
    watch(afterInput ?? 0, (most) => doesNotEnd(login, most));
  };
  write().catch(fail);
  return () => {
    isOver = true;
    clearTimeout(timer);
    stop();
  };
}

/** No faster than they are taken, whatever the host allows. */
function* slicesOf(bytes: Buffer): Generator<Buffer> {
  for (let at = 0; at < bytes.length; at += slice) yield bytes.subarray(at, at + slice);
}

const takesNothing = ({ host }: Login, seconds: number): HostError =>
  new HostError(
    "timeout",
    host,
    `${host} took none of the content for ${seconds} s`,
    "Look whether its disk answers; command_timeout changes the limit.",
    true,
  );

const doesNotEnd = ({ host }: Login, seconds: number): HostError =>
  new HostError(
    "timeout",
    host,
    `${host} had all of the content and did not put it in place within ${seconds} s`,
    "Look whether its disk answers; command_timeout changes the limit.",
    true,
  );
