/**
 * @module Reaching real hosts whatever shells, start-up files, locales and umasks they have.
 */
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { raw, script } from "../../src/script/script.ts";
import type { HostError } from "../../src/ssh/host-error.ts";
import type { Login } from "../../src/ssh/login/login.ts";
import { resolveLogin } from "../../src/ssh/login/resolve-login.ts";
import type { Session, SessionPool } from "../../src/ssh/session.ts";
import { createSessionPool } from "../../src/ssh/session-pool.ts";
import { describeLab, labHosts } from "./for-tests.ts";
import { exercise, text } from "./ssh-exercise.ts";

const lab = labHosts(1);
const host = () => lab.hosts[0];

let pools: SessionPool[] = [];
/** A session of its own, as `deploy` unless told otherwise. */
function connect(more: Partial<Login> = {}): Session {
  const pool = createSessionPool();
  pools.push(pool);
  const { address, name } = host();
  const { keyFile, knownHostsFile } = lab.lab;
  const settings = {
    address,
    host: name,
    user: "deploy",
    privateKeyFile: keyFile,
    knownHostsFile,
    agent: false,
  };
  return pool.session(resolveLogin({ ...settings, ...more }));
}
afterEach(async () => {
  await Promise.all(pools.map((pool) => pool.close()));
  pools = [];
});

describeLab("login shells", () => {
  beforeAll(async () => {
    await host().must("ln -s /usr/bin/busybox /usr/local/bin/ash; usermod -aG sudo deploy");
  });
  afterAll(() => host().must("usermod -s /bin/bash deploy"));

  test.each(["/bin/bash", "/bin/dash", "/usr/bin/fish", "/bin/tcsh", "/bin/zsh", "/usr/local/bin/ash"])(
    "%s",
    async (shell) => {
      await host().must(`usermod -s ${shell} deploy`);
      await exercise(connect(), host());
      const root = connect({ become: true });
      expect(text(await root.ask(raw("id -un; echo $HOME")))).toEqual([0, "root\n/root\n", ""]);
      await exercise(root, host());
    },
  );

  test("of an account that has none is told with its words", async () => {
    await host().must("usermod -s /usr/sbin/nologin deploy");
    const error = await connect()
      .ask(script`true`)
      .catch((e: HostError) => e);
    expect(error).toMatchObject({
      code: "no_shell",
      message: expect.stringContaining("currently not available"),
    });
  });
});

describeLab("/bin/sh", () => {
  afterAll(() => host().must("ln -sf dash /bin/sh"));

  test.each(["dash", "bash", "/usr/bin/busybox"])("is %s", async (sh) => {
    await host().must(`ln -sf ${sh} /bin/sh`);
    await exercise(connect({ become: true }), host());
  });
});

describeLab("a userland of busybox alone", () => {
  afterAll(() => host().must("ln -sf dash /bin/sh; usermod -s /bin/bash deploy"));

  test("has all that is needed", async () => {
    await host().must(
      "mkdir /opt/bb; busybox --install -s /opt/bb; ln -sf /usr/bin/busybox /bin/sh; cat >/opt/login; chmod 755 /opt/login; usermod -s /opt/login deploy",
      '#!/bin/sh\nPATH=/opt/bb; export PATH\nexec /bin/sh "$@"\n',
    );
    const session = connect();
    expect((await session.ask(raw("command -v mv"))).stdout.toString()).toBe("/opt/bb/mv\n");
    await exercise(session, host());
    const dir = "/home/deploy/links";
    await host().must(
      `mkdir -p ${dir}/sub; cd ${dir}; ln -s sub to-sub; ln -s sub/new to-new; chown -R deploy .`,
    );
    const content = Buffer.from("x");
    await session.put({ path: `${dir}/to-new`, content, follow: true });
    await session.put({ path: `${dir}/to-sub`, content, follow: false, mode: 0o640 });
    await session.put({ path: `${dir}/to-sub`, content: Buffer.from("y"), follow: false, group: "deploy" });
    expect(await host().must(`cd ${dir}; stat -c '%F %a %n' *; cat to-sub; ls -A sub`)).toBe(
      "directory 755 sub\nsymbolic link 777 to-new\nregular file 640 to-sub\nynew\n",
    );
    const refused = await session.put({ path: "/etc/x", content, follow: true }).catch((e: HostError) => e);
    expect(refused).toMatchObject({ code: "write", message: expect.stringContaining("Permission denied") });
  });
});

describeLab("start-up files that print", () => {
  const loginHome = "/home/deploy";
  afterEach(() =>
    host().must(
      `rm -rf ${loginHome}/.bashrc ${loginHome}/.zshenv ${loginHome}/.tcshrc ${loginHome}/.config; usermod -s /bin/bash deploy`,
    ),
  );

  const noise: Record<string, string> = {
    "a line": "echo Welcome; echo Willkommen >&2",
    "half a line": "printf half; printf half >&2",
    "binary bytes": "printf '\\000\\377\\033[2J\\r\\n'; printf '\\000\\001' >&2",
    "20 KB":
      "head -c 20000 /dev/zero | tr '\\0' x; head -c 20000 /dev/urandom; head -c 20000 /dev/urandom >&2",
    "a question nobody answers in time": 'read -t 1 answer; echo "[$answer]"',
  };
  test.each(Object.keys(noise))("%s, by bash", async (name) => {
    await host().must(`cat >${loginHome}/.bashrc`, `${noise[name]}\n`);
    const session = connect();
    expect(text(await session.ask(script`echo in`))).toEqual([0, "in\n", ""]);
    expect(text(await session.run({ script: "cat", stdin: Buffer.from("x") }))).toEqual([0, "x", ""]);
  });

  test.each([
    ["/bin/zsh", ".zshenv"],
    ["/bin/tcsh", ".tcshrc"],
    ["/usr/bin/fish", ".config/fish/config.fish"],
  ])("by %s", async (shell, file) => {
    await host().must(
      `usermod -s ${shell} deploy; mkdir -p ${loginHome}/.config/fish; cat >${loginHome}/${file}; chown -R deploy ${loginHome}`,
      "echo Welcome; printf half\n",
    );
    const session = connect();
    expect(text(await session.ask(script`echo in`))).toEqual([0, "in\n", ""]);
    expect(text(await session.run({ script: "cat", stdin: Buffer.from("x") }))).toEqual([0, "x", ""]);
  });

  test("or read what is not theirs get nothing, and an error says so", async () => {
    await host().must(`cat >${loginHome}/.bashrc`, "echo 'Your code:'; cat >/tmp/eaten\n");
    const session = connect({ connectTimeout: 3 });
    const error = await session.ask(script`true`).catch((e: HostError) => e);
    expect(error).toMatchObject({ code: "no_shell", message: expect.stringContaining("Your code:") });
    await host().must("pkill -u deploy cat; true");
    expect(await host().must("cat /tmp/eaten")).toBe("");
  });
});

describeLab("locale and umask", () => {
  afterAll(() => host().must("rm -f /home/deploy/.bashrc; : >/etc/environment"));

  test("facts are in English, commands in the host's locale, also under sudo", async () => {
    await host().must("printf 'LC_ALL=de_DE.UTF-8\\nLANGUAGE=de\\n' >/etc/environment");
    for (const become of [false, true]) {
      const session = connect({ become });
      const fact = await session.ask(raw('echo "$LC_ALL|${LANGUAGE-unset}"; sh -c \'echo "$LC_ALL"\''));
      expect(text(fact)).toEqual([0, "C|unset\nC\n", ""]);
      expect((await session.run({ script: 'echo "$LC_ALL"' })).stdout.toString()).toBe("de_DE.UTF-8\n");
      expect((await session.run({ script: 'echo "$LC_ALL"', timeout: 9 })).stdout.toString()).toBe(
        "de_DE.UTF-8\n",
      );
    }
  });

  test("a strict umask changes no file of ours", async () => {
    await host().must("cat >/home/deploy/.bashrc", "umask 077\n");
    const session = connect();
    expect((await session.run({ script: "umask" })).stdout.toString()).toBe("0077\n");
    const large = Buffer.alloc(200_000, 7);
    await session.put({ path: "/home/deploy/small", content: Buffer.from("x"), follow: true });
    await session.put({ path: "/home/deploy/large", content: large, follow: true });
    await session.ask(script`mkdir -p /home/deploy/a/b`);
    expect(await host().must("cd /home/deploy; stat -c '%a %U' small large a a/b")).toBe(
      "644 deploy\n644 deploy\n755 deploy\n755 deploy\n",
    );
  });

  test("system tools are found without sudo and without its secure_path", async () => {
    expect((await connect().ask(raw("command -v sysctl; command -v usermod"))).stdout.toString()).toBe(
      "/usr/sbin/sysctl\n/usr/sbin/usermod\n",
    );
  });
});

describeLab("sudo", () => {
  const sudoers = (line: string): Promise<string> =>
    host().must("cat >/etc/sudoers.d/zz-test; chmod 440 /etc/sudoers.d/zz-test", `${line}\n`);
  afterAll(() => host().must("rm -f /etc/sudoers.d/zz-test"));
  const refusal = (user: string): Promise<HostError> =>
    connect({ user, become: true })
      .ask(script`true`)
      .then(
        () => expect.fail("sudo should have refused"),
        (e: HostError) => e,
      );

  test.each([
    ["plain ALL=(ALL) ALL", "plain", "asks for a password"],
    ["plain ALL=(ALL) NOPASSWD: /usr/bin/apt-get", "plain", "password"],
    ["Defaults:deploy rootpw\ndeploy ALL=(ALL) PASSWD: ALL", "deploy", "asks for a password"],
  ])("with %s", async (line, user, reported) => {
    await sudoers(line);
    const error = await refusal(user);
    expect(error).toMatchObject({ code: "become_refused", started: false, hostDown: true });
    expect(error.message).toContain(reported);
  });

  test("for a user whom sudoers does not know", async () => {
    await sudoers("# nothing");
    expect(await refusal("plain")).toMatchObject({
      code: "become_refused",
      message: expect.stringContaining("sudo refused /bin/sh as root for plain"),
    });
  });

  test("to a third user, who has his own home", async () => {
    await sudoers("Defaults:deploy !requiretty");
    const session = connect({ become: true, becomeUser: "plain" });
    expect(text(await session.ask(raw("id -un; echo $HOME")))).toEqual([0, "plain\n/home/plain\n", ""]);
    await session.put({ path: "/home/plain/mine", content: Buffer.from("x"), follow: true });
    expect(await host().must("stat -c %U /home/plain/mine")).toBe("plain\n");
  });
});
