/**
 * @module What to tell when a channel did not come to our shell: who answered instead, and what can be done.
 */
import { HostError } from "./host-error.ts";
import type { Login } from "./login.ts";

/**
 * @param stage `login` before READY came, `shell` after it (so with become, sudo had its turn)
 * @param status the command's exit status, where the host told one
 * @param printed the last output, byte per character
 */
export function explainNoShell(
  login: Login,
  stage: "login" | "shell",
  why: "timeout" | "ended",
  status: number | undefined,
  printed: { readonly stdout: string; readonly stderr: string },
): HostError {
  if (stage === "shell" && login.become) return explainSudo(login, why, printed.stderr);
  const said = excerpt(`${printed.stdout}\n${printed.stderr}`);
  const what =
    why === "timeout"
      ? `no shell answered within ${login.connectTimeout} s`
      : `ended with status ${status ?? "unknown"}`;
  return new HostError(
    "no_shell",
    login.host,
    `${login.host} ran something else than a shell for ${login.user} (${what})${said === "" ? "" : `; it printed: ${said}`}`,
    "The account may have no login shell, a forced command, or a start-up file that does not end.",
  );
}

function explainSudo(login: Login, why: "timeout" | "ended", stderr: string): HostError {
  const who = `${login.user} on ${login.host}`;
  const message = `sudo refused /bin/sh as ${login.becomeUser} for ${who}`;
  const said = excerpt(sudoLines(stderr));
  if (why === "timeout") {
    return refused(login, `sudo on ${login.host} did not start /bin/sh within ${login.connectTimeout} s`, "");
  }
  if (/must have a tty/i.test(said)) {
    return refused(
      login,
      `${message}: it wants a terminal (requiretty)`,
      `Put "Defaults:${login.user} !requiretty" into sudoers.`,
    );
  }
  if (/password is required/i.test(said)) {
    return refused(
      login,
      `${message}: it asks for a password`,
      `Allow it without: "${login.user} ALL=(${login.becomeUser}) NOPASSWD: ALL" in sudoers.`,
    );
  }
  if (/not in the sudoers/i.test(said)) {
    return refused(
      login,
      `${message}: the user is not in sudoers`,
      `Add "${login.user} ALL=(${login.becomeUser}) NOPASSWD: ALL" there.`,
    );
  }
  if (/not allowed/i.test(said)) {
    return refused(
      login,
      `${message}: sudoers allows other commands only`,
      "Conn3x needs /bin/sh: a list of single commands is not enough.",
    );
  }
  if (/not found|no such file/i.test(said)) {
    return refused(login, `there is no sudo on ${login.host}`, "Log in as the user itself, or install sudo.");
  }
  return refused(login, said === "" ? message : `${message}: ${said}`, "");
}

function refused(login: Login, message: string, advice: string): HostError {
  return new HostError("become_refused", login.host, message, advice);
}

/** The lines that sudo (or the login shell about sudo) wrote, else the last one: start-up files may have written before. */
function sudoLines(stderr: string): string {
  const lines = stderr.split("\n").filter((line) => line.trim() !== "");
  const own = lines.filter((line) => /sudo|sorry|not allowed/i.test(line));
  return (own.length > 0 ? own : lines.slice(-1)).join("; ");
}

/** Printable and short. */
function excerpt(text: string): string {
  const clean = Buffer.from(text, "latin1")
    .toString("utf8")
    .replace(/[^\p{L}\p{N}\p{P}\p{S} ]+/gu, " ")
    .trim();
  return clean.length > 300 ? `…${clean.slice(-300)}` : clean;
}
