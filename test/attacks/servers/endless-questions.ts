/**
 * @module Questions at the login without end, each another one.
 */
import type { KeyboardAuthContext } from "ssh2";
import type { Attacker } from "./hostile-server.ts";

export const endlessQuestions: Attacker = {
  does: "asks one question after another and lets nobody in",
  password: "known",
  authenticating(_victim, attempt) {
    if (attempt.method !== "keyboard-interactive") return attempt.reject(["keyboard-interactive"]);
    let asked = 0;
    const ask = (): void =>
      (attempt as KeyboardAuthContext).prompt([{ prompt: `question ${asked++}`, echo: false }], "", "", ask);
    ask();
  },
};
