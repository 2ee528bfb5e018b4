/**
 * The same on every way to a host: through a hostile jump host, by a proxy command, with the system's ssh, on this machine.
 */
import { describe, expect, test } from "vitest";
import { script } from "../../../src/script/script.ts";
import { HostError } from "../../../src/ssh/host-error.ts";
import type { Login } from "../../../src/ssh/login/login.ts";
import { resolveLogin } from "../../../src/ssh/login/resolve-login.ts";
import { createSessionPool } from "../../../src/ssh/session-pool.ts";
import { errorsAfterEnd } from "./data-after-end.ts";
import { dripsAnswer, dripsBeforeShell } from "./dripping.ts";
import { endlessBeforeShell, endlessErrors, endlessOutput } from "./endless-answer.ts";
import { type Attacker, startHostileServer } from "./hostile-server.ts";
import { jumpDrips, jumpEnds, jumpFloods } from "./jump-host.ts";
import { packetsOfNothing } from "./small-packets.ts";

/** Seconds for one phase. */
const limit = 2;

/** What comes of a question, which fails soon; the pool closes soon as well. */
async function asked(login: Login): Promise<HostError> {
  const began = performance.now();
  const pool = createSessionPool({ reading: limit });
  const error = await pool
    .session(login)
    .ask(script`echo in`)
    .catch((reason: unknown) => reason);
  expect(error).toBeInstanceOf(HostError);
  expect((error as HostError).host).toBe(login.host);
  expect((error as HostError).message.length).toBeLessThan(1000);
  await pool.close();
  expect(performance.now() - began).toBeLessThan((2 * limit + 4) * 1000);
  return error as HostError;
}

const behind = {
  host: "behind",
  address: "192.0.2.1",
  sshConfigFile: "none",
  connectTimeout: limit,
  agent: false,
};

describe("through a jump host that", () => {
  test.concurrent.each<Attacker>([jumpFloods, jumpEnds, jumpDrips, packetsOfNothing])(
    "$does",
    async (attacker) => {
      const { login, close } = await startHostileServer({
        ...attacker,
        forwarding: attacker.forwarding ?? (() => {}),
      });
      const { address, port, user, hostKey } = login;
      const hop = { address, port, user, hostKey: hostKey!, privateKey: login.privateKey! };
      const error = await asked(resolveLogin({ ...behind, bastions: [hop] }));
      expect(error.code).toMatch(/unreachable|lost|too_much/);
      await close();
    },
  );
});

describe("by a proxy command that", () => {
  test.concurrent.each([
    ["prints without end", "yes"],
    ["repeats what it reads", "cat"],
    ["ends", "sh -c 'echo why >&2; exit 3'"],
    ["reads nothing and says nothing", "sleep 20"],
    ["prints one line after another", "sh -c 'while echo x; do sleep 0.2; done'"],
    ["is not there", "/nowhere/at/all"],
  ])("%s", async (_, proxyCommand) => {
    expect((await asked(resolveLogin({ ...behind, proxyCommand }))).code).toBe("unreachable");
  });
});

describe("with the system's ssh, to a server that", () => {
  test.concurrent.each([
    errorsAfterEnd,
    endlessOutput,
    endlessErrors,
    endlessBeforeShell,
    dripsAnswer,
    dripsBeforeShell,
  ])("$does", async (attacker) => {
    const { login, close } = await startHostileServer(attacker);
    const { privateKey: _, ...plain } = login;
    await asked({ ...plain, transport: "openssh", connectTimeout: limit });
    await close();
  });
});

describe("on this machine, a program that", () => {
  const local = resolveLogin({ ...behind, transport: "local" });

  test.each([
    ["prints without end", "yes", "too_much"],
    ["prints its errors without end", "yes >&2", "too_much"],
    ["does not end", "sleep 20", "unreachable"],
  ])("%s", async (_, command, code) => {
    const pool = createSessionPool({ reading: limit });
    const session = pool.session(local);
    await expect(session.run({ script: command, reads: true })).rejects.toMatchObject({ code });
    await pool.close();
    const other = createSessionPool({ reading: limit });
    await expect(other.session(local).ask(script`eval ${command}`)).rejects.toMatchObject({ code });
    await other.close();
  });
});
