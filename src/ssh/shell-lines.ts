/**
 * @module The lines that go to a host's `/bin/sh`, and to the login shell before it.
 *
 * Everything here runs alike in dash, bash (also as `sh`) and busybox ash. A request is one line of the shell's grammar,
 * however many lines its script has, so the shell has read all of it before any of it runs.
 */
import { quote } from "../script/script.ts";
import type { Login } from "./login.ts";

/** Directories of system tools that a login user's PATH often lacks; appended, so that nothing is shadowed. */
const SBIN = "/usr/local/sbin:/usr/sbin:/sbin";

/** How a shell's environment is set before its first request. */
export type Environment =
  /** For our own scripts: messages in English, a known umask, and no directory kept busy. */
  | "facts"
  /** For the user's commands: as the host has it. */
  | "host";

/**
 * The command of the exec request: read alike by every login shell (no quotes, backslashes or newlines). Its output says
 * that we got there; `sh` then reads from standard input. For facts sudo speaks English, so that a refusal can be told
 * from another; it would hand the setting on to the user's commands.
 */
export function bootstrapLine(nonce: string, login: Login, environment: Environment): string {
  const english = environment === "facts" ? "env LC_ALL=C " : "";
  const shell = login.become ? `${english}sudo -n -H -u ${login.becomeUser} /bin/sh` : "/bin/sh";
  return `echo ${nonce}; exec ${shell}`;
}

/** User names that may stand in {@link bootstrapLine} as they are. */
export function isPlainUser(name: string): boolean {
  return /^[A-Za-z0-9_][A-Za-z0-9_.@-]*$/.test(name);
}

/** First line for a fresh shell: sets the environment, then prints the mark `-s` on both streams. */
export function prologue(token: string, environment: Environment): string {
  const path = `PATH=\${PATH:-/usr/local/bin:/usr/bin:/bin}:${SBIN}; export PATH`;
  const facts = "unset LANGUAGE; LC_ALL=C; export LC_ALL; umask 022; cd /";
  const settings = environment === "facts" ? `${path}; ${facts}` : path;
  return `${settings}; echo ${token}-s; echo ${token}-s >&2\n`;
}

/** What a request's script reads. */
export type Input =
  /** Nothing: end of file at once. */
  | "nothing"
  /** What follows on the channel after the BEGIN mark. */
  | "channel";

/**
 * One request: BEGIN mark `-bN` on standard output, the script in a subshell, END marks `-eN-STATUS` and `-eN`.
 * Where the BEGIN mark cannot be written, nobody listens any more and nothing is begun.
 */
export function requestLine(token: string, id: number, body: string, after: "" | "; exit" = ""): string {
  return `echo ${token}-b${id} || exit; ${body}; conn3x_r=$?; echo ${token}-e${id}-$conn3x_r || exit; echo ${token}-e${id} >&2${after}\n`;
}

/** Runs `script` in a subshell: `exit`, `cd`, variables and syntax errors stay inside. */
export function inSubshell(script: string, input: Input): string {
  return `( eval ${asOneWord(script)} )${input === "nothing" ? " </dev/null" : ""}`;
}

/**
 * As {@link inSubshell}, killed with all of its process group after `seconds`; the status is then 137.
 *
 * A shell in a session of its own starts the watcher, in another session and away from the streams, and runs the script
 * in the foreground, so that SIGINT is not ignored there. The shell's text comes by a pipe from a builtin, never in an
 * argument; descriptor 3 carries the input past it.
 */
export function withTimeLimit(script: string, input: Input, seconds: number): string {
  const watcher = `$conn3x_s /bin/sh -c "sleep ${seconds}; kill -9 -$$" </dev/null >/dev/null 2>&1 3<&- & conn3x_w=$!`;
  const inner = `${FIND_SETSID}; ${watcher}; ( eval ${asOneWord(script)} ) <&3 3<&-; conn3x_r=$?; kill -9 -$conn3x_w; exit $conn3x_r\n`;
  return `${FIND_SETSID}; { printf %s ${quote(inner)} | $conn3x_s /bin/sh; } 3<${input === "nothing" ? "/dev/null" : "&0"}`;
}

/** macOS has no setsid; its perl does the same. */
const FIND_SETSID =
  "conn3x_s=setsid; command -v setsid >/dev/null 2>&1 || conn3x_s='perl -MPOSIX -ePOSIX::setsid();exec(@ARGV)'";

/** A leading blank keeps a script that starts with `-` from being read as an option of `eval`. */
function asOneWord(script: string): string {
  return quote(` ${script}\n`);
}
