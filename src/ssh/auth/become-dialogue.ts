/**
 * @module Becoming another user when a password may be asked for: nothing but the password is sent until the other
 * user's shell has reported that it runs.
 *
 * The password goes out once, after our own random prompt (sudo), or after whatever su or doas print when they wait: they
 * take no prompt of ours, so it is never known by its words.
 */
import { randomBytes } from "node:crypto";
import { HostError } from "../host-error.ts";
import type { Login } from "../login/login.ts";
import type { Stream } from "../shell/shell-events.ts";
import type { Environment } from "../shell/shell-lines.ts";

export interface BecomeDialogue {
  /**
   * The command that becomes the other user, for `sh` or (on a terminal) for any login shell: those all read simple text
   * between single quotes alike.
   */
  readonly command: string;
  take(stream: Stream, chunk: Buffer): void;
  /** Whether the password has been sent. */
  answered(): boolean;
  /** No more events are reported. */
  close(): void;
}

export interface BecomeEvents {
  send(data: string): void;
  /** The other user's shell reads what is sent from now on. @param rest bytes of standard output after its word */
  up(rest: Buffer): void;
  refused(error: HostError): void;
}

/** Milliseconds for which a line without an end stands before it counts as a question. */
const questionPause = 200;

/** What follows sudo's prompt in its command line. */
const afterPrompt = " -H";

/** Whether the become user's shell cannot be asked for with the bootstrap line alone. */
export const needsDialogue = ({ become, becomeMethod, becomePassword }: Login, terminal: boolean): boolean =>
  become && (terminal || becomePassword !== undefined || becomeMethod === "su");

export function createBecomeDialogue(
  login: Login,
  environment: Environment,
  terminal: boolean,
  events: BecomeEvents,
): BecomeDialogue {
  const nonce = randomBytes(12).toString("hex");
  const prompt = `conn3x-${nonce}-password:`;
  const here = `conn3x-${nonce}-up`;
  let heard = "";
  let standard: Buffer = Buffer.alloc(0);
  let sent = false;
  let over = false;
  let timer: NodeJS.Timeout | undefined;

  const asked = (): void => {
    if (over) return;
    if (sent || login.becomePassword === undefined) {
      over = true;
      events.refused(sent ? refusedPassword(login) : noPassword(login));
      return;
    }
    sent = true;
    events.send(`${login.becomePassword}\n`);
  };
  /** How often sudo has asked. A login shell with `set -x` prints our command line, where more follows than sudo prints. */
  const questions = (): number =>
    heard
      .split(prompt)
      .slice(1)
      .filter((after) => !after.startsWith(afterPrompt)).length;
  /** After our mark, a line that has been begun and not ended. */
  const isQuestion = (): boolean => {
    const at = heard.indexOf(prompt);
    const line = heard
      .slice(at + prompt.length)
      .split("\n")
      .at(-1)!;
    return at >= 0 && line.trim() !== "";
  };

  return {
    command: becomeCommand(login, environment, terminal, prompt, here),
    answered: () => sent,
    close() {
      over = true;
      clearTimeout(timer);
    },
    take(stream, chunk) {
      if (over) return;
      if (stream === "stdout") {
        standard = Buffer.concat([standard, chunk]);
        const at = standard.indexOf(`${here}`);
        const end = at < 0 ? -1 : standard.indexOf(0x0a, at);
        if (end >= 0) {
          over = true;
          clearTimeout(timer);
          // Its `read` takes this line, unless it had to take a password that nobody asked for.
          events.send(":\n");
          return events.up(standard.subarray(end + 1));
        }
      }
      if ((stream === "stderr") === terminal) return;
      heard += chunk.toString("latin1");
      if (login.becomeMethod === "sudo") {
        if (questions() > (sent ? 1 : 0)) asked();
        return;
      }
      clearTimeout(timer);
      if (!isQuestion()) return;
      timer = setTimeout(() => {
        heard = sent ? heard : `${prompt}\n`;
        asked();
      }, questionPause);
    },
  };
}

function becomeCommand(
  { becomeUser: user, becomeMethod, becomePassword }: Login,
  environment: Environment,
  terminal: boolean,
  prompt: string,
  here: string,
): string {
  // A shell on a terminal would take it for a person's: it reads from a pipe instead.
  const shell = terminal ? "cat | /bin/sh" : "exec /bin/sh";
  const inner = `'echo ${here}; IFS= read -r conn3x_x; unset conn3x_x; ${shell}'`;
  const english = environment === "facts" ? "env LC_ALL=C " : "";
  const asking = becomePassword === undefined ? "-n" : `-S -p ${prompt}`;
  switch (becomeMethod) {
    case "sudo":
      return `exec ${english}sudo ${asking}${afterPrompt} -u ${user} /bin/sh -c ${inner}`;
    case "doas":
      return `echo ${prompt}; exec ${english}doas -u ${user} /bin/sh -c ${inner}`;
    case "su":
      return `echo ${prompt} >&2; exec ${english}su -s /bin/sh ${user} -c ${inner}`;
  }
}

function noPassword({ host, user, becomeMethod }: Login): HostError {
  return new HostError(
    "become_refused",
    host,
    `${becomeMethod} on ${host} asks ${user} for a password`,
    "Give -ask-become-pass (-K), which asks for it once on the terminal, or set become_password.",
  );
}

/** @param said what was printed, if it says more */
export function refusedPassword({ host, user, becomeMethod }: Login, said = ""): HostError {
  return new HostError(
    "become_refused",
    host,
    `${becomeMethod} on ${host} did not accept the become_password of ${user}${said === "" ? "" : `: ${said}`}`,
    becomeMethod === "su"
      ? "su wants the password of the user to become. It was tried once."
      : `${becomeMethod} wants the password of the user who logs in. It was tried once.`,
  );
}
