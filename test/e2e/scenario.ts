/**
 * @module The main job, once for every engine: what is asserted is what the *hosts* show, from outside.
 *
 * Each step of the scenario is the next of one story, so they run in order and share one state.
 */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { LabHost } from "../lab/host.ts";
import type { Lab } from "../lab/lab.ts";

/** Drives one engine in a configuration directory. */
export interface EngineDriver {
  /** Called after the circuit file was written, before each of the others. */
  prepare(directory: string): Promise<void>;
  /** @returns 0 when there is nothing to do, 2 when there is, 1 on an error, as `-detailed-exitcode` */
  plan(directory: string, ...options: string[]): Promise<Outcome>;
  apply(directory: string, ...options: string[]): Promise<Outcome>;
  destroy(directory: string): Promise<Outcome>;
}

export interface Outcome {
  readonly status: number;
  /** Standard output and standard error as they came. */
  readonly output: string;
}

/** The circuit that the story is about. */
export function webCircuit(
  lab: Lab,
  hosts: readonly LabHost[],
  greeting: Readonly<Record<string, string>>,
): string {
  const entries = hosts.map(
    ({ name, address, hostKey }) => `    ${name} = { address = "${address}", host_key = "${hostKey}" }\n`,
  );
  const greetings = Object.entries(greeting).map(([name, text]) => `    ${name} = ${JSON.stringify(text)}\n`);
  return `
locals {
  greeting = {
${greetings.join("")}  }
}

circuit "web" {
  hosts = {
${entries.join("")}  }

  ssh {
    user             = "deploy"
    private_key_file = "${lab.keyFile}"
    agent            = false
    become           = true
  }

  step "pages" {
    directory {
      path = "/srv/pages/site"
      mode = "0750"
    }
  }

  step "config" {
    file {
      path    = "/etc/lab-web/config"
      content = templatefile("\${path.module}/config.tftpl", { greeting = local.greeting[host.name], host = host.name })
      mode    = "0640"
    }
    notify = [handler.restart]
  }

  step "note" {
    file {
      path    = "/srv/pages/site/note"
      content = "kept by Conn3x on \${host.address}\\n"
    }
  }

  handler "restart" {
    service {
      name   = "lab-web"
      action = "restart"
    }
  }
}
`;
}

interface Seen {
  readonly invocation: string;
  readonly served: string;
}

/** The service as systemd has it: another invocation id means that it was started again. */
async function look(host: LabHost): Promise<Seen> {
  const invocation = await host.must("systemctl show -p InvocationID --value lab-web");
  const served = await host.must("cat /run/lab-web/served 2>/dev/null || true");
  return { invocation: invocation.trim(), served: served.trim() };
}

/** @param hosts two hosts that nothing was done to yet; called in tests only */
export function mainJob(
  driver: EngineDriver,
  lab: () => { readonly lab: Lab; readonly hosts: readonly [LabHost, LabHost] },
): void {
  let directory: string;
  const write = async (greeting: Readonly<Record<string, string>>) => {
    writeFileSync(join(directory, "main.circuit.hcl"), webCircuit(lab().lab, lab().hosts, greeting));
    await driver.prepare(directory);
  };
  const both = () => Promise.all(lab().hosts.map(look));
  const greetings = (first: string, second: string) => {
    const [one, two] = lab().hosts;
    return { [one.name]: first, [two.name]: second };
  };

  beforeAll(() => {
    directory = mkdtempSync(join(tmpdir(), "conn3x-e2e-"));
    writeFileSync(join(directory, "config.tftpl"), "greeting = ${greeting}\nhost = ${host}\n");
  });
  afterAll(() => rmSync(directory, { recursive: true, force: true }));

  test("a first plan wants to create everything and touches nothing", async () => {
    await write(greetings("hello", "hello"));
    const before = await both();
    const { status, output } = await driver.plan(directory);
    expect(output).toMatch(/\d (?:new|to add)\b/);
    expect(status, output).toBe(2);
    expect(await both()).toEqual(before);
    expect((await lab().hosts[0].exec("test -e /srv/pages")).status).not.toBe(0);
  });

  test("apply makes it so and starts the service on both hosts", async () => {
    const before = await both();
    const { status, output } = await driver.apply(directory);
    expect(status, output).toBe(0);
    const [one, two] = lab().hosts;
    for (const [i, host] of [one, two].entries()) {
      expect(await host.must("cat /etc/lab-web/config")).toBe(`greeting = hello\nhost = ${host.name}\n`);
      expect(await host.must("stat -c '%a %U %F' /etc/lab-web/config /srv/pages/site /srv/pages")).toBe(
        "640 root regular file\n750 root directory\n755 root directory\n",
      );
      expect(await host.must("cat /srv/pages/site/note")).toBe(`kept by Conn3x on ${host.address}\n`);
      const seen = await look(host);
      expect(seen.invocation).not.toBe(before[i]!.invocation);
      expect(seen.served).toContain("greeting = hello");
    }
  });

  test("a second plan is empty", async () => {
    const before = await both();
    const { status, output } = await driver.plan(directory);
    expect(status, output).toBe(0);
    expect(output).toContain("No changes.");
    expect(await both()).toEqual(before);
  });

  test("an edit for one host restarts the service there and nowhere else", async () => {
    await write(greetings("good morning", "hello"));
    const before = await both();
    expect((await driver.plan(directory)).status).toBe(2);
    const { status, output } = await driver.apply(directory);
    expect(status, output).toBe(0);
    const after = await both();
    expect(after[0]!.invocation).not.toBe(before[0]!.invocation);
    expect(after[0]!.served).toContain("good morning");
    expect(after[1]).toEqual(before[1]);
    expect((await driver.plan(directory)).status).toBe(0);
  });

  test("a change that notifies nothing restarts nothing", async () => {
    const before = await both();
    await lab().hosts[0].must("echo by hand >/srv/pages/site/note");
    const { status, output } = await driver.apply(directory);
    expect(status, output).toBe(0);
    expect(await both()).toEqual(before);
    expect(await lab().hosts[0].must("cat /srv/pages/site/note")).toMatch(/^kept by Conn3x/);
  });

  test("without a refresh a hand edit is not seen", async () => {
    await lab().hosts[1].must("echo by hand >>/etc/lab-web/config");
    expect((await driver.plan(directory, "-refresh=false")).status).toBe(0);
  });

  test("a hand edit shows as drift, is put back, and runs the handler, on that host only", async () => {
    const before = await both();
    const planned = await driver.plan(directory);
    expect(planned.status, planned.output).toBe(2);
    expect(planned.output).toContain("by hand");
    const { status, output } = await driver.apply(directory);
    expect(status, output).toBe(0);
    const after = await both();
    expect(after[0]).toEqual(before[0]);
    expect(after[1]!.invocation).not.toBe(before[1]!.invocation);
    expect(await lab().hosts[1].must("cat /etc/lab-web/config")).toBe(
      `greeting = hello\nhost = ${lab().hosts[1].name}\n`,
    );
    expect((await driver.plan(directory)).status).toBe(0);
  });

  test("a file that was removed by hand comes back, and the service is restarted", async () => {
    const before = await both();
    await lab().hosts[0].must("rm /etc/lab-web/config");
    const { status, output } = await driver.apply(directory);
    expect(status, output).toBe(0);
    const after = await both();
    expect(after[0]!.invocation).not.toBe(before[0]!.invocation);
    expect(after[1]).toEqual(before[1]);
  });

  test("destroy removes what was made, keeps what was there, and leaves nothing of ours", async () => {
    const { status, output } = await driver.destroy(directory);
    expect(status, output).toBe(0);
    for (const host of lab().hosts) {
      expect(await host.must("ls /srv/pages 2>/dev/null || true")).toBe("");
      expect(
        await host.must(
          "find / -xdev -name '*conn3x*' -newer /etc/hostname -not -path '/proc/*' -not -path '/srv/lab-apt/*' -not -path '/var/log/*' 2>/dev/null || true",
        ),
      ).toBe("");
    }
    expect((await driver.plan(directory)).status).toBe(2);
  });
}
