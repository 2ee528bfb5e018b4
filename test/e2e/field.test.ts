/**
 * Cases in which other tools of this job failed their users: files, lines, packages, services, reboots and handlers, each
 * brought about on a real host and looked at there.
 */
import { createHash } from "node:crypto";
import { beforeAll, describe, expect, test } from "vitest";
import { describeLab } from "../lab/for-tests.ts";
import { kindStage } from "./kind-stage.ts";

describeLab("in the field", () => {
  const { host, ssh, driver, apply, made, planProblems, again, problem, object, cat } = kindStage();
  const must = (script: string) => host().must(script);

  describe("files", () => {
    test.each([
      '/srv/a (1)/it\'s "x"',
      "/srv/-rf",
      "/srv/Šablony/x y",
      "/srv/back\\slash",
      "/srv/$(touch x) `y`",
    ])("odd names and a group with a space: %s", async (path) => {
      await must("getent group 'domain users' || echo 'domain users:x:4242:' >>/etc/group");
      const settings = { path, content: "x\n", group: "domain users" };
      const file = await made("file", settings);
      expect(await again("file", settings, file)).toBe("none");
      const quoted = `'${path.replaceAll("'", "'\\''")}'`;
      expect(await must(`cat -- ${quoted}; stat -c %G -- ${quoted}`)).toBe("x\ndomain users\n");
      await driver("file").apply(file, undefined);
      await must(`! [ -e ${quoted} ]`);
    });

    test("a strict umask of the login changes no mode of what is new", async () => {
      await must(
        "cp /etc/login.defs /etc/login.defs.old; echo 'umask 077' >>/home/deploy/.profile; echo 'umask 077' >>/root/.profile",
      );
      const login = ssh({ become: false });
      await must("mkdir -p /srv/open && chmod 0777 /srv/open");
      await made("file", { ssh: login, path: "/srv/open/a/b/file", content: "" });
      await made("directory", { ssh: login, path: "/srv/open/c/d" });
      expect(await must("cd /srv/open; stat -c %a a a/b a/b/file c c/d")).toBe("755\n755\n644\n755\n755\n");
    });

    test("a secret is at no moment readable by others", async () => {
      await must("rm -rf /srv/watched; mkdir -m 0777 /srv/watched");
      const watcher = host().exec(
        `su plain -s /bin/sh -c 'end=$(($(date +%s) + 6)); while [ $(date +%s) -lt $end ]; do cat /srv/watched/.conn3x-* /srv/watched/key 2>/dev/null; done'`,
      );
      for (let i = 0; i < 10; i++) {
        const file = await made("file", {
          path: "/srv/watched/key",
          secret_content: `t0p-secret-${i}`,
          mode: "0600",
        });
        await driver("file").apply(file, undefined);
      }
      expect((await watcher).stdout).toBe("");
      expect(await must("ls -A /srv/watched")).toBe("");
    });

    test.each([
      ["a NUL", "a\0b"],
      ["nothing", ""],
      ["no final line end", "x"],
      ["many line ends", "x\n\n\n"],
      ["every byte", Buffer.from(Array.from({ length: 256 }, (_, i) => i)).toString("latin1")],
    ])("bytes are as they were given: %s", async (_, text) => {
      const bytes = Buffer.from(text, "latin1");
      const settings = { path: "/srv/bytes", content_base64: bytes.toString("base64") };
      const file = await made("file", settings);
      const sum = createHash("sha256").update(bytes).digest("hex");
      expect(await must("sha256sum </srv/bytes")).toContain(sum);
      expect(await again("file", settings, file)).toBe("none");
      await must("printf . >>/srv/bytes");
      expect(await again("file", settings, file)).toBe("update");
      await must("rm /srv/bytes");
    });

    test("a full file system leaves the old file as it was, and nothing beside it", async () => {
      await must(
        "mkdir -p /srv/small && mount -t tmpfs -o size=1m none /srv/small && cd /srv/small && echo old >file && head -c 700000 /dev/zero >fill",
      );
      const failed = await apply("file", { path: "/srv/small/file", content: "x".repeat(600 * 1024) });
      expect(problem(failed)).toMatch(/space/i);
      expect(await must("cd /srv/small; cat file; ls -A")).toBe("old\nfile\nfill\n");
      await must("umount /srv/small");
    });

    test("owners by number: one without a name, a user whose name is a number, two names of one number", async () => {
      await must(
        "getent passwd 1000x >/dev/null || printf '4711:x:3000:3000::/:/bin/sh\\ntwin:x:1000:1000::/:/bin/sh\\n' >>/etc/passwd",
      );
      for (const [owner, uid] of [
        ["2015", "2015"],
        ["4711", "3000"],
        ["twin", "1000"],
        ["0", "0"],
      ] as const) {
        const settings = { path: "/srv/owned", content: "", owner };
        const file = await made("file", settings);
        expect(await must("stat -c %u /srv/owned"), owner).toBe(`${uid}\n`);
        expect(await again("file", settings, file), owner).toBe("none");
      }
      await must("sed -i '/^4711:/d; /^twin:/d' /etc/passwd");
    });
  });

  describe("lines", () => {
    test("back references beside digits, and without a match", async () => {
      await must("printf 'host=old\\nport=1' >/srv/conf");
      const settings = { path: "/srv/conf", regexp: "^(host=).*", line: "\\g<1>10.0.0.1", backrefs: true };
      const line = await made("line", settings);
      expect(await cat("/srv/conf")).toBe("host=10.0.0.1\nport=1");
      expect(await again("line", settings, line)).toBe("none");
    });
  });

  describe("packages", () => {
    test.each(["libpython3.", "conn3x-demo-", "conn3x-demo+", "g++-99"])(
      "a name that apt takes for something else installs nothing: %s",
      async (name) => {
        const before = await must("dpkg-query -W -f '${Package} ${db:Status-Abbrev}\\n' | sort | sha256sum");
        const said = [
          ...(await planProblems("package", { name })),
          ...(await apply("package", { name })).diagnostics,
        ];
        expect(said.some(({ severity }) => severity === "error")).toBe(true);
        expect(await must("dpkg-query -W -f '${Package} ${db:Status-Abbrev}\\n' | sort | sha256sum")).toBe(
          before,
        );
      },
    );

    test("one that was removed and left its configuration is not installed, and can be purged", async () => {
      await must("apt-get -qy install conn3x-demo=1.0 && apt-get -qy remove conn3x-demo");
      expect(await must("dpkg-query -W -f '${db:Status-Abbrev}' conn3x-demo")).toBe("rc ");
      const absent = await made("package", { name: "conn3x-demo", state: "absent" });
      expect(await again("package", { name: "conn3x-demo", state: "absent" }, absent)).toBe("none");
      await must("test -e /etc/conn3x-demo.conf");
      const purged = await made("package", { name: "conn3x-demo", state: "purged" }, absent);
      await must("! [ -e /etc/conn3x-demo.conf ]");
      expect(await again("package", { name: "conn3x-demo", state: "purged" }, purged)).toBe("none");
      await made("package", { name: "conn3x-demo" });
      expect(await must("dpkg-query -W -f '${db:Status-Abbrev}' conn3x-demo")).toBe("ii ");
    });

    test("the lock of apt's lists is waited for as well", async () => {
      const holder = host().exec(
        'perl -e \'use Fcntl; open F, ">>", "/var/lib/apt/lists/lock"; my $l = pack("s s l! l! i", F_WRLCK, 0, 0, 0, 0); fcntl(F, F_SETLK, $l) or die; sleep 5\'',
      );
      await new Promise((resolve) => setTimeout(resolve, 1000));
      await made("package", { name: "htop", update_cache: true, lock_timeout: 60 });
      expect((await holder).status).toBe(0);
      await must("command -v htop");
    });

    test("with an architecture in its name", async () => {
      const architecture = (await must("dpkg --print-architecture")).trim();
      const settings = { name: `jq:${architecture}` };
      const jq = await made("package", settings);
      expect(await again("package", settings, jq)).toBe("none");
      expect(await again("package", { name: "jq" }, await made("package", { name: "jq" }))).toBe("none");
    });

    describe("that others provide", () => {
      /** Packages that are nothing but a name and what they provide, in a source of their own. */
      const offer = (packages: readonly (readonly [string, string])[]) =>
        must(`mkdir -p /srv/virtual-apt && cd /srv/virtual-apt && rm -f -- *
${packages
  .map(
    ([name, provides]) => `mkdir -p root/DEBIAN
printf 'Package: ${name}\nVersion: 1.0\nArchitecture: all\nMaintainer: Lab <lab@localhost>\nProvides: ${provides}\nDescription: lab\n' >root/DEBIAN/control
dpkg-deb --root-owner-group --build root . >/dev/null`,
  )
  .join("\n")}
rm -r root
for deb in *.deb; do
  dpkg-deb -f "$deb"
  printf 'Filename: ./%s\nSize: %s\nSHA256: %s\n\n' "$deb" "$(stat -c %s "$deb")" "$(sha256sum "$deb" | cut -d' ' -f1)"
done >Packages
echo 'deb [trusted=yes] file:/srv/virtual-apt ./' >/etc/apt/sources.list.d/virtual.list
apt-get -q update`);
      const installed = () => must("dpkg-query -W -f '${db:Status-Abbrev} ${Package} ${Version}\n' | sort");
      beforeAll(() =>
        offer([
          ["lab-mail-one", "lab-mail"],
          ["lab-mail-two", "lab-mail"],
          ["lab-only", "lab-sole"],
        ]),
      );

      test("one that is installed stands for the name, and no other is brought", async () => {
        await must("apt-get -qy install lab-mail-two");
        const before = await installed();
        const settings = { name: "lab-mail" };
        const mail = await made("package", settings);
        expect(await again("package", settings, mail)).toBe("none");
        expect(await installed()).toBe(before);
        await must("apt-get -qy purge lab-mail-two");
        expect(await again("package", settings, mail)).toBe("update");
      });

      test("the absence of such a name takes nothing away that was not named", async () => {
        await must("apt-get -qy install lab-mail-one");
        const before = await installed();
        for (const state of ["absent", "purged"]) {
          const settings = { name: "lab-mail", state };
          expect(await again("package", settings, await made("package", settings)), state).toBe("none");
        }
        expect(await installed()).toBe(before);
        await must("apt-get -qy purge lab-mail-one");
      });

      test("several that could be installed are an error that names them, and none of them is", async () => {
        const before = await installed();
        const said = problem(await apply("package", { name: "lab-mail" }));
        expect(said).toContain("lab-mail-one");
        expect(said).toContain("lab-mail-two");
        expect(await installed()).toBe(before);
      });

      test("the only one that there is is installed", async () => {
        const sole = await made("package", { name: "lab-sole" });
        expect(await installed()).toContain("ii  lab-only 1.0");
        expect(await again("package", { name: "lab-sole" }, sole)).toBe("none");
      });
    });
  });

  describe("services", () => {
    const unit = (name: string, text: string) =>
      must(`cat >/etc/systemd/system/${name}.service <<'END'\n${text}\nEND\nsystemctl daemon-reload`);

    test("a oneshot that has done its work is no drift", async () => {
      await unit("once", "[Service]\nType=oneshot\nExecStart=/bin/sh -c 'echo x >>/run/once'");
      const settings = { name: "once", running: true };
      const service = await made("service", settings);
      expect(await again("service", settings, service)).toBe("none");
      expect(await cat("/run/once")).toBe("x\n");
    });

    test("one that takes a while to start is waited for", async () => {
      await unit("slow", "[Service]\nType=oneshot\nRemainAfterExit=yes\nExecStart=/bin/sleep 3");
      await must("systemctl start --no-block slow");
      const service = await made("service", { name: "slow", running: true });
      expect(await must("systemctl is-active slow")).toBe("active\n");
      expect(await again("service", { name: "slow", running: true }, service)).toBe("none");
    });

    test("a masked one cannot run, which a plan says; an instance of a template can be masked", async () => {
      await must("systemctl mask cron");
      const said = await planProblems("service", { name: "cron", running: true });
      expect(said).toMatchObject([{ severity: "error", detail: expect.stringContaining("masked") }]);
      await must("systemctl unmask cron");
      const settings = { name: "getty@tty9", masked: true, running: false };
      const masked = await made("service", settings);
      expect(await again("service", settings, masked)).toBe("none");
      await must("systemctl unmask getty@tty9");
    });

    test("a drop-in that is new, or changed, is in force after one reload of the manager for each change", async () => {
      await unit(
        "drop",
        "[Service]\nType=oneshot\nRemainAfterExit=yes\nExecStart=/bin/sh -c 'echo $WORD >/run/drop'",
      );
      const dropIn = (word: string) => ({
        path: "/etc/systemd/system/drop.service.d/word.conf",
        content: `[Service]\nEnvironment=WORD=${word}\n`,
      });
      const reloads = async () =>
        Number(await must("journalctl --sync; journalctl -q -o cat _PID=1 | grep -c ^Reloading"));
      await made("service", { name: "drop", running: true });
      const before = await reloads();
      // Its directory is new: systemd 252 does not look there before it has read all units again.
      const file = await made("file", dropIn("one"));
      await made("service_action", { name: "drop", action: "restart", triggers: ["x"] });
      expect(await cat("/run/drop")).toBe("one\n");
      await made("service_action", { name: "drop", action: "restart", triggers: ["y"] });
      expect(await reloads()).toBe(before + 1);
      await made("file", dropIn("two"), file);
      await made("service_action", { name: "drop", action: "restart", triggers: ["z"] });
      expect(await cat("/run/drop")).toBe("two\n");
      expect(await reloads()).toBe(before + 2);
      // One that is for all services.
      await made("file", {
        path: "/etc/systemd/system/service.d/all.conf",
        content: "[Service]\nExecStartPost=/bin/sh -c 'echo three >/run/drop'\n",
      });
      await made("service_action", { name: "drop", action: "restart", triggers: ["z"] });
      expect(await cat("/run/drop")).toBe("three\n");
      await must("rm -r /etc/systemd/system/service.d");
      await made("service_action", { name: "drop", action: "restart", triggers: ["z"] });
      expect(await cat("/run/drop")).toBe("two\n");
    });

    test("a service is restarted with a socket that still listens as it was to before", async () => {
      await unit("late", "[Service]\nExecStart=/bin/sleep 1000");
      await must(
        "printf '[Socket]\nListenStream=127.0.0.1:7201\n' >/etc/systemd/system/late.socket; systemctl daemon-reload; systemctl start late.socket late",
      );
      const listens = async (port: number) =>
        (await host().exec(`bash -c '</dev/tcp/127.0.0.1/${port}'`)).status === 0;
      await made("file", {
        path: "/etc/systemd/system/late.socket.d/port.conf",
        content: "[Socket]\nListenStream=\nListenStream=127.0.0.1:7202\n",
      });
      // The manager has read it meanwhile, for something else.
      await must("systemctl daemon-reload");
      expect([await listens(7201), await listens(7202)]).toEqual([true, false]);
      await made("service_action", { name: "late", action: "restart", triggers: ["x"] });
      expect([await listens(7201), await listens(7202)]).toEqual([false, true]);
      expect(await must("systemctl is-active late.socket late")).toBe("active\nactive\n");
      const since = "systemctl show -p ActiveEnterTimestampMonotonic late.socket";
      const opened = await must(since);
      await made("service_action", { name: "late", action: "restart", triggers: ["y"] });
      expect(await must(since)).toBe(opened);
    });

    test("a unit is enabled by its own name where it is given another; masked until the next boot is not masked; one that failed too often is started; one that dies at once has failed", async () => {
      await unit("own", "[Service]\nExecStart=/bin/sleep 1000\n[Install]\nWantedBy=multi-user.target");
      await must("ln -s own.service /etc/systemd/system/other.service; systemctl daemon-reload");
      const settings = { name: "other", enabled: true, running: true };
      const state = await made("service", settings);
      expect(await must("systemctl is-enabled own")).toBe("enabled\n");
      expect(await again("service", settings, state)).toBe("none");
      await must("systemctl stop cron; systemctl mask --runtime cron");
      await made("service", { name: "cron", masked: true });
      expect(
        await must(
          "systemctl show -p UnitFileState cron; systemctl unmask cron; systemctl unmask --runtime cron",
        ),
      ).toBe("UnitFileState=masked\n");
      await unit(
        "often",
        "[Unit]\nStartLimitBurst=1\n[Service]\nExecStart=/bin/sh -c '[ -e /run/often ] || exit 1; sleep 1000'",
      );
      await must("systemctl start often; sleep 0.3; systemctl start often; touch /run/often; true");
      expect((await host().exec("systemctl start often")).status).not.toBe(0);
      await made("service", { name: "often", running: true });
      await unit("short", "[Service]\nExecStart=/bin/sh -c 'echo why it dies; sleep 0.3; exit 3'");
      const dead = await apply("service", { name: "short", running: true });
      expect(JSON.stringify(dead.diagnostics)).toContain("why it dies");
    });

    test("one that its socket starts is stopped, its socket restarted, and both run", async () => {
      await unit("echo@", "[Service]\nExecStart=/bin/cat\nStandardInput=socket");
      await must(
        "printf '[Socket]\\nListenStream=7007\\nAccept=yes\\n[Install]\\nWantedBy=sockets.target\\n' >/etc/systemd/system/echo.socket; systemctl daemon-reload",
      );
      const settings = { name: "echo.socket", running: true, enabled: true };
      const socket = await made("service", settings);
      expect(await again("service", settings, socket)).toBe("none");
      await made("service_action", { name: "echo.socket", action: "restart", triggers: ["x"] });
      expect(await must("systemctl is-active echo.socket")).toBe("active\n");
    });

    test("a reload of what does not run starts nothing and fails nothing", async () => {
      await must("systemctl stop lab-web");
      const handled = await apply("service_action", { name: "lab-web", action: "reload", triggers: ["x"] });
      expect(handled.diagnostics.filter(({ severity }) => severity === "error")).toEqual([]);
      expect((await host().exec("systemctl is-active lab-web")).stdout).toBe("inactive\n");
    });
  });

  test("reading and planning write nothing on the host, whatever the kind", async () => {
    await must("mkdir -p /srv/quiet && echo x >/srv/quiet/file");
    const list =
      "find /srv /etc /usr/local /root /home /var/lib -xdev -newer /run/mark ! -path '/var/lib/systemd/*' 2>/dev/null | sort";
    await must("sleep 1; touch /run/mark; sleep 1");
    for (const [kind, settings] of [
      ["file", { path: "/srv/quiet/file", content: "y" }],
      ["directory", { path: "/srv/quiet", purge: true, recurse: true, mode: "0711" }],
      ["link", { path: "/srv/quiet/link", target: "file" }],
      ["line", { path: "/srv/quiet/file", line: "z" }],
      ["package", { name: "tree" }],
      ["service", { name: "lab-web", running: true }],
      ["command", { run: "touch /srv/quiet/ran", creates: "/srv/quiet/ran" }],
      ["wait_for", { port: 1 }],
      ["reboot", { triggers: { a: "b" } }],
      ["facts", {}],
    ] as const) {
      await driver(kind).plan(undefined, { ...settings, ssh: ssh() });
    }
    expect(await must(list)).toBe("");
  });

  describe("reboots", () => {
    test("users that may not log in yet are waited for", async () => {
      const before = await host().bootId();
      await must(
        "printf '[Unit]\\nDefaultDependencies=no\\nBefore=ssh.service\\n[Service]\\nType=oneshot\\nExecStart=/bin/touch /etc/nologin\\n[Install]\\nWantedBy=multi-user.target\\n' >/etc/systemd/system/not-yet.service",
      );
      await must(
        "printf '[Service]\\nExecStart=/bin/sh -c \"sleep 6; rm -f /etc/nologin\"\\n[Install]\\nWantedBy=multi-user.target\\n' >/etc/systemd/system/now.service; systemctl enable not-yet now",
      );
      const reboot = await made("reboot", { triggers: { a: "b" }, timeout: 90 });
      expect(object(reboot).boot_id).not.toBe(before);
      expect(object(reboot).boot_id).toBe(await host().bootId());
      await must("systemctl disable not-yet now; ! [ -e /etc/nologin ]");
    });

    test("a reboot that is refused is an error", async () => {
      const before = await host().bootId();
      await must(
        "mkdir -p /run/refused; for t in reboot shutdown systemctl; do p=$(command -v $t); cp -a $p /run/refused/; rm -f $p; printf '#!/bin/sh\\necho refused >&2\\nexit 1\\n' >$p; chmod 755 $p; done",
      );
      const failed = await apply("reboot", { triggers: { a: "c" }, timeout: 15 });
      await must(
        "cp -a /run/refused/reboot /run/refused/shutdown /run/refused/systemctl /usr/bin/ 2>/dev/null; true",
      );
      expect(problem(failed)).not.toBe("");
      expect(await host().bootId()).toBe(before);
    });
  });
});
