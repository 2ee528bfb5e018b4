/**
 * A question at the login in the words in which `ssh` asks for the passphrase of a key on the victim's own machine.
 */
import type { KeyboardAuthContext } from "ssh2";
import type { Attacker } from "./hostile-server.ts";

/** @param answers what the victim says to it, in order */
export const passphraseQuestion = (answers: string[]): Attacker => ({
  does: "asks for the passphrase of a key",
  password: "of-the-host",
  authenticating(_victim, attempt) {
    if (attempt.method !== "keyboard-interactive") return attempt.reject(["keyboard-interactive"]);
    let asked = 0;
    const ask = (): void => {
      if (asked++ === 4) return void attempt.reject(["keyboard-interactive"]);
      const prompt = "Enter passphrase for key '/home/u/.ssh/id_ed25519': ";
      (attempt as KeyboardAuthContext).prompt([{ prompt, echo: false }], "", "", (said) => {
        answers.push(...said);
        ask();
      });
    };
    ask();
  },
});
