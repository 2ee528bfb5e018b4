/**
 * How a host is logged in to is edited in its circuit: what is stored about it is read and removed with the new login, and
 * the old one is not tried. With each engine.
 */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeAll, beforeEach, expect, test } from "vitest";
import { findEngines } from "../engines/engine.ts";
import { describeLab, labHosts } from "../lab/for-tests.ts";
import type { LabHost } from "../lab/host.ts";
import { conn3x } from "./conn3x.ts";

const engines: readonly (readonly [string, readonly string[]])[] = [
  ["embedded", []],
  ...findEngines().map(({ name, program }): [string, string[]] => [name, [`-engine=${program}`]]),
];

describeLab.each(engines)("edited logins, %s", (_, engine) => {
  const lab = labHosts(2);
  let directory: string;
  beforeAll(() => {
    directory = mkdtempSync(join(tmpdir(), "conn3x-logins-"));
    return () => rmSync(directory, { recursive: true, force: true });
  });

  const file = (path: string) =>
    `  step "${path}" {\n    file {\n      path = "/srv/${path}"\n      content = "x"\n    }\n  }\n`;
  /** One host, called "one" whichever it is. */
  const write = (host: LabHost, ssh: string, ...paths: readonly string[]): void =>
    writeFileSync(
      join(directory, "main.circuit.hcl"),
      `circuit "web" {\n  hosts = {\n    one = { address = "${host.address}", host_key = "${host.hostKey}" }\n  }\n  ssh {\n    private_key_file = "${lab.lab.keyFile}"\n    agent = false\n    connect_timeout = 5\n    ${ssh}\n  }\n${paths.map(file).join("")}}\n`,
    );
  const run = (command: string, ...words: readonly string[]) =>
    conn3x(directory, command, ...engine, ...words);
  const done = async (command: string, ...words: readonly string[]): Promise<string> => {
    const { status, output } = await run(command, ...words);
    expect(status, output).toBe(0);
    return output.replace(/\s+/g, " ");
  };
  const deploy = 'user = "deploy"\n    become = true';
  const root = 'user = "root"';
  /** Nobody logs in as that user any more. */
  const shutOut = (host: LabHost) => host.must("mv /home/deploy/.ssh /home/deploy/was-ssh");

  beforeEach(async () => {
    rmSync(join(directory, "terraform.tfstate"), { force: true });
    for (const host of lab.hosts)
      await host.must(
        "rm -rf /srv/*; [ ! -d /home/deploy/was-ssh ] || mv /home/deploy/was-ssh /home/deploy/.ssh",
      );
    write(lab.hosts[0]!, deploy, "kept", "goes", "later");
    await done("apply", "-auto-approve");
  });

  test("another user reads, changes and removes; a step that is gone as well", {
    timeout: 180_000,
  }, async () => {
    const [host] = lab.hosts;
    await shutOut(host!);
    write(host!, root, "kept", "later");
    await host!.must("echo other >/srv/kept");
    const drift = await run("drift");
    expect([drift.status, drift.output]).toEqual([2, expect.stringContaining("content")]);
    expect(await done("plan")).toContain(" 1 updated, 1 removed, 1 only recorded.");
    await done("plan", "-out=tfplan");
    await done("apply", "tfplan");
    expect(await host!.must("ls /srv; cat /srv/kept")).toBe("kept\nlater\nx");
    expect((await run("plan", "-detailed-exitcode")).status).toBe(0);
    // Without a look at the host nothing was found out before the apply.
    write(host!, root, "kept");
    await done("apply", "-refresh=false", "-auto-approve");
    expect(await host!.must("ls /srv")).toBe("kept\n");
  });

  test("a refresh reads with it and leaves what is stored of it", { timeout: 120_000 }, async () => {
    const [host] = lab.hosts;
    await shutOut(host!);
    write(host!, root, "kept", "goes", "later");
    await done("refresh");
    expect(await done("plan")).toContain(" 3 only recorded.");
    await done("destroy", "-auto-approve");
    expect(await host!.must("ls /srv")).toBe("");
  });

  test("at another address it is looked for there, and what was made is not touched", {
    timeout: 120_000,
  }, async () => {
    const [host, other] = lab.hosts;
    write(other!, deploy, "kept");
    const planned = await done("plan");
    expect(planned).toContain("Address of a host was edited");
    expect(planned).not.toContain("Host is another machine");
    expect(planned.replace(/\s+/g, " ")).toContain("kept file /srv/kept one new: ssh.address edited");
    await done("apply", "-auto-approve");
    expect(await other!.must("ls /srv")).toBe("kept\n");
    expect(await host!.must("ls /srv")).toContain("kept");
    expect((await run("plan", "-detailed-exitcode")).status).toBe(0);
  });
});
