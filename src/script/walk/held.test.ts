import { spawnSync } from "node:child_process";
import {
  chmodSync,
  chownSync,
  mkdirSync,
  mkdtempSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { lines, type Script, script } from "../script.ts";
import { walk } from "./go.ts";
import { held } from "./held.ts";

const shells = [["/bin/sh"], ["/bin/bash", "--posix"], ["busybox", "sh"]].filter(
  ([program]) => spawnSync("sh", ["-c", `command -v ${program}`]).status === 0,
);
const isRoot = process.getuid?.() === 0;

let root: string;
beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), "held-")));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

/** An object as `c3x_may` gets it: type and mode, owner, names, group. */
const file = (mode: number, uid: number, links = 1, gid = 0) =>
  `${(0o100000 + mode).toString(16)} ${uid} ${links} ${gid}`;
const directory = (mode: number, uid: number) => `${(0o40000 + mode).toString(16)} ${uid} 3 0`;
const link = (uid: number) => `${(0o120777).toString(16)} ${uid} 1 0`;
const fifo = (mode: number, uid: number) => `${(0o10000 + mode).toString(16)} ${uid} 1 0`;

describe.each(shells)("with %s", (program, ...args) => {
  const run = (text: Script) => {
    const { status, stdout, stderr } = spawnSync(program!, args, {
      input: script`${walk}
${held}
${text}`.text,
      encoding: "utf8",
      timeout: 20_000,
    });
    expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
    return stdout;
  };
  const all = "touch read give open:0600 open:2750 open:0666";

  test("which of the deeds may be done, in a directory that somebody's hands can change", () => {
    const cases: readonly (readonly [
      what: string,
      hands: string,
      object: string,
      shut: string,
      may: string,
    ])[] = [
      ["nobody else's directory", "", file(0o600, 0, 2), "", all],
      ["the user's own", "70", file(0o600, 70, 2), "", all],
      ["root's, which everybody may read", "70", file(0o644, 0), "", all],
      ["root's, which only root may read", "70", file(0o600, 0), "", "touch open:0600"],
      ["root's, which everybody but its group may read", "70", file(0o604, 0), "", "touch open:0600"],
      ["root's, which the user's group may read", "70", file(0o640, 0, 1, 33), "", all],
      ["root's, which another group may read", "70", file(0o640, 0, 1, 4), "", "touch open:0600"],
      ["root's, which a group of one of several may read", "*", file(0o640, 0, 1, 33), "", "touch open:0600"],
      ["a third user's", "70", file(0o600, 71), "", "touch open:0600"],
      ["one's own, where others can move it", "*", file(0o600, 70), "", "touch open:0600"],
      ["one's own by a second name, where others can make it", "*", file(0o644, 70, 2), "", ""],
      ["root's by a second name", "70", file(0o644, 0, 2), "", ""],
      ["a directory of root's", "70", directory(0o755, 0), "", all],
      ["a directory of root's that nobody else may enter", "70", directory(0o700, 0), "", "touch open:0600"],
      ["a directory of root's that others may only enter", "70", directory(0o711, 0), "", "touch open:0600"],
      ["a link of root's", "70", link(0), "", all],
      ["a FIFO of root's that others may read", "70", fifo(0o644, 0), "", "touch open:0600"],
      ["below one that nobody else may enter", "70", file(0o644, 0), " 0:0:", "touch open:0600"],
      ["below one that the user's group may enter", "70", file(0o644, 0), " 0:33:x", all],
      ["below one that another group may enter", "70", file(0o644, 0), " 0:4:x", "touch open:0600"],
      ["below one of the user's own", "70", file(0o644, 0), " 70:70:", all],
      ["below one of the user's own, where others are", "*", file(0o644, 0), " 70:70:", "touch open:0600"],
    ];
    const asked = cases.map(
      ([, hands, object, shut]) => script`c3x_hands=${hands} c3x_shut=${shut}; may $(echo ${object})`,
    );
    const answers = run(script`c3x_me=0 c3x_grouped=70 c3x_groups='70 33'
may() {
  for c3x_deed in touch read give open:0600 open:2750 open:0666; do
    if c3x_may "$c3x_deed" "$@"; then printf '%s ' "$c3x_deed"; fi
  done
  echo
}
${lines(asked)}`);
    const found = answers.split("\n").map((may) => may.trim());
    expect(cases.map(([what], i) => [what, found[i]])).toEqual(cases.map(([what, , , , may]) => [what, may]));
  });

  test("what it does not know is refused", () => {
    expect(
      run(script`c3x_me=0 c3x_hands=70 c3x_shut=
for c3x_deed in '' Read open open: reads; do if c3x_may "$c3x_deed" 81a4 70 1 0; then echo "$c3x_deed"; fi; done
if c3x_may read 81a4 70 1; then echo short; fi
if c3x_held read; then echo nothing; fi`),
    ).toBe("");
  });

  test.runIf(isRoot)("whose hands a directory is in, and what is shut below them", () => {
    const at = (name: string, mode: number, uid = 0, gid = uid) => {
      mkdirSync(join(root, name));
      chmodSync(join(root, name), mode);
      chownSync(join(root, name), uid, gid);
    };
    chmodSync(root, 0o755);
    at("u", 0o750, 70);
    at("u/of-root", 0o700);
    at("u/of-root/in", 0o755);
    at("u/v", 0o755, 71);
    at("group", 0o775, 70, 71);
    at("own-group", 0o775, 70);
    at("sticky", 0o1777);
    at("sticky/u", 0o755, 70);
    at("sticky/of-root", 0o755);
    const look = (name: string, ...above: string[]) =>
      run(script`cd ${join(root, name)}; c3x_chain ${join(root, name, ...above)} ${above.join("")}
echo "$c3x_hands|$c3x_shut|\${c3x_unsafe:+unsafe}"`).trim();
    expect(look("")).toBe("||");
    expect(look("u")).toBe("70||");
    expect(look("u/of-root")).toBe("70| 0:0:|");
    expect(look("u/of-root/in")).toBe("70| 0:0:|");
    expect(look("u/v")).toBe("*||unsafe");
    expect(look("group")).toBe("*||");
    expect(look("own-group")).toBe("70||");
    expect(look("sticky")).toBe("*||");
    expect(look("sticky/u")).toBe("70||");
    expect(look("sticky/of-root")).toBe("||");
    expect(look("u", "..")).toBe("||");
    expect(look("u/of-root", "..")).toBe("70||");
  });

  test.runIf(isRoot)("an empty directory tells nothing", () => {
    mkdirSync(join(root, "u/of-root"), { recursive: true });
    chmodSync(join(root, "u/of-root"), 0o700);
    chmodSync(root, 0o755);
    chownSync(join(root, "u"), 70, 70);
    const mayHere = () =>
      run(script`cd ${join(root, "u/of-root")} && if c3x_may_here give; then echo yes; else echo no; fi`);
    expect(mayHere()).toBe("yes\n");
    writeFileSync(join(root, "u/of-root/f"), "");
    expect(mayHere()).toBe("no\n");
  });

  test("what turns to a FIFO or a link meanwhile is no file, and is not waited for", () => {
    chmodSync(root, 0o777);
    spawnSync("mkfifo", [join(root, "fifo")]);
    writeFileSync(join(root, "file"), "content");
    symlinkSync("file", join(root, "link"));
    const print = (name: string) =>
      run(script`cd ${root}; c3x_name=${name}; c3x_chain "$PWD"
c3x_print() { c3x_held read $(c3x_facts) && cat <&5; }
c3x_open c3x_print 2>/dev/null || echo no`);
    expect(print("file")).toBe("content");
    expect(print("link")).toBe("no\n");
    const before = performance.now();
    // The shell that was killed is named on standard error by some shells.
    const { stdout } = spawnSync(program!, args, {
      input: script`${walk}
${held}
cd ${root}; c3x_name=fifo; c3x_chain "$PWD"; { c3x_open echo opened; } 2>/dev/null || echo no`.text,
      encoding: "utf8",
      timeout: 20_000,
    });
    expect(stdout).toBe("no\n");
    expect(performance.now() - before).toBeLessThan(15_000);
  });
});
