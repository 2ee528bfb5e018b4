/**
 * When a handler runs, under each real engine on one host with two names: not on names where nothing notifies it, not for
 * other words for the same, again after another step has failed, and for what is removed because its condition turns false.
 */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { findEngines } from "../engines/engine.ts";
import { describeLab, labHosts } from "../lab/for-tests.ts";
import { conn3x } from "./conn3x.ts";

interface Wishes {
  /** Settings of the steps `a` and `good`. */
  readonly a: string;
  readonly good: string;
  /** Whether `a` is to be there. */
  readonly when: boolean;
  /** What a step after them runs. */
  readonly command: string;
}

const circuit = (login: string, { a, good, when, command }: Wishes): string => `circuit "c" {
${login}
  step "a" {
    when = ${when}
    file {
      ${a}
      on_remove = "delete"
    }
    notify = [handler.a]
  }
  step "good" {
    file {
      ${good}
    }
    notify = [handler.good]
  }
  step "once" {
    run_once = true
    file {
      path    = "/srv/notified/once"
      content = "x"
    }
    notify = [handler.once]
  }
  step "bad" {
    ignore_errors = true
    command {
      run = "${command}"
    }
  }
${["a", "good", "once"]
  .map(
    (name) => `  handler "${name}" {
    command {
      run = "echo ${name} \${host.name} >>/srv/notified.ran"
    }
  }
`,
  )
  .join("")}}
`;

const path = (name: string): string => `path = "/srv/notified/${name}-\${host.name}"`;
const first: Wishes = {
  a: `${path("a")}\n      content = "x"\n      owner = "root"\n      mode = "0644"`,
  good: `${path("good")}\n      content = "x"`,
  when: true,
  command: "true",
};
const otherWords: Wishes = {
  ...first,
  a: `${path("a").replace("notified/", "notified//")}\n      content_base64 = "eA=="\n      owner = "0"\n      mode = "644"`,
  good: `${path("good")}\n      secret_content = "x"\n      follow = false`,
};
const edited: Wishes = { ...otherWords, good: `${path("good")}\n      content = "y"`, command: "false" };

for (const { name, version, program } of findEngines()) {
  describeLab(`handlers under ${name} ${version}`, () => {
    const lab = labHosts(1);

    test("run for what notifies them, where it does, once", async () => {
      const [host] = lab.hosts;
      const one = `{ address = "${host.address}", host_key = "${host.hostKey}" }`;
      const login = `  hosts = { h1 = ${one}, h2 = ${one} }
  ssh {
    user             = "root"
    private_key_file = "${lab.lab.keyFile}"
    agent            = false
  }`;
      const directory = mkdtempSync(join(tmpdir(), "conn3x-notified-"));
      const run = async (...args: readonly string[]) => conn3x(directory, ...args, `-engine=${program}`);
      const ran = async (wishes: Wishes, status = 0): Promise<readonly string[]> => {
        writeFileSync(join(directory, "main.circuit.hcl"), circuit(login, wishes));
        await host.must("rm -f /srv/notified.ran; : >/srv/notified.ran");
        const applied = await run("apply", "-auto-approve");
        expect(applied.status, applied.output).toBe(status);
        return (await host.must("sort /srv/notified.ran")).split("\n").filter((line) => line !== "");
      };
      await host.must("rm -rf /srv/notified; mkdir /srv/notified");
      try {
        expect(await ran(first)).toEqual(["a h1", "a h2", "good h1", "good h2", "once h1"]);
        expect(await ran(otherWords)).toEqual([]);
        // These engines know nothing of ignored errors: what waits for the failed step runs when that succeeds.
        expect(await ran(edited, 1)).toEqual([]);
        expect(await host.must("cat /srv/notified/good-h1 /srv/notified/good-h2")).toBe("yy");
        expect(await ran({ ...edited, command: "true", when: false })).toEqual([
          "a h1",
          "a h2",
          "good h1",
          "good h2",
        ]);
        expect(await host.must("ls /srv/notified")).toBe("good-h1\ngood-h2\nonce\n");
        expect(await run("plan", "-detailed-exitcode")).toMatchObject({ status: 0 });
      } finally {
        rmSync(directory, { recursive: true, force: true });
      }
    });
  });
}
