/**
 * Keys of hosts that somebody else has got, and that are revoked: as OpenSSH has it, which is asked as well.
 */
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, expect, test } from "vitest";
import { generateKeyPair } from "../../../src/demo/host/key-pair.ts";
import { script } from "../../../src/script/script.ts";
import type { Login } from "../../../src/ssh/login/login.ts";
import { createSessionPool } from "../../../src/ssh/session-pool.ts";
import { type HostileServer, startHostileServer } from "./hostile-server.ts";

const folder = mkdtempSync(join(tmpdir(), "conn3x-revoked-"));
afterAll(() => rmSync(folder, { recursive: true }));
let server: HostileServer | undefined;
afterEach(() => server?.close());

/** What is written into the file that `RevokedHostKeys` names, for a host with this key; nothing where it is not there. */
const files: Readonly<Record<string, (key: string, file: string) => void>> = {
  "has the key": (key, file) => writeFileSync(file, `# gone\n${key}\n`),
  "has another key": (_key, file) => writeFileSync(file, `${generateKeyPair().public}\n`),
  "is empty": (_key, file) => writeFileSync(file, ""),
  "is a binary list with the key": (key, file) => {
    writeFileSync(`${file}.pub`, `${key}\n`);
    execFileSync("ssh-keygen", ["-q", "-k", "-f", file, `${file}.pub`]);
  },
  "is not there": () => {},
};

test.each([
  ["has the key", "host_key_changed"],
  ["has another key", undefined],
  ["is empty", undefined],
  ["is a binary list with the key", "login_settings"],
  ["is not there", "login_settings"],
] as const)("a list that %s", async (what, code) => {
  server = await startHostileServer({ does: "nothing" });
  const file = join(folder, what.replaceAll(" ", "-"));
  files[what]!(server.login.hostKey!, file);
  const { hostKey, ...own } = server.login;
  const outcome = async (login: Omit<Login, "hostKey">, checking: string): Promise<string> => {
    const config = `${file}.config`;
    const known = `UserKnownHostsFile ${file}.known\nStrictHostKeyChecking ${checking}\n`;
    writeFileSync(config, `RevokedHostKeys ${file}\n${known}`);
    const pool = createSessionPool();
    const answer = pool.session({ ...login, sshConfigFile: config }).ask(script`echo in`);
    const said = await answer.then(
      ({ stdout }) => String(stdout),
      ({ code: error }) => error,
    );
    await pool.close();
    return said;
  };
  const expected = code ?? "in\n";
  // A key that the login names is no less revoked, and one that nobody checks neither.
  const pinned: Login = { ...own, hostKey: hostKey! };
  expect(await outcome(pinned, "yes")).toBe(expected);
  expect(await outcome(own, "no")).toBe(expected);
  expect(await outcome(own, "accept-new")).toBe(expected);
  const openssh = await outcome({ ...own, transport: "openssh" }, "accept-new");
  expect(openssh === "in\n").toBe(code === undefined);
});
