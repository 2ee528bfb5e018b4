/**
 * How `conn3x -engine` ends when it is interrupted twice, or killed: nothing goes on without it, and nothing is locked.
 */
import { spawn } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { findEngines, titled } from "../engines/engine.ts";
import { describeLab, labHosts } from "../lab/for-tests.ts";
import { until } from "../lab/run.ts";
import { conn3x } from "./conn3x.ts";

const program = join(import.meta.dirname, "../../dist/conn3x.cjs");
let directory: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), "conn3x-engines-"));
  mkdirSync(join(directory, "tmp"));
});
afterEach(() => rmSync(directory, { recursive: true, force: true }));

/** Programs that work in the directory: the engine, what it started, and ourselves. */
function workingThere(): readonly string[] {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .flatMap((pid) => {
      try {
        if (!readlinkSync(`/proc/${pid}/cwd`).startsWith(directory)) return [];
        return [`${pid} ${readFileSync(`/proc/${pid}/cmdline`, "utf8").replaceAll("\0", " ")}`];
      } catch {
        return [];
      }
    });
}

interface Ended {
  readonly status: number | null;
  readonly output: string;
  /** Milliseconds from the last signal to the end. */
  readonly took: number;
}

/** Applies and gives a signal each time that what was waited for has come. */
async function interrupted(
  engine: string,
  signals: readonly { readonly signal: NodeJS.Signals; readonly when: () => Promise<boolean> | boolean }[],
): Promise<Ended> {
  const child = spawn(process.execPath, [program, "apply", "-auto-approve", `-engine=${engine}`], {
    cwd: directory,
    env: { ...process.env, TMPDIR: join(directory, "tmp") },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let output = "";
  for (const stream of [child.stdout, child.stderr])
    stream.on("data", (chunk) => {
      output += chunk;
    });
  const ended = new Promise<number | null>((resolve) => child.on("exit", resolve));
  let last = 0;
  for (const { signal, when } of signals) {
    await until(`time for ${signal}`, 30, async () => (await when()) || child.exitCode !== null);
    last = performance.now();
    child.kill(signal);
    // The next one is for what this one led to.
    await new Promise((resolve) => setTimeout(resolve, 500));
  }
  const status = await ended;
  return { status, output, took: performance.now() - last };
}

describeLab("conn3x -engine, interrupted", () => {
  const lab = labHosts(1);
  const web = (run: string) => `
circuit "web" {
  hosts = { one = "${lab.hosts[0]!.address}" }
  ssh {
    user             = "deploy"
    private_key_file = "${lab.lab.keyFile}"
    known_hosts_file = "${lab.lab.knownHostsFile}"
    agent            = false
    become           = true
  }
  step "first" {
    file {
      path    = "/srv/first"
      content = "first"
    }
  }
  step "slow" {
    command {
      run = "${run}"
    }
  }
}
`;
  const began = async () => (await lab.hosts[0]!.exec("test -e /run/began")).status === 0;
  const write = (text: string): void => writeFileSync(join(directory, "main.circuit.hcl"), text);
  const stored = (): readonly string[] =>
    JSON.parse(readFileSync(join(directory, "terraform.tfstate"), "utf8")).resources.map(
      ({ name }: { name: string }) => name,
    );
  const nothingLeft = async () => {
    await until("nothing works there any more", 10, () => workingThere().length === 0);
    expect(existsSync(join(directory, ".terraform.tfstate.lock.info"))).toBe(false);
  };

  describe.each(titled(findEngines()))("%s", (_, { program: engine }) => {
    beforeEach(() => lab.hosts[0]!.must("pkill -x sleep; rm -f /run/began /srv/first"));

    test("a second ^C ends a slow step at once, with what was done in the state", async () => {
      write(web("touch /run/began; sleep 60"));
      const { status, output, took } = await interrupted(engine, [
        { signal: "SIGINT", when: began },
        { signal: "SIGINT", when: () => true },
      ]);
      expect(status, output).toBe(1);
      expect(output).toContain("Closing all connections.");
      expect(took).toBeLessThan(6000);
      expect(stored()).toContain("web__first");
      await nothingLeft();
      expect(readdirSync(join(directory, "tmp"))).toEqual([]);
      write(web("true"));
      const rest = await conn3x(directory, "apply", "-auto-approve", `-engine=${engine}`);
      expect(rest.status, rest.output).toBe(0);
      expect((await conn3x(directory, "destroy", "-auto-approve", `-engine=${engine}`)).status).toBe(0);
    });

    test("what another provider runs ends as well", async () => {
      write(`
${web("true")}
resource "terraform_data" "slow" {
  provisioner "local-exec" {
    command = "touch began; trap '' INT; sleep 60; sleep 60"
  }
}
`);
      const { status, output, took } = await interrupted(engine, [
        { signal: "SIGINT", when: () => existsSync(join(directory, "began")) },
        { signal: "SIGINT", when: () => true },
      ]);
      expect(status, output).toBe(1);
      expect(took).toBeLessThan(6000);
      await until("nothing works there any more", 10, () => workingThere().length === 0);
    });

    test("when conn3x is killed the engine ends by itself", async () => {
      write(web("touch /run/began; sleep 20"));
      await interrupted(engine, [{ signal: "SIGKILL", when: began }]);
      await until("nothing works there any more", 30, () => workingThere().length === 0);
      expect(readdirSync(join(directory, "tmp"))).toHaveLength(1);
      // Its lock ended with it, and what it had not done is done now.
      write(web("true"));
      const rest = await interrupted(engine, []);
      expect(rest.status, rest.output).toBe(0);
      expect(readdirSync(join(directory, "tmp"))).toEqual([]);
      expect((await conn3x(directory, "destroy", "-auto-approve", `-engine=${engine}`)).status).toBe(0);
    });
  });
});
