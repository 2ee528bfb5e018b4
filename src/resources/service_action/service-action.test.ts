import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { showValues } from "../../schema/schema.ts";
import { initSystems } from "../service/init-systems.ts";
import { serviceActionKind } from "./service-action.ts";

describe("run", () => {
  test("reloads only what runs", () => {
    expect(serviceActionKind.run({ name: "getty@tty1", action: "reload" })[0]).toMatchObject({
      script: {
        text: expect.stringMatching(
          /\nsystemctl is-active -- getty@tty1 >\/dev\/null \|\|\n.*-- getty@tty1\) in .* exit 0 ;; esac\nsystemctl reload -- getty@tty1 \|\| exit\n/,
        ),
      },
    });
  });
});

describe("on a host with systemd", () => {
  let root: string;
  beforeEach(() => {
    root = mkdtempSync(join(tmpdir(), "conn3x-action-"));
  });
  afterEach(() => rmSync(root, { recursive: true, force: true }));

  /** Runs an action where `systemctl show` tells one of `states` after another, the last one for ever. */
  function act(action: string, states: readonly string[], more = "", load = "loaded", isFresh = false) {
    const said = states.map((state, i) => `${i + 1}) echo '${state.replaceAll(" ", "\n")}' ;;`);
    const last = states.at(-1)!.replaceAll(" ", "\n");
    const systemctl = `#!/bin/sh
case $1 in
  is-system-running) echo running ;;
  show)
    case $* in *ActiveState*) ;; *) echo LoadState=${load}; exit 0 ;; esac
    echo >>${root}/asked
    case $(wc -l <${root}/asked | tr -d ' ') in ${said.join("\n")} *) echo '${last}' ;; esac ;;
  *) echo "$1" >>${root}/done; ${more} ;;
esac`;
    writeFileSync(join(root, "systemctl"), systemctl, { mode: 0o755 });
    // No unit file is newer than what the manager has read.
    writeFileSync(join(root, "find"), "#!/bin/sh\n", { mode: 0o755 });
    const [operation] = serviceActionKind.run({ name: "web", action }, isFresh);
    if (operation?.do !== "script") throw new Error("not a script");
    const env = { PATH: `${root}:${process.env.PATH}` };
    const { status, stderr } = spawnSync("/bin/sh", [], {
      input: operation.script.text,
      encoding: "utf8",
      env,
    });
    const asked = existsSync(join(root, "asked")) ? readFileSync(join(root, "asked"), "utf8").length : 0;
    const done = existsSync(join(root, "done")) ? readFileSync(join(root, "done"), "utf8") : "";
    return {
      status,
      stderr,
      asked,
      done: done.split("\n").filter((verb) => verb !== "" && verb !== "reset-failed"),
    };
  }
  const fresh = (action: string, state: string, more?: string) => act(action, [state], more, "loaded", true);
  const up = "Type=simple Result=success ActiveState=active SubState=running Restart=on-failure NRestarts=0";

  test.each([
    ["failed", "Type=simple Result=exit-code ActiveState=failed SubState=failed"],
    ["is started again and again", "Type=exec Result=signal ActiveState=activating SubState=auto-restart"],
    [
      "was started again",
      "Type=exec Result=success ActiveState=active SubState=running Restart=on-failure NRestarts=1",
    ],
    ["is queued to be", "Type=exec Result=exit-code ActiveState=activating SubState=auto-restart-queued"],
  ])("a service that soon %s is a failure of the action", (_, state) => {
    for (const action of ["restart", "reload"]) {
      rmSync(join(root, "asked"), { force: true });
      const { status, stderr, asked } = act(action, [up, up, state]);
      expect({ status, asked }).toEqual({ status: 1, asked: 3 });
      expect(stderr).toContain(state.split(" ")[1]);
    }
  });

  test("one that stays up is looked at for a second", () => {
    expect(act("restart", [up])).toEqual({ status: 0, stderr: "", asked: 11, done: ["restart"] });
  });

  test.each([
    ["a oneshot that succeeded", "Type=oneshot Result=success ActiveState=inactive SubState=dead"],
    ["a oneshot that remains", "Type=oneshot Result=success ActiveState=active SubState=exited"],
    ["what says itself when it is ready", "Type=notify Result=success ActiveState=active SubState=running"],
    ["what ended well at once", "Type=simple Result=success ActiveState=inactive SubState=dead"],
    ["a target, which has no type", "ActiveState=active SubState=active"],
  ])("%s is fine, without waiting", (_, state) => {
    expect(act("restart", [state])).toMatchObject({ status: 0, asked: 1 });
  });

  test("one that is started again although it ended well is fine", () => {
    const often = up.replace("on-failure", "always");
    expect(act("restart", [often, often.replace("NRestarts=0", "NRestarts=1")]).status).toBe(0);
  });

  test("a restart that was refused is not looked at any more", () => {
    expect(act("restart", [up], "exit 5")).toMatchObject({ status: 5, asked: 0 });
  });

  test("nothing is reloaded where nothing runs", () => {
    expect(act("reload", [up], "exit 3")).toMatchObject({ status: 0, asked: 0, done: ["is-active"] });
  });

  test("a service that there is not cannot be reloaded", () => {
    const missing = `if [ "$1" = reload ]; then echo 'Unit web.service not found.' >&2; exit 5; fi; exit 3`;
    expect(act("reload", [up], missing, "not-found")).toMatchObject({
      status: 5,
      stderr: "Unit web.service not found.\n",
      done: ["daemon-reload", "is-active", "reload"],
    });
  });

  test.each(["restart", "reload"])(
    "%s of what the run has just started does nothing, and sees whether it stays up",
    (action) => {
      expect(fresh(action, up)).toEqual({ status: 0, stderr: "", asked: 11, done: [] });
      const failed = "Type=simple Result=exit-code ActiveState=failed SubState=failed";
      expect(fresh(action, failed)).toMatchObject({ status: 1, done: [] });
    },
  );
});

describe("a service that the run has just started", () => {
  test("is left alone where systemd knows that it had not been running, and restarted elsewhere", () => {
    const [restart] = serviceActionKind.run({ name: "web", action: "restart" });
    const [settle] = serviceActionKind.run({ name: "web", action: "restart" }, true);
    const text = (operation: typeof restart) => (operation?.do === "script" ? operation.script.text : "");
    expect(text(restart)).toContain("systemctl restart");
    expect(text(settle)).not.toContain("systemctl restart");
    for (const init of ["rc-service", "/etc/init.d/web"]) {
      const lines = (whole: string) => whole.split("\n").filter((line) => line.includes(init));
      expect(lines(text(settle))).toEqual(lines(text(restart)));
    }
  });
});

describe("on a host with another init system", () => {
  test.each(
    initSystems.filter(({ name }) => name !== "systemd").map(({ name, reload }) => [name, reload] as const),
  )("%s: an unknown service cannot be reloaded", (_, reload) => {
    const { status } = spawnSync("/bin/sh", [], { input: reload("conn3x-no-such-service").text });
    expect(status).not.toBe(0);
  });
});

describe("name", () => {
  test.each(["nginx", "getty@tty1.service", "dev-disk-by\\x2dlabel.swap"])("may be %s", (name) => {
    expect(serviceActionKind.schema.attributes.name?.check?.(name, showValues)).toBeUndefined();
  });
  test.each(["-rf", "a b", "", "nginx; reboot"])("cannot be %j", (name) => {
    expect(serviceActionKind.schema.attributes.name?.check?.(name, showValues)).toEqual(expect.any(String));
  });
});
