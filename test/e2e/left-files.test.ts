/**
 * A temporary file whose writing shell was killed on the host goes with the next run that looks at its file, and with
 * destroy: also when that run has nothing to write.
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

describeLab("left in a directory", () => {
  const lab = labHosts(1);
  let directory: string;
  beforeEach(async () => {
    await lab.hosts[0].must("rm -rf /srv/left");
    directory = mkdtempSync(join(tmpdir(), "conn3x-left-"));
  });
  afterEach(() => rmSync(directory, { recursive: true, force: true }));

  const write = (source: string) =>
    writeFileSync(
      join(directory, "main.circuit.hcl"),
      `circuit "left" {\n${fleetBlocks(lab.lab, lab.hosts)}  step "image" {\n    file {\n      path   = "/srv/left/image"\n      source = "${join(directory, source)}"\n    }\n  }\n}\n`,
    );
  const done = async (...args: string[]) => {
    const { status, output } = await program.run(directory, args);
    expect(status, output).toBe(0);
  };
  const there = () => lab.hosts[0].must("ls -A /srv/left 2>/dev/null; true");

  /** As when the host loses power: no trap runs, the controller hears nothing. */
  async function interruptWriting(): Promise<void> {
    writeFileSync(join(directory, "large"), Buffer.alloc(400_000_000, 7));
    write("large");
    const child = spawn(process.execPath, [program.file, "apply", "-auto-approve"], {
      cwd: directory,
      stdio: "ignore",
    });
    const ended = new Promise<void>((resolve) => child.on("close", () => resolve()));
    await expect.poll(there, { timeout: 20_000, interval: 20 }).toMatch(/conn3x-/);
    await lab.hosts[0].must("pkill -9 -u 0 -f '^(/bin/sh|cat)$'; true");
    child.kill("SIGKILL");
    await ended;
    expect(await there()).toMatch(/conn3x-/);
  }

  test("it goes with the next run that reads the file, which writes nothing", async () => {
    writeFileSync(join(directory, "small"), "small\n");
    write("small");
    await done("apply", "-auto-approve");
    await interruptWriting();
    write("small");
    await done("apply", "-auto-approve");
    expect(await there()).toBe("image\n");
  }, 60_000);

  test("it goes with destroy", async () => {
    writeFileSync(join(directory, "small"), "small\n");
    write("small");
    await done("apply", "-auto-approve");
    await interruptWriting();
    await done("destroy", "-auto-approve");
    expect(await there()).toBe("");
  }, 60_000);
});
