/**
 * A machine rebuilt at its address, with the host key that it had: all that was made on the one before is made again,
 * commands and handlers run. With each engine.
 */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { findEngines } from "../engines/engine.ts";
import { describeLab, labHosts } from "../lab/for-tests.ts";
import { conn3x } from "./conn3x.ts";

const engines: readonly (readonly [string, readonly string[]])[] = [
  ["embedded", []],
  ...findEngines().map(({ name, program }): [string, string[]] => [name, [`-engine=${program}`]]),
];

interface StoredResource {
  readonly type: string;
  readonly name: string;
  readonly instances: readonly { readonly index_key: string; readonly attributes: unknown }[];
}

const steps = `
  step "conf" {
    file {
      path    = "/etc/lab-web/config"
      content = "hello\\n"
    }
    notify = [handler.restart]
  }
  step "setup" {
    command {
      run = "echo run >>/srv/setup"
    }
  }
  handler "restart" {
    service {
      name   = "lab-web"
      action = "restart"
    }
  }`;

describeLab.each(engines)("a rebuilt machine, %s", (_, engine) => {
  const lab = labHosts(2);
  let directory: string;
  beforeAll(() => {
    directory = mkdtempSync(join(tmpdir(), "conn3x-rebuilt-"));
    const hosts = lab.hosts.map(
      ({ name, address, hostKey }) => `    ${name} = { address = "${address}", host_key = "${hostKey}" }\n`,
    );
    writeFileSync(
      join(directory, "main.circuit.hcl"),
      `circuit "web" {\n  hosts = {\n${hosts.join("")}  }\n  ssh {\n    user = "deploy"\n    private_key_file = "${lab.lab.keyFile}"\n    agent = false\n    become = true\n  }\n${steps}\n}\n`,
    );
    return () => rmSync(directory, { recursive: true, force: true });
  });
  const [id, other] = ["0123456789abcdef", "fedcba9876543210"].map((half) => half + half);
  const plan = () => conn3x(directory, "plan", "-detailed-exitcode", "-expand", ...engine);
  const apply = () => conn3x(directory, "apply", "-auto-approve", ...engine);

  test("is told from the one before; clones with one id are not told from each other", {
    timeout: 180_000,
  }, async () => {
    const [first, second] = lab.hosts;
    // Clones: both have the same.
    for (const host of lab.hosts) await host.must(`echo ${id} >/etc/machine-id`);
    expect((await apply()).status).toBe(0);
    expect(await plan()).toMatchObject({ status: 0, output: expect.not.stringContaining("Warning") });

    await first!.reset();
    await first!.must(`echo ${other} >/etc/machine-id`);
    const planned = await plan();
    expect(planned.status).toBe(2);
    expect(planned.output.replace(/\s+/g, " ")).toContain("Host is another machine");
    expect(planned.output).toContain("Plan: 1 of 2 hosts changes.");
    const applied = await apply();
    expect([applied.status, applied.output]).toEqual([0, expect.any(String)]);
    expect(await first!.must("cat /etc/lab-web/config /srv/setup; grep -c started /run/lab-web/log")).toBe(
      "hello\nrun\n1\n",
    );
    // What is found there as it is wanted was made by somebody else, and commands run again.
    await second!.must(`echo ${other} >/etc/machine-id`);
    expect((await apply()).status).toBe(0);
    expect(await second!.must("cat /srv/setup; grep -c started /run/lab-web/log")).toBe("run\nrun\n2\n");
    expect((await plan()).status).toBe(0);
  });

  /** Terraform writes the state of an apply that does nothing again, in another order. */
  const storedObjects = (): unknown => {
    const { resources } = JSON.parse(readFileSync(join(directory, "terraform.tfstate"), "utf8"));
    return resources.map(({ type, name, instances }: StoredResource) => ({
      type,
      name,
      instances: instances.map(({ index_key, attributes }) => ({ index_key, attributes })),
    }));
  };

  test("with another host key it is not read until that is known, and then another machine", {
    timeout: 180_000,
  }, async () => {
    const [, second] = lab.hosts;
    await second!.must(
      `rm /etc/ssh/ssh_host_ed25519_key*; ssh-keygen -q -t ed25519 -N '' -f /etc/ssh/ssh_host_ed25519_key; systemctl restart ssh; echo ${id} >/etc/machine-id`,
    );
    const before = storedObjects();
    for (const [refused, status] of [
      [await plan(), 3],
      [await apply(), 1],
    ] as const) {
      expect(refused.status).toBe(status);
      expect(refused.output).toContain("Host key has changed");
    }
    expect(storedObjects()).toEqual(before);
    expect(await second!.must("wc -l </srv/setup")).toBe("2\n");

    const [, key] = (await second!.must("cat /etc/ssh/ssh_host_ed25519_key.pub")).split(" ");
    const file = join(directory, "main.circuit.hcl");
    const text = readFileSync(file, "utf8");
    writeFileSync(file, text.replace(second!.hostKey, `ssh-ed25519 ${key}`));
    const planned = await plan();
    expect(planned.output.replace(/\s+/g, " ")).toContain("Host is another machine");
    expect(planned.output).toContain("Plan: 1 of 2 hosts changes.");
    expect((await apply()).status).toBe(0);
    expect(await second!.must("wc -l </srv/setup")).toBe("3\n");
    expect((await plan()).status).toBe(0);
  });

  test("a host without a machine-id is what it was", { timeout: 120_000 }, async () => {
    const [first] = lab.hosts;
    await first!.must("rm /etc/machine-id");
    expect((await plan()).status).toBe(0);
    expect((await apply()).status).toBe(0);
  });
});
