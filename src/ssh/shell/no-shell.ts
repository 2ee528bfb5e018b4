/**
 * @module Errors for channels that did not lead to our shell: what answered instead, and what can be done.
 */
import { refusedPassword } from "../auth/become-dialogue.ts";
import { HostError, type HostErrorCode, TerminalWanted } from "../host-error.ts";
import type { Login } from "../login/login.ts";

/** How a channel ended that should have come to our shell. */
export interface NoShell {
  /** `login` before READY came, `become` and `shell` after it: with become, sudo had its turn. */
  readonly stage: "login" | "become" | "shell";
  readonly why: "timeout" | "ended" | "flood";
  /** The command's exit status, where the host reported one. */
  readonly status: number | undefined;
  /** The last output, byte per character. */
  readonly printed: { readonly stdout: string; readonly stderr: string };
  readonly terminal: boolean;
  /** Whether a password was sent. */
  readonly answered: boolean;
}

export function explainNoShell(login: Login, end: NoShell): HostError {
  const { stage, why, status, printed } = end;
  if (stage !== "login" && login.become) return explainBecome(login, end);
  const said = excerpt(`${printed.stdout}\n${printed.stderr}`);
  const known = why === "ended" ? knownEnds.find(({ isMeant }) => isMeant(said, status)) : undefined;
  if (known !== undefined) {
    const reported = said === "" ? "" : `; it said: ${said}`;
    return new HostError(known.code, login.host, `${known.what(login)}${reported}`, known.advice(login));
  }
  const whats = {
    timeout: `no shell answered within ${login.connectTimeout} s`,
    flood: "it printed too much before any shell answered",
    ended: `ended with status ${status ?? "unknown"}`,
  };
  const what = whats[why];
  return new HostError(
    "no_shell",
    login.host,
    `${login.host} ran something else than a shell for ${login.user} (${what})${said === "" ? "" : `; it printed: ${said}`}`,
    "The account may have no login shell, a forced command, or a start-up file that does not end.",
  );
}

/** What sshd and login programs do in place of a shell. */
interface KnownEnd {
  isMeant(said: string, status: number | undefined): boolean;
  readonly code: HostErrorCode;
  what(login: Login): string;
  advice(login: Login): string;
}

const knownEnds: readonly KnownEnd[] = [
  {
    // sshd's session.c; pam_unix(8).
    isMeant: (said) =>
      /password change required|(your|the) password has expired|must change your password|required to change your password/i.test(
        said,
      ),
    code: "login_refused",
    what: ({ user, host }) => `the password of ${user} on ${host} has expired`,
    advice: ({ user }) => `Set a new one: log in with ssh by hand, or run "passwd ${user}" there as root.`,
  },
  {
    isMeant: (said) => /account (has expired|is locked)|account expired/i.test(said),
    code: "login_refused",
    what: ({ user, host }) => `the account ${user} on ${host} is closed`,
    advice: ({ user }) => `Root can open it there: "chage -E -1 ${user}" or "usermod -U ${user}".`,
  },
  {
    // nologin(8).
    isMeant: (said) => /account is currently not available|allows sftp connections only/i.test(said),
    code: "no_shell",
    what: ({ user, host }) => `the account ${user} on ${host} has no shell`,
    advice: ({ user }) =>
      `Give it one ("usermod -s /bin/sh ${user}"), take ForceCommand and ChrootDirectory in sshd_config off it, or log in as another user.`,
  },
  {
    // nologin(5), which sshd prints and ends with 254.
    isMeant: (_said, status) => status === 254,
    code: "login_refused",
    what: ({ user, host }) => `${host} lets nobody log in now, ${user} neither (/etc/nologin)`,
    advice: () => "It may be starting or going down. Try again later, or remove /etc/nologin there.",
  },
];

function explainBecome(login: Login, { why, printed, terminal, answered }: NoShell): HostError {
  const { becomeMethod: method, becomeUser, host, user } = login;
  const message = `${method} refused /bin/sh as ${becomeUser} for ${user} on ${host}`;
  const output = terminal ? printed.stdout : printed.stderr;
  const said = excerpt(withoutSecrets(login, complaint(method, output)));
  if (why === "timeout") {
    return new HostError(
      "unreachable",
      host,
      `${method} on ${host} did not start /bin/sh within ${login.connectTimeout} s`,
      `The host answers no more, or ${method} waits for something itself (a directory service, a name). connect_timeout changes the limit.`,
    );
  }
  if (/must have a tty/i.test(said) && !terminal) {
    return new TerminalWanted(
      "become_refused",
      host,
      `${message}: it wants a terminal (requiretty)`,
      `Put "Defaults:${user} !requiretty" into sudoers.`,
    );
  }
  if (/password is required|authentication required/i.test(said)) {
    return refused(login, `${message}: it asks for a password`, passwordAdvice(login));
  }
  if (/not in the sudoers/i.test(said)) {
    return refused(
      login,
      `${message}: the user is not in sudoers`,
      `Add "${user} ALL=(${becomeUser}) NOPASSWD: ALL" there.`,
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
    return refused(
      login,
      `there is no ${method} on ${host}`,
      `Log in as the user itself, or install ${method}.`,
    );
  }
  if (answered) return refusedPassword(login, said);
  return refused(login, said === "" ? message : `${message}: ${said}`, "");
}

function passwordAdvice({ user, becomeUser, becomeMethod }: Login): string {
  return becomeMethod === "sudo"
    ? `Give -ask-become-pass (-K) or set become_password, or allow it without: "${user} ALL=(${becomeUser}) NOPASSWD: ALL" in sudoers.`
    : `Give -ask-become-pass (-K) or set become_password, or allow it without: "permit nopass ${user} as ${becomeUser}" in doas.conf.`;
}

function refused(login: Login, message: string, advice: string): HostError {
  return new HostError("become_refused", login.host, message, advice);
}

/** Should a terminal have repeated it. */
function withoutSecrets({ becomePassword }: Login, text: string): string {
  return becomePassword ? text.replaceAll(becomePassword, "…") : text;
}

/** The lines that sudo (or the login shell about it) wrote, else the last one: start-up files may have written before. */
function complaint(method: string, output: string): string {
  const lines = output
    .replace(/conn3x-[0-9a-f]+-password:/g, "\n")
    .split("\n")
    .filter((line) => line.trim() !== "");
  const own = lines.filter((line) => line.includes(method) || /sorry|not allowed/i.test(line));
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
