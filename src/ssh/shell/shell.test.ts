import { chmod, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { DemoHost } from "../../demo/host/demo-host.ts";
import { startDemoHost } from "../../demo/host/demo-host.ts";
import { script } from "../../script/script.ts";
import type { HostError } from "../host-error.ts";
import { resolveLogin } from "../login/resolve-login.ts";
import type { Answer } from "../session.ts";
import { createSessionPool } from "../session-pool.ts";

let host: DemoHost;
beforeAll(async () => {
  host = await startDemoHost();
});
afterAll(() => host.close());

describe("something else than a shell", () => {
  /** Asks one thing of a host whose login shell is this script. */
  async function withLoginShell(body: string, connectTimeout = 10): Promise<Answer | HostError> {
    const file = join(host.root, `login-${Math.random().toString(36).slice(2)}`);
    await writeFile(file, `#!/bin/sh\n${body}\n`);
    await chmod(file, 0o755);
    const odd = await startDemoHost({ loginShell: file });
    const own = createSessionPool();
    try {
      return await own
        .session(resolveLogin({ ...odd.login, connectTimeout }))
        .ask(script`echo in`)
        .catch((error: HostError) => error);
    } finally {
      await own.close();
      await odd.close();
    }
  }
  const answer = { status: 0, stdout: Buffer.from("in\n"), stderr: Buffer.alloc(0) };

  it("may write before: a line, half a line, binary, 20 KB, on both streams", async () => {
    for (const noise of [
      "echo Welcome; echo Willkommen >&2",
      "printf 'no newline'; printf 'none here' >&2",
      "printf '\\000\\377\\033[31m\\r'; printf '\\000' >&2",
      "head -c 20000 /dev/zero | tr '\\0' x; head -c 20000 /dev/zero >&2",
      'echo "$2"',
    ]) {
      expect(await withLoginShell(`${noise}\nexec /bin/sh "$@"`)).toEqual(answer);
    }
  });

  it("is told with what it printed when it ends", async () => {
    const error = await withLoginShell("echo 'This account is currently not available.'; exit 1");
    expect(error).toMatchObject({ code: "no_shell", started: false, hostDown: true });
    expect((error as HostError).message).toContain("This account is currently not available.");
  });

  it("is told when it only repeats the command, waits for input, or never ends", async () => {
    expect(await withLoginShell('echo "$2"; sleep 30', 1)).toMatchObject({ code: "no_shell" });
    expect(await withLoginShell("cat >/dev/null", 1)).toMatchObject({ code: "no_shell" });
  });
});

describe("become", () => {
  /** Asks one thing of a host with this `sudo`. */
  async function withSudo(body: string, connectTimeout = 10): Promise<Answer | HostError> {
    const sudoHost = await startDemoHost();
    await writeFile(join(sudoHost.root, "bin/sudo"), `#!/bin/sh\n${body}\n`);
    await chmod(join(sudoHost.root, "bin/sudo"), 0o755);
    const own = createSessionPool();
    try {
      const login = resolveLogin({
        ...sudoHost.login,
        host: "web1",
        user: "deploy",
        become: true,
        becomeUser: "app",
        connectTimeout,
      });
      const asked = own.session(login);
      const [answer, command] = await Promise.allSettled([
        asked.ask(script`echo in`),
        asked.run({ script: "echo in" }),
      ]);
      expect(command.status).toBe(answer.status);
      return answer.status === "fulfilled" ? answer.value : answer.reason;
    } finally {
      await own.close();
      await sudoHost.close();
    }
  }

  it("starts the shell by sudo, without a password, with the user's home", async () => {
    expect(await withSudo('[ "$*" = "-n -H -u app /bin/sh" ] || exit 9; exec /bin/sh')).toMatchObject({
      stdout: Buffer.from("in\n"),
    });
  });

  const refusals = {
    "sudo: a password is required": "it asks for a password",
    "sudo: sorry, you must have a tty to run sudo": "requiretty",
    "deploy is not in the sudoers file.": "not in sudoers",
    "Sorry, user deploy is not allowed to execute '/bin/sh' as app on web1.":
      "sudoers allows other commands only",
    "sudo: unknown user app": "unknown user app",
  };
  for (const [said, reported] of Object.entries(refusals)) {
    it(`explains "${said}"`, async () => {
      const error = await withSudo(`echo "${said}" >&2; exit 1`);
      expect(error).toMatchObject({ code: "become_refused", host: "web1", started: false, hostDown: true });
      expect((error as HostError).message).toContain(reported);
    });
  }

  it("tells a sudo that is not there from one that does not end, as on a host that answers no more", async () => {
    const missing = await withSudo("exec /no/such/sudo");
    expect(missing).toMatchObject({ code: "become_refused", message: expect.stringContaining("no sudo") });
    expect(await withSudo("sleep 30", 2)).toMatchObject({
      code: "unreachable",
      message: expect.stringContaining("within 2 s"),
    });
  });

  it("takes plain user names only, since the login shell reads them", async () => {
    const own = createSessionPool();
    const login = resolveLogin({ ...host.login, become: true, becomeUser: "x; touch /tmp/y" });
    await expect(own.session(login).ask(script`true`)).rejects.toMatchObject({ code: "login_settings" });
    await own.close();
  });
});
