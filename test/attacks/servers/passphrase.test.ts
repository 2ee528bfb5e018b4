import { expect, test } from "vitest";
import { script } from "../../../src/script/script.ts";
import { createSessionPool } from "../../../src/ssh/session-pool.ts";
import { startHostileServer } from "./hostile-server.ts";
import { passphraseQuestion } from "./passphrase-question.ts";

test.each([
  ["ssh2", "of-the-host"],
  ["openssh", "of-the-host"],
  ["openssh", undefined],
] as const)(
  "no server gets the passphrase of a key by asking for it (%s, password %s)",
  async (transport, password) => {
    const answers: string[] = [];
    const { login, close } = await startHostileServer(passphraseQuestion(answers));
    const { privateKey: _key, password: _password, ...own } = login;
    const pool = createSessionPool();
    const given = {
      ...own,
      transport,
      passphrase: "of-the-key",
      ...(password === undefined ? {} : { password }),
    };
    await expect(pool.session(given).ask(script`echo in`)).rejects.toMatchObject({ code: "login_refused" });
    await pool.close();
    await close();
    expect(answers).not.toContain("of-the-key");
    // What is the host's it may have, once.
    expect(answers.filter((answer) => answer !== "")).toEqual(password === undefined ? [] : [password]);
  },
);
