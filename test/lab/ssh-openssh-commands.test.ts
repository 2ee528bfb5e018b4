/**
 * @module The system's `ssh` with what it has no option for: keys as text, keys of hosts, bastions with settings of their
 * own. Secrets are in no argument and no file, and nothing is left when it is over.
 */
import { execFileSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { raw } from "../../src/script/script.ts";
import type { HostError } from "../../src/ssh/host-error.ts";
import type { Login } from "../../src/ssh/login/login.ts";
import { resolveLogin } from "../../src/ssh/login/resolve-login.ts";
import type { Session, SessionPool } from "../../src/ssh/session.ts";
import { createSessionPool } from "../../src/ssh/session-pool.ts";
import { whyNoLab } from "./available.ts";
import { describeLab, labHosts } from "./for-tests.ts";

const lab = labHosts(2);
const gate = () => lab.hosts[0];
const target = () => lab.hosts[1];
const words = "pass phrase 4711";
const password = "gate word 4712";

let directory: string;
let keyText: string;
let pools: SessionPool[] = [];

type Changes = { [K in keyof Login]?: Login[K] | undefined };
function connect(changes: Changes): Session {
  const pool = createSessionPool();
  pools.push(pool);
  const { keyFile, knownHostsFile } = lab.lab;
  return pool.session(
    resolveLogin({
      host: "target",
      transport: "openssh",
      user: "deploy",
      privateKeyFile: keyFile,
      knownHostsFile,
      agent: false,
      sshConfigFile: "none",
      ...changes,
      address: changes.address ?? target().address,
    }),
  );
}
/** Whom the host sees: `CLIENT CLIENT-PORT SERVER SERVER-PORT USER`. */
const seen = async (session: Session): Promise<string[]> =>
  (await session.ask(raw("echo $SSH_CONNECTION $(id -un)"))).stdout.toString().trim().split(" ");
const failure = (work: Promise<unknown>): Promise<HostError> =>
  work.then(
    () => expect.fail("this should have failed"),
    (error: HostError) => error,
  );
const fingerprintOf = (key: string): string => {
  const file = join(directory, "fingerprint.pub");
  writeFileSync(file, `${key}\n`);
  return execFileSync("ssh-keygen", ["-l", "-f", file], { encoding: "utf8" }).split(" ")[1]!;
};
/** Command lines of all that runs here. */
const commandLines = (): string =>
  readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .map((pid) => {
      try {
        return readFileSync(`/proc/${pid}/cmdline`, "latin1").replaceAll("\0", " ");
      } catch {
        return "";
      }
    })
    .join("\n");
/** Private directories of this file's sessions, with the text of what is in them. */
const privateFiles = (): string =>
  readdirSync(directory)
    .filter((name) => name.startsWith("conn3x-run-"))
    .flatMap((name) => readdirSync(join(directory, name)).map((file) => join(directory, name, file)))
    .map((file) => {
      try {
        return `${file}\n${readFileSync(file, "latin1")}`;
      } catch {
        return file;
      }
    })
    .join("\n");

beforeAll(async () => {
  if (whyNoLab() !== undefined) return;
  directory = mkdtempSync(join(tmpdir(), "conn3x-ways-"));
  // Sockets of other test files' sessions, which run at the same time, are none of ours.
  process.env.XDG_RUNTIME_DIR = directory;
  const file = join(directory, "locked");
  execFileSync("ssh-keygen", ["-q", "-t", "ed25519", "-N", words, "-f", file]);
  keyText = readFileSync(file, "utf8");
  rmSync(file);
  const publicKey = readFileSync(`${file}.pub`, "utf8");
  for (const host of lab.hosts) await host.must("cat >>/home/deploy/.ssh/authorized_keys", publicKey);
  await gate().must(
    `useradd -m gate && echo 'gate:${password}' | chpasswd
     echo 'PasswordAuthentication yes' >/etc/ssh/sshd_config.d/zz-test.conf; systemctl reload ssh`,
  );
});
afterEach(async () => {
  await Promise.all(pools.map((pool) => pool.close()));
  pools = [];
});
afterAll(() => {
  if (directory) rmSync(directory, { recursive: true });
});

const asText = (): Changes => ({ privateKeyFile: undefined, privateKey: keyText, passphrase: words });

describeLab("a key as text", () => {
  test("is held by an agent of its own, which ends with the session", async () => {
    const session = connect(asText());
    expect((await seen(session))[4]).toBe("deploy");
    const running = commandLines();
    const files = privateFiles();
    expect(running).toContain(`ssh-agent -a ${directory}`);
    for (const secret of [words, keyText.split("\n")[2]!]) {
      expect(running).not.toContain(secret);
      expect(files).not.toContain(secret);
    }
    const socket = running
      .split("ssh-agent -a ")
      .find((text) => text.startsWith(directory))!
      .split(" ")[0]!;
    await pools[0]!.close();
    await expect.poll(() => commandLines().includes(socket)).toBe(false);
    expect(privateFiles()).not.toContain(socket);
  });

  test("that cannot be used is told as with the other transport", async () => {
    expect(await failure(seen(connect({ ...asText(), passphrase: "wrong" })))).toMatchObject({
      code: "login_settings",
      message: "the passphrase does not open the private key private_key",
    });
    expect(await failure(seen(connect({ ...asText(), passphrase: undefined })))).toMatchObject({
      message: "the private key private_key is encrypted",
    });
    expect(await failure(seen(connect({ ...asText(), privateKey: "nonsense" })))).toMatchObject({
      code: "login_settings",
    });
  });

  test("is not joined by keys of this machine's agent or files", async () => {
    const other = join(directory, "other");
    execFileSync("ssh-keygen", ["-q", "-t", "ed25519", "-N", "", "-f", other]);
    const refused = await failure(
      seen(connect({ privateKeyFile: undefined, privateKey: readFileSync(other, "utf8") })),
    );
    expect(refused).toMatchObject({ code: "login_refused" });
  });
});

describeLab("a host key", () => {
  test("is the only one that passes, as a key and as a fingerprint", async () => {
    const key = target().hostKey.split(" ").slice(0, 2).join(" ");
    const nothing = { knownHostsFile: join(directory, "nothing") };
    expect((await seen(connect({ ...nothing, hostKey: key })))[4]).toBe("deploy");
    expect((await seen(connect({ ...nothing, hostKey: fingerprintOf(key) })))[4]).toBe("deploy");
    execFileSync("ssh-keygen", ["-q", "-t", "ed25519", "-N", "", "-f", join(directory, "wrong")]);
    const wrong = readFileSync(join(directory, "wrong.pub"), "utf8").split(" ").slice(0, 2).join(" ");
    for (const hostKey of [wrong, fingerprintOf(wrong)]) {
      const error = await failure(seen(connect({ hostKey })));
      expect(error).toMatchObject({ code: "host_key_changed", hostDown: true });
    }
    expect(await failure(seen(connect({ hostKey: "gibberish" })))).toMatchObject({ code: "login_settings" });
  });
});

describeLab("bastions", () => {
  test("have settings and secrets of their own", async () => {
    const key = gate().hostKey.split(" ").slice(0, 2).join(" ");
    const first = {
      address: gate().address,
      user: "gate",
      password,
      hostKey: key,
      privateKeyFile: "/dev/null",
    };
    const session = connect({ bastions: [first] });
    const [from, , , , user] = await seen(session);
    expect([from, user]).toEqual([gate().address, "deploy"]);
    expect(commandLines()).not.toContain(password);
    expect(privateFiles()).not.toContain(password);
    expect(privateFiles()).toContain("-W");
    await pools[0]!.close();
    expect(privateFiles()).not.toContain("-W");
    await expect.poll(() => gate().must("pgrep -c -f '^sshd: gate'; true")).toBe("0\n");
  });

  test("may be several, the address of one being what the one before it sees", async () => {
    const inner = { address: "127.0.0.1", user: "plain", hostKey: fingerprintOf(gate().hostKey) };
    const bastions = [
      { address: gate().address, user: "gate", password, privateKeyFile: "/dev/null" },
      inner,
    ];
    const [from, , , , user] = await seen(connect({ ...asText(), bastions: bastions.slice(0, 1) }));
    expect([from, user]).toEqual([gate().address, "deploy"]);
    const through = connect({
      bastions: [{ ...bastions[0]! }, { ...inner, privateKeyFile: lab.lab.keyFile }],
    });
    expect((await seen(through))[0]).toBe(gate().address);
  });

  test("are named when they refuse, or have another key", async () => {
    const refused = await failure(seen(connect({ bastions: [{ address: gate().address, user: "nobody" }] })));
    expect(refused).toMatchObject({ code: "login_refused", host: "target" });
    expect(refused.message).toContain(`on the way to target: ${gate().address} refused the login`);
    const changed = await failure(
      seen(connect({ bastions: [{ address: gate().address, hostKey: fingerprintOf(target().hostKey) }] })),
    );
    expect(changed.message).toContain(`on the way to target: the host key of ${gate().address}`);
    const nothing = await failure(
      seen(connect({ address: "127.0.0.1", port: 9, bastions: [{ address: gate().address }] })),
    );
    expect(nothing).toMatchObject({ code: "unreachable" });
  });

  test("by proxy_jump: with the key and the known hosts of the login, as with the other transport", async () => {
    const [from] = await seen(connect({ proxyJump: `plain@${gate().address}:22` }));
    expect(from).toBe(gate().address);
    expect((await seen(connect({ proxyJump: "none" })))[0]).not.toBe(gate().address);
  });
});
