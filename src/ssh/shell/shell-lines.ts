/**
 * @module The lines that go to a host's `/bin/sh`, and to the login shell before it.
 *
 * Everything here runs alike in dash, bash (also as `sh`) and busybox ash. A request is one line of the shell's grammar,
 * however many lines its script has, so the shell has read all of it before any of it runs.
 */
import { quote } from "../../script/script.ts";
import { slowly } from "../../script/slowly.ts";
import type { Login } from "../login/login.ts";
import { slowLabel } from "./answers.ts";
import { markVariable } from "./operation-mark.ts";
import { shellOptions, unsetOddities } from "./shell-environment.ts";

/** Directories of system tools that a login user's PATH often lacks; appended, so that nothing is shadowed. */
const sbin = "/usr/local/sbin:/usr/sbin:/sbin";

/** How a shell's environment is set before its first request. */
export type Environment =
  /** For our own scripts: messages in English, a known umask, and no directory kept busy. */
  | "facts"
  /** For the user's commands: as the host has it. */
  | "host";

/**
 * The command of the exec request: read alike by every login shell (no quotes, backslashes or newlines). Its output says
 * that it was started; `sh` then reads from standard input. For facts sudo speaks English, so that a refusal can be
 * distinguished from another; it would hand the setting on to the user's commands.
 * @param dialogue whether becoming the other user needs more than this line (`become-dialogue.ts`)
 */
export function bootstrapLine(
  nonce: string,
  login: Login,
  environment: Environment,
  dialogue = false,
): string {
  const english = environment === "facts" ? "env LC_ALL=C " : "";
  return `echo ${nonce}; exec ${dialogue ? "/bin/sh" : `${become(login, english)}/bin/sh`}`;
}

function become({ become, becomeUser, becomeMethod }: Login, english: string): string {
  if (!become) return "";
  return becomeMethod === "doas"
    ? `${english}doas -n -u ${becomeUser} `
    : `${english}sudo -n -H -u ${becomeUser} `;
}

/** User names that may stand in {@link bootstrapLine} as they are. */
export function isPlainUser(name: string): boolean {
  return /^[A-Za-z0-9_][A-Za-z0-9_.@-]*$/.test(name);
}

/** First line for a fresh shell: sets the environment, then prints the mark `-s` on both streams. */
export function prologue(token: string, environment: Environment): string {
  const path = `PATH=\${PATH:-/usr/local/bin:/usr/bin:/bin}:${sbin}; export PATH`;
  const slow = `${slowly}() { echo ${token}${slowLabel}; }`;
  const facts = `${unsetOddities}; LC_ALL=C; export LC_ALL; umask 022; cd /; ${slow}`;
  const settings = environment === "facts" ? `${path}; ${facts}` : path;
  return `${shellOptions}; ${settings}; echo ${token}-s; echo ${token}-s >&2\n`;
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

/**
 * As {@link requestLine}, for one of our own scripts where both streams are one terminal: what the script writes to its
 * standard error is held back (without NUL bytes) and printed after the first END mark.
 */
export function terminalRequestLine(token: string, id: number, script: string): string {
  const body = `${inSubshell(script, "nothing")} 2>&1 >&4 4>&-; conn3x_r=$?; echo .; exit $conn3x_r`;
  const held = `{ conn3x_e=$( ${body} ); conn3x_r=$?; } 4>&1`;
  return `echo ${token}-b${id} || exit; ${held}; echo ${token}-e${id}-$conn3x_r || exit; printf %s "\${conn3x_e%.}"; echo ${token}-e${id}\n`;
}

/** On a terminal there is no end of input: as many bytes as come. */
export function counted(bytes: number, body: string): string {
  return `head -c ${bytes} | { ${body}; }`;
}

/**
 * Runs one of our own scripts in a subshell: `exit`, `cd`, variables and syntax errors stay inside.
 * A leading blank keeps a script that starts with `-` from being read as an option of `eval`.
 */
export function inSubshell(script: string, input: Input): string {
  return `( eval ${quote(` ${script}\n`)} )${input === "nothing" ? " </dev/null" : ""}`;
}

/**
 * Runs a user's script in a shell of its own, where `$$` is that shell. The text comes by a pipe from a builtin, never in
 * an argument; descriptor 3 carries the input past it.
 *
 * @param mark of the shell around it, which stays whatever the script does with its own (`exec`)
 */
export function inOwnShell(script: string, input: Input, mark?: string): string {
  const run = `/bin/sh -c ${quote(readAndEval)}`;
  return piped(script, input, mark === undefined ? run : marked(mark, "", `${run}; exit $?`));
}

/**
 * As {@link inOwnShell}, killed with all of its process group after `seconds`; the status is then 137.
 *
 * A shell in a session of its own starts the watcher, in another session and away from the streams. The script runs in
 * the foreground, so that SIGINT is not ignored there. What a script sends to its whole group (`kill 0`) does not end the
 * shell that has to end the watcher.
 */
export function withTimeLimit(script: string, input: Input, seconds: number, mark?: string): string {
  const watcher = `$conn3x_s /bin/sh -c "sleep ${seconds}; kill -9 -$$" </dev/null >/dev/null 2>&1 3<&- & conn3x_w=$!`;
  const run = `trap : HUP INT QUIT TERM; /bin/sh -c ${quote(readAndEval)}; conn3x_r=$?`;
  const inner = `${findSetsid}; ${watcher}; ${run}; ${endWatcher}; exit $conn3x_r`;
  const shell =
    mark === undefined ? `$conn3x_s /bin/sh -c ${quote(inner)}` : marked(mark, "$conn3x_s", inner);
  return `${findSetsid}; ${piped(script, input, shell)}`;
}

/** A shell with a mark in its environment that nothing which it starts inherits. */
const marked = (mark: string, prefix: string, text: string): string =>
  `${markVariable}=${mark} ${prefix} /bin/sh -c ${quote(`unset ${markVariable}; ${text}`)}`;

function piped(script: string, input: Input, shell: string): string {
  return `{ printf %s ${quote(script)} | ${shell}; } 3<${input === "nothing" ? "/dev/null" : "&0"}`;
}

/** The shell that runs a user's script: reads it, takes the input, leaves no variable behind. */
const readAndEval = `conn3x_x=$(cat); exec <&3 3<&-; eval "unset conn3x_x
$conn3x_x
"`;

/** macOS has no setsid; its perl does the same. */
const findSetsid =
  "conn3x_s=setsid; command -v setsid >/dev/null 2>&1 || conn3x_s='perl -MPOSIX -ePOSIX::setsid();exec(@ARGV)'";

/** The watcher may not have its session yet when a command is fast: then it is a lone process, or just becoming a group. */
const endWatcher =
  "for conn3x_p in -$conn3x_w $conn3x_w -$conn3x_w; do kill -9 $conn3x_p 2>/dev/null && [ $conn3x_p = -$conn3x_w ] && break; done";
