/**
 * What kinds do on a real host in the cases that go wrong in the field, seen by somebody who looks at the host itself.
 */
import { createHash, randomBytes } from "node:crypto";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { schemaType } from "../../src/schema/schema.ts";
import { fromPlain, toPlain } from "../../src/values/plain.ts";
import { describeLab } from "../lab/for-tests.ts";
import { kindStage } from "./kind-stage.ts";

describeLab("kinds", () => {
  const { host, ssh, driver, apply, made, planProblems, problem, object, cat, provider } = kindStage();
  let local: string;
  beforeAll(() => {
    local = mkdtempSync(join(tmpdir(), "conn3x-kinds-"));
  });
  afterAll(() => rmSync(local, { recursive: true, force: true }));

  describe("file", () => {
    test("comes from a local file, and only its hash is stored", async () => {
      const source = join(local, "source");
      writeFileSync(source, Buffer.alloc(300_000, "x"));
      const first = await made("file", { path: "/srv/source", source });
      expect(await host().must("wc -c </srv/source")).toBe("300000\n");
      expect(JSON.stringify(object(first))).not.toContain("xxx");
      const large = randomBytes(48 * 1024 * 1024);
      writeFileSync(source, large);
      await made("file", { path: "/srv/large", source });
      const sum = createHash("sha256").update(large).digest("hex");
      expect(await host().must("sha256sum </srv/large; rm /srv/large")).toContain(sum);
      writeFileSync(source, "other\n");
      const second = await made("file", { path: "/srv/source", source }, first);
      expect(second.decision.action).toBe("update");
      expect(await cat("/srv/source")).toBe("other\n");
      const quiet = await driver("file").read(second);
      expect((await made("file", { path: "/srv/source", source }, quiet)).decision.action).toBe("none");
    });

    test("takes its place only when it passes its validation, and the old one is kept", async () => {
      const settings = { path: "/etc/sudoers.d/web", mode: "0440", validate: "visudo -cf %s", backup: true };
      const first = await made("file", { ...settings, content: "deploy ALL=(ALL) NOPASSWD: ALL\n" });
      const refused = await apply("file", { ...settings, content: "deploy ALL=(ALL\n" }, first);
      expect(problem(refused)).toMatch(/did not pass visudo -cf %s[\s\S]*syntax error/);
      expect(await cat("/etc/sudoers.d/web")).toBe("deploy ALL=(ALL) NOPASSWD: ALL\n");
      await made("file", { ...settings, content: "# empty\n" }, first);
      expect(await host().must("cat /etc/sudoers.d/web.*~")).toBe("deploy ALL=(ALL) NOPASSWD: ALL\n");
      expect(await host().must("stat -c %a /etc/sudoers.d/web")).toBe("440\n");
      await host().must("rm /etc/sudoers.d/web*");
    });

    test.each([
      ["writes through a link that is followed", true, "symbolic link", "new\n"],
      ["replaces a link", false, "regular file", "old\n"],
      ["replaces a link unless told otherwise", null, "regular file", "old\n"],
    ])("%s", async (_, follow, kind, target) => {
      await host().must(
        "mkdir -p /srv/links && cd /srv/links && rm -f * && echo old >target && ln -s target link",
      );
      const file = await made("file", { path: "/srv/links/link", content: "new\n", follow });
      expect(await host().must("stat -c %F /srv/links/link")).toBe(`${kind}\n`);
      expect(await cat("/srv/links/target")).toBe(target);
      expect(await cat("/srv/links/link")).toBe("new\n");
      const quiet = await driver("file").read(file);
      expect(
        (await made("file", { path: "/srv/links/link", content: "new\n", follow }, quiet)).decision.action,
      ).toBe("none");
    });

    test("is made where a link leads nowhere", async () => {
      await host().must("cd /srv/links && rm -f * && ln -s target link");
      const file = await made("file", { path: "/srv/links/link", content: "new\n", follow: true });
      expect(await cat("/srv/links/target")).toBe("new\n");
      await driver("file").apply(file, undefined);
      expect(await host().must("ls /srv/links")).toBe("link\n");
    });

    test.each([
      ["mkdir", "a directory"],
      ["mkfifo", "no regular file"],
    ])("a plan tells what is in its place: %s", async (make, what) => {
      await host().must(`rm -rf /srv/place; ${make} /srv/place`);
      const settings = { path: "/srv/place", content: "" };
      expect(await planProblems("file", settings)).toMatchObject([
        { severity: "warning", detail: expect.stringContaining(`/srv/place is ${what}`) },
      ]);
      expect(problem(await apply("file", settings))).toContain(`/srv/place is ${what}`);
      await host().must("rm -r /srv/place");
    });

    test("was there before, where a link leads to it", async () => {
      await host().must("cd /srv/links && rm -f * && echo old >target && ln -s target link");
      const file = await made("file", { path: "/srv/links/link", content: "new\n", follow: true });
      await driver("file").apply(file, undefined);
      expect(await host().must("ls /srv/links")).toBe("link\ntarget\n");
    });
  });

  test.each([
    ["made for the line", "rm -f /srv/made-file", ""],
    ["empty before", ": >/srv/made-file", "/srv/made-file\n"],
  ])("a file that was %s, when the line goes", async (_, before, left) => {
    await host().must(before);
    const line = await made("line", { path: "/srv/made-file", line: "a", create: true });
    const edited = await made("line", { path: "/srv/made-file", line: "b", create: true }, line);
    await driver("line").apply(await driver("line").read(edited), undefined);
    expect(await host().must("ls -d /srv/made-file 2>/dev/null || true")).toBe(left);
  });

  describe("directory", () => {
    test.each([
      ["below it", "/srv/mounts/in"],
      ["at it", "/srv/mounts"],
    ])("deletes nothing through a mount %s", async (_, point) => {
      await host().must("rm -rf /srv/mounts /srv/data; mkdir /srv/data && echo precious >/srv/data/file");
      const directory = await made("directory", { path: "/srv/mounts", on_remove: "delete" });
      await host().must(`mkdir -p ${point} && mount --bind /srv/data ${point}`);
      const refused = await driver("directory").apply(directory, undefined);
      expect(problem(refused)).toContain(`since this is mounted there:\n  ${point}\n`);
      expect(await cat("/srv/data/file")).toBe("precious\n");
      await host().must(`umount ${point}; touch /srv/mounts/file`);
      await driver("directory").apply(directory, undefined);
      expect(await host().must("ls -d /srv/mounts /srv/data 2>/dev/null || true")).toBe("/srv/data\n");
    });

    test("that became a link is gone; one that was a link before is not", async () => {
      const settings = { path: "/srv/dir/in", mode: "0750" };
      const first = await made("directory", settings);
      await host().must("cd /srv/dir && mv in moved && ln -s moved in");
      const unseen = await driver("directory").apply(first, undefined);
      expect(problem(unseen)).toContain("was kept");
      const seen = await driver("directory").read(first);
      expect(toPlain(seen.state)).toBeNull();
      expect(problem(await apply("directory", settings))).toContain("is a symbolic link");
      const followed = { ...settings, follow: true };
      const adopted = await made("directory", followed);
      const again = await driver("directory").read(adopted);
      expect((await made("directory", followed, again)).decision.action).toBe("none");
      await driver("directory").apply(again, undefined);
      expect(await host().must("ls /srv/dir; rm -r /srv/dir")).toBe("in\nmoved\n");
    });

    test("is not left behind without its owner", async () => {
      const settings = { ssh: ssh(), path: "/srv/dir/in", owner: "leaving" };
      expect(await planProblems("directory", settings)).toMatchObject([{ summary: "No such user" }]);
      // What the plan finds may be gone when its turn comes.
      await host().must("useradd leaving");
      const objects = schemaType(provider().schema.resources.get("conn3x_directory")!);
      const planned = await driver("directory").plan(undefined, settings);
      await host().must("userdel leaving");
      const failed = await provider().applyResource({
        type: "conn3x_directory",
        prior: fromPlain(null, objects),
        config: fromPlain(settings, objects),
        planned: planned.planned,
        plannedPrivate: planned.private,
      });
      expect(failed.diagnostics.map(({ detail }) => detail).join()).toContain(
        "could not make the directory /srv/dir/in",
      );
      expect(toPlain(failed.state)).toBeNull();
      await host().must("! ls -d /srv/dir");
    });
  });

  test("lines of one file, side by side", async () => {
    await host().must("printf 'UseDNS no' >/srv/lines");
    const lines = Array.from({ length: 8 }, (_, i) => `line ${i}`);
    await Promise.all(lines.map((line) => made("line", { path: "/srv/lines", line })));
    expect((await cat("/srv/lines")).split("\n").sort()).toEqual(["", "UseDNS no", ...lines].sort());
  });

  describe("service", () => {
    test("a typo fails a plan of a host where nothing else is to change, and no other", async () => {
      const settings = { name: "lab-webb", running: true };
      expect(await planProblems("service", settings)).toMatchObject([
        { severity: "error", summary: "No such service" },
      ]);
      expect(await planProblems("file", { path: "/srv/x", content: "" })).toEqual([]);
      expect(await planProblems("service", settings)).toEqual([]);
      expect(problem(await apply("service", settings))).toContain("There is no service lab-webb");
    });

    test("starts by the unit file as it is now", async () => {
      const unit = (text: string) =>
        `[Service]\nType=oneshot\nRemainAfterExit=yes\nExecStart=/bin/sh -c 'echo ${text} >/run/made'\n`;
      const path = "/etc/systemd/system/made.service";
      const file = await made("file", { path, content: unit("one") });
      const service = await made("service", { name: "made", running: true });
      expect(await cat("/run/made")).toBe("one\n");
      await host().must("systemctl stop made");
      await made("file", { path, content: unit("two") }, file);
      await made("service", { name: "made", running: true }, await driver("service").read(service));
      expect(await cat("/run/made")).toBe("two\n");
    });

    test("says why it could not, and where to look", async () => {
      const applied = await apply("service", {
        name: "lab-worker",
        running: true,
        ssh: ssh({ become: false }),
      });
      expect(problem(applied)).toMatch(
        /could not start the service lab-worker[\s\S]*journalctl -u lab-worker/,
      );
    });

    test.each([
      ["simple", "", "/bin/false", false],
      ["simple", "Restart=on-failure\\n", "/bin/sh -c 'sleep 0.3; exit 1'", false],
      ["simple", "", "/bin/sleep 600", true],
      ["oneshot", "", "/bin/true", true],
    ])("a handler tells of a service that dies at once: %s %s%s", async (type, restart, start, lives) => {
      const unit = `[Service]\\nType=${type}\\n${restart}ExecStart=${start}\\n`;
      await host().must(`printf "${unit}" >/etc/systemd/system/dying.service`);
      const handled = await apply("service_action", { name: "dying", action: "restart", triggers: [start] });
      if (lives) expect(handled.diagnostics).toEqual([]);
      else expect(problem(handled)).toMatch(/dying failed within a second[\s\S]*journalctl -u dying/);
      await host().must("systemctl stop dying; systemctl reset-failed dying 2>/dev/null || true");
    });

    test("masks and unmasks, and the second time does nothing", async () => {
      const masked = { name: "cron", running: false, masked: true };
      const first = await made("service", masked);
      const again = await made("service", masked, await driver("service").read(first));
      expect(again.decision.action).toBe("none");
      await made("service", { name: "cron", running: true, enabled: true, masked: false }, again);
      expect(await host().must("systemctl is-active cron && systemctl is-enabled cron")).toBe(
        "active\nenabled\n",
      );
    });

    test("an init script that was just put there", async () => {
      const content =
        "#!/bin/sh\n### BEGIN INIT INFO\n# Provides: old\n# Required-Start:\n# Required-Stop:\n# Default-Start: 2 3 4 5\n# Default-Stop: 0 1 6\n### END INIT INFO\n" +
        "case $1 in start) touch /run/old ;; stop) rm -f /run/old ;; esac\n";
      await made("file", { path: "/etc/init.d/old", content, mode: "0755" });
      const service = await made("service", { name: "old", running: true, enabled: true });
      expect(await host().must("ls /run/old /etc/rc3.d/S01old")).toContain("S01old");
      const again = await driver("service").read(service);
      expect(
        (await made("service", { name: "old", running: true, enabled: true }, again)).decision.action,
      ).toBe("none");
    });
  });

  describe("package", () => {
    test("a name that fits others is not taken for a pattern", async () => {
      const applied = await apply("package", { name: "conn3x-dem." });
      expect(problem(applied)).toContain("there is no package conn3x-dem.");
      expect((await host().exec("dpkg -s conn3x-demo")).status).not.toBe(0);
    });

    test("waits for whoever works on packages, and names him when it takes too long", async () => {
      const busy = host().exec("apt-get -o DPkg::Pre-Invoke::='sleep 6' -qy install tree");
      await new Promise((resolve) => setTimeout(resolve, 1500));
      const impatient = await apply("package", { name: "conn3x-lib", lock_timeout: 1 });
      expect(problem(impatient)).toMatch(
        /another process works on packages[\s\S]*held by process \d+ \(apt-get\)/,
      );
      await made("package", { name: "conn3x-lib" });
      expect((await busy).status).toBe(0);
    });

    test("says at once that it takes root", async () => {
      const applied = await apply("package", { name: "curl", ssh: ssh({ become: false }) });
      expect(problem(applied)).toContain("only root can change packages");
    });

    test("finishes what was interrupted", async () => {
      await host().must(
        "cd /tmp && cp /srv/lab-apt/conn3x-demo_1.0*.deb . && dpkg --unpack conn3x-demo_1.0*.deb",
      );
      const demo = await made("package", { name: "conn3x-demo", version: "1.0", hold: true });
      expect(await host().must("dpkg --audit")).toBe("");
      const again = await driver("package").read(demo);
      expect(
        (await made("package", { name: "conn3x-demo", version: "1.0", hold: true }, again)).decision.action,
      ).toBe("none");
      await made("package", { name: "conn3x-demo", version: "2.0", hold: false }, demo);
      expect(await host().must("dpkg-query -W -f '${Version}' conn3x-demo")).toBe("2.0");
    });

    test("keeps a configuration file that somebody changed, and purges it when told", async () => {
      await host().must("echo mine >>/etc/conn3x-demo.conf");
      const demo = await made("package", { name: "conn3x-demo", version: "1.0" });
      expect(await cat("/etc/conn3x-demo.conf")).toContain("mine");
      const absent = await made("package", { name: "conn3x-demo", state: "absent" }, demo);
      await host().must("test -e /etc/conn3x-demo.conf");
      await made("package", { name: "conn3x-demo", state: "purged" }, absent);
      expect((await host().exec("test -e /etc/conn3x-demo.conf")).status).not.toBe(0);
    });

    test("tells why one cannot be installed, and takes it away again", async () => {
      const broken = await apply("package", { name: "conn3x-broken" });
      expect(problem(broken)).toMatch(/could not install conn3x-broken/);
      await made("package", { name: "conn3x-broken", state: "purged" });
      expect(await host().must("dpkg --audit")).toBe("");
    });
  });

  describe("command", () => {
    test("runs as another user, with a secret that shows nowhere", async () => {
      const settings = {
        run: 'echo "$(id -un) $HOME $TOKEN $(cat)"; ps -ef | grep -c "[t]op-secret"; exit 3',
        user: "plain",
        secret_environment: { TOKEN: "top-secret" },
        stdin: "pass phrase\n",
      };
      const failed = await apply("command", settings);
      expect(problem(failed)).toContain("plain /home/plain (secret) (secret)\n  0");
      expect(problem(failed)).not.toMatch(/top-secret|pass phrase/);
      const fine = await made("command", { ...settings, success_codes: [3] });
      expect(object(fine)).toMatchObject({
        exit_code: 3,
        stdout: "plain /home/plain (secret) (secret)\n0\n",
      });
    });

    test("runs again when a trigger changes, and keeps its revision when nothing changed", async () => {
      const settings = (trigger: string) => ({
        run: "echo x >>/srv/count; if [ $(wc -l </srv/count) -gt 2 ]; then echo changed; fi",
        triggers: { config: trigger },
        changed_when: "^changed",
      });
      const first = await made("command", settings("a"));
      expect((await made("command", settings("a"), first)).decision.action).toBe("none");
      const second = await made("command", settings("b"), first);
      expect(object(second).revision).toBe(object(first).revision);
      const third = await made("command", settings("c"), second);
      expect(object(third).revision).not.toBe(object(first).revision);
      expect(await cat("/srv/count")).toBe("x\nx\nx\n");
    });

    test("waits until it is possible", async () => {
      const settings = { run: "touch /srv/done", only_if: "test -e /srv/possible" };
      const first = await made("command", settings);
      expect(object(first)).toMatchObject({ ran: false, exit_code: null });
      expect((await made("command", settings, await driver("command").read(first))).decision.action).toBe(
        "none",
      );
      await host().must("touch /srv/possible");
      const again = await driver("command").read(first);
      expect(toPlain(again.state)).toBeNull();
      expect(object(await made("command", settings))).toMatchObject({ ran: true });
      await host().must("test -e /srv/done");
    });

    test("fails where it did not make what it should, in time, or at all", async () => {
      expect(problem(await apply("command", { run: "true", creates: "/srv/never" }))).toContain(
        "it is not there",
      );
      expect(problem(await apply("command", { run: "sleep 20", timeout: 1 }))).toContain("longer than 1 s");
      expect(problem(await apply("command", { run: "no-such-tool" }))).toMatch(/status 127[\s\S]*not found/);
    });

    test("a handler's runs when it is made, and when triggers change", async () => {
      const settings = (run: string, trigger: string) => ({ run, triggers: [trigger] });
      const first = await made("command_action", settings("echo one >>/srv/handled", "a"));
      const edited = await made("command_action", settings("echo two >>/srv/handled", "a"), first);
      expect(edited.decision.action).toBe("update");
      const again = await made("command_action", settings("echo two >>/srv/handled", "b"), edited);
      expect(again.decision.action).toBe("replace");
      expect(await cat("/srv/handled")).toBe("one\ntwo\n");
    });
  });

  describe("wait_for", () => {
    test("a port, a path, a command", async () => {
      await made("wait_for", { port: 22, timeout: 5 });
      await made("wait_for", { port: 2, state: "absent", timeout: 5 });
      await host().must("(sleep 2; touch /srv/ready) >/dev/null 2>&1 &");
      await made("wait_for", { path: "/srv/ready", timeout: 10 });
      await made("wait_for", { command: "test -e /srv/ready", timeout: 5 });
      const vain = await apply("wait_for", { path: "/srv/never", timeout: 2 });
      expect(problem(vain)).toContain("waited 2 s for /srv/never to exist");
    });
  });

  test("facts are known while planning, and nobody's drift", async () => {
    const planned = await driver("facts").plan(undefined, { ssh: ssh() });
    expect(toPlain(planned.planned)).toMatchObject({
      os: { family: "debian", version: "12" },
      hostname: host().name,
    });
    const facts = await made("facts", {});
    await host().must("touch /run/reboot-required");
    const again = await driver("facts").read(facts);
    expect(object(again)).toMatchObject({
      reboot_required: true,
      package_manager: "apt",
      init_system: "systemd",
    });
    expect((await made("facts", {}, again)).decision.action).toBe("none");
  });

  describe("reboot", () => {
    test("waits until commands work again, and goes on with the same provider", async () => {
      const before = await host().bootId();
      const settings = (trigger: string) => ({ triggers: { config: trigger }, timeout: 60 });
      const first = await made("reboot", settings("a"));
      const after = await host().bootId();
      expect(after).not.toBe(before);
      expect(object(first).boot_id).toBe(after);
      await made("file", { path: "/srv/after", content: "reboot\n" });
      expect((await made("reboot", settings("a"), await driver("reboot").read(first))).decision.action).toBe(
        "none",
      );
      const second = await made("reboot", settings("b"), first);
      expect(object(second).boot_id).toBe(await host().bootId());
      expect(await host().bootId()).not.toBe(after);
    });

    test("only when the host asks for it, and only as root", async () => {
      const before = await host().bootId();
      expect(object(await made("reboot", { only_if_required: true }))).toMatchObject({ boot_id: null });
      expect(problem(await apply("reboot", { ssh: ssh({ become: false }) }))).toContain(
        "only root can reboot",
      );
      expect(await host().bootId()).toBe(before);
    });
  });
});
