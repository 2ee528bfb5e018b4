/**
 * @module How the system's `ssh` gets passwords and passphrases: it asks a program (ssh(1), SSH_ASKPASS), which answers from
 * its environment. So they are in no argument and in no file.
 */
import { writeFile } from "node:fs/promises";
import type { Login } from "./login.ts";

type Secrets = Pick<Login, "password" | "passphrase">;

/** Whether `ssh` may have to ask for something that is there to be answered. */
export const canAnswer = ({ password, passphrase }: Secrets): boolean =>
  password !== undefined || passphrase !== undefined;

/**
 * Each answer is given once: the same wrong password again would count twice where accounts are locked, and it is none
 * of the answers to a second question.
 */
const ASKPASS = `#!/bin/sh
n=\${CONN3X_HOP:-0}
case $1 in
*assphrase*) k=p eval "v=\\$CONN3X_PASSPHRASE_$n" ;;
*) k=w eval "v=\\$CONN3X_PASSWORD_$n" ;;
esac
[ -n "$v" ] && mkdir "$0.$k$n" 2>/dev/null && printf '%s\\n' "$v"
`;

/** @param path in a private directory, beside which marks are made */
export const writeAskpass = (path: string): Promise<void> => writeFile(path, ASKPASS, { mode: 0o700 });

/** @param logins the host's own, then those of the hosts on the way; `CONN3X_HOP` says whose answers are meant */
export function askpassEnvironment(program: string, logins: readonly Secrets[]): NodeJS.ProcessEnv {
  const answers = logins.flatMap(({ password, passphrase }, index) => [
    [`CONN3X_PASSWORD_${index}`, password ?? ""],
    [`CONN3X_PASSPHRASE_${index}`, passphrase ?? ""],
  ]);
  return {
    SSH_ASKPASS: program,
    SSH_ASKPASS_REQUIRE: "force",
    DISPLAY: process.env.DISPLAY ?? ":0",
    CONN3X_HOP: "0",
    ...Object.fromEntries(answers),
  };
}
