/**
 * What an interrupted run leaves running on a host is waited for: the same never runs twice at once. Seen on the host, by
 * what the commands themselves write down.
 */
import { spawn } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { describeLab, labHosts } from "../lab/for-tests.ts";
import { bundledProgram } from "./bundled.ts";
import { fleetBlocks } from "./interrupted-circuit.ts";

const program = bundledProgram();

describeLab("left running on a host", () => {
  const lab = labHosts(1);
  let directory: string;
  beforeEach(async () => {
    directory = mkdtempSync(join(tmpdir(), "conn3x-left-"));
    await lab.hosts[0].must("rm -f /root/log /root/made; true");
  });
  afterEach(async () => {
    await lab.hosts[0].mend();
    rmSync(directory, { recursive: true, force: true });
  });

  /** Notes when it begins and ends, so that two at once would be two begins in a row. */
  const slow = (seconds: number) => `echo begin >>/root/log; sleep ${seconds}; echo end >>/root/log`;
  const write = (step: string) => {
    const blocks = fleetBlocks(lab.lab, lab.hosts).replace(
      "become ",
      "keepalive = 1\n    connect_timeout = 3\n    become ",
    );
    writeFileSync(
      join(directory, "main.circuit.hcl"),
      `circuit "left" {\n${blocks}  step "slow" {\n    ${step}\n  }\n}\n`,
    );
  };
  const apply = () => program.run(directory, ["apply", "-auto-approve"]);
  const log = async () => (await lab.hosts[0].must("cat /root/log 2>/dev/null; true")).trim().split("\n");
  const begun = () => expect.poll(log, { timeout: 10_000, interval: 50 }).toEqual(["begin"]);

  /** Starts an apply and kills it once the host has begun. */
  async function killedApply(): Promise<void> {
    const child = spawn(process.execPath, [program.file, "apply", "-auto-approve"], {
      cwd: directory,
      stdio: "ignore",
    });
    const ended = new Promise<void>((resolve) => child.on("close", () => resolve()));
    await begun();
    child.kill("SIGKILL");
    await ended;
  }

  const waited = /Waited for an interrupted run[\s\S]*was still running/;

  test("a command whose network was cut is waited for, then run again", async () => {
    write(`command {\n      run = ${JSON.stringify(slow(8))}\n    }`);
    const cut = apply();
    await begun();
    await lab.hosts[0].cut();
    const { status, output } = await cut;
    expect(status).toBe(1);
    expect(output).toContain("the next apply waits for it");
    await lab.hosts[0].mend();
    const again = await apply();
    expect(again.status, again.output).toBe(0);
    expect(again.output).toMatch(waited);
    expect(await log()).toEqual(["begin", "end", "begin", "end"]);
  }, 60_000);

  test("the run that lost it waits for it, too, when it tries again", async () => {
    write(`command {
      run = ${JSON.stringify(slow(10))}
    }
    retries {
      attempts = 6
      interval = "2s"
    }`);
    const run = apply();
    await begun();
    await lab.hosts[0].cut();
    // Long enough for the connection to be given up, and for an attempt to fail.
    await new Promise((later) => setTimeout(later, 5000));
    await lab.hosts[0].mend();
    const { status, output } = await run;
    expect(status, output).toBe(0);
    expect(output).toMatch(waited);
    expect(await log()).toEqual(["begin", "end", "begin", "end"]);
  }, 90_000);

  test("a command that was edited meanwhile is still the same one", async () => {
    write(`command {\n      run = ${JSON.stringify(slow(5))}\n    }`);
    await killedApply();
    write('command {\n      run = "echo edited >>/root/log"\n    }');
    const again = await apply();
    expect(again.status, again.output).toBe(0);
    expect(again.output).toMatch(waited);
    expect(await log()).toEqual(["begin", "end", "edited"]);
  }, 60_000);

  test("and is not run again where it turns out to have done its work", async () => {
    write(
      `command {\n      run     = ${JSON.stringify(`${slow(5)}; touch /root/made`)}\n      creates = "/root/made"\n    }`,
    );
    await killedApply();
    write(
      `command {\n      run     = "echo edited >>/root/log; touch /root/made"\n      creates = "/root/made"\n    }`,
    );
    const again = await apply();
    expect(again.status, again.output).toBe(0);
    expect(again.output).toMatch(waited);
    expect(await log()).toEqual(["begin", "end"]);
  }, 60_000);

  test("what replaces its own shell is found as well, and so is what has a time limit", async () => {
    for (const limit of ["", "\n      timeout = 30"]) {
      await lab.hosts[0].must("rm -f /root/log");
      const text = `exec /bin/sh -c ${JSON.stringify(slow(6))}`;
      write(`command {\n      run = ${JSON.stringify(text)}${limit}\n    }`);
      await killedApply();
      const again = await apply();
      expect(again.output).toMatch(waited);
      expect(await log()).toEqual(["begin", "end", "begin", "end"]);
      await program.run(directory, ["destroy", "-auto-approve"]);
    }
  }, 60_000);

  test("a server that a command has left behind is waited for by nobody", async () => {
    write(
      `command {\n      run = "echo begin >>/root/log; setsid sleep 300 </dev/null >/dev/null 2>&1 & sleep 2"\n    }`,
    );
    await killedApply();
    await expect.poll(() => lab.hosts[0].must("pgrep -fc 'sleep 2$'; true"), { timeout: 5000 }).toBe("0\n");
    const again = await apply();
    expect(again.status, again.output).toBe(0);
    expect(again.output).not.toMatch(waited);
    await lab.hosts[0].must("pkill -x sleep; true");
  }, 60_000);

  test("what another project runs is another matter, though it is called the same", async () => {
    write(`command {\n      run = ${JSON.stringify(slow(6))}\n    }`);
    const ours = directory;
    const theirs = apply();
    await begun();
    directory = mkdtempSync(join(tmpdir(), "conn3x-left-other-"));
    write('command {\n      run = "echo other >>/root/log"\n    }');
    const other = await apply();
    rmSync(directory, { recursive: true, force: true });
    directory = ours;
    expect(other.status, other.output).toBe(0);
    expect(other.output).not.toMatch(/Waited|interrupted/);
    expect((await theirs).status).toBe(0);
    expect(await log()).toEqual(["begin", "other", "end"]);
  }, 60_000);

  test("packages are installed once, whichever run began", async () => {
    const hook =
      'DPkg::Pre-Invoke { "echo begin >>/root/log; sleep 4"; }; DPkg::Post-Invoke { "echo end >>/root/log"; };';
    await lab.hosts[0].must(`printf '%s\\n' '${hook}' >/etc/apt/apt.conf.d/99slow`);
    write('package {\n      name = "conn3x-demo"\n    }');
    await killedApply();
    const again = await apply();
    expect(again.status, again.output).toBe(0);
    expect(again.output).toMatch(waited);
    expect(await lab.hosts[0].must("dpkg --audit; dpkg-query -W -f '${db:Status-Status}' conn3x-demo")).toBe(
      "installed",
    );
    // Each of apt's calls of dpkg is such a pair; two at once would interleave them.
    const lines = await log();
    expect(lines.length % 2).toBe(0);
    expect(lines).toEqual(lines.map((_, i) => (i % 2 === 0 ? "begin" : "end")));
  }, 120_000);
});
