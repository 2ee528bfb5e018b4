/**
 * @module How the system's `ssh` gets passwords and passphrases: it asks a program (ssh(1), SSH_ASKPASS), which answers from
 * its environment. So they are in no argument and in no file.
 */
import { writeFile } from "node:fs/promises";
import type { Login } from "../login/login.ts";

type Secrets = Pick<Login, "password" | "passphrase">;

/** Whether `ssh` may have to ask for something that is there to be answered. */
export const canAnswer = ({ password, passphrase }: Secrets): boolean =>
  password !== undefined || passphrase !== undefined;

/**
 * A password is given once: the same wrong one again would count twice where accounts are locked, and it is no answer to a
 * second question. A passphrase goes to no host, but whoever asks for it for ever must be stopped: the words are those of
 * `ssh` itself and `ssh-add`, at the beginning. What a host asks begins with "(user@host) " since OpenSSH 8.5.
 */
const askpass = `#!/bin/sh
n=\${CONN3X_HOP:-0}
case $1 in
"Enter passphrase for "* | "Bad passphrase, try again"*) eval "v=\\$CONN3X_PASSPHRASE_$n"; k="p1 p2 p3 p4" ;;
*) eval "v=\\$CONN3X_PASSWORD_$n"; k=w ;;
esac
[ -n "$v" ] || exit 1
for i in $k; do
  mkdir "$0.$i.$n" 2>/dev/null || continue
  printf '%s\\n' "$v"
  exit
done
exit 1
`;

/** @param path in a private directory, beside which marks are made */
export const writeAskpass = (path: string): Promise<void> => writeFile(path, askpass, { mode: 0o700 });

/** @param logins the host's own, then those of the jump hosts; `CONN3X_HOP` says whose answers are meant */
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
