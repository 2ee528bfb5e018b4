/**
 * P4: what an apply would fail of shows in the plan, with the setting named and nothing touched. What an earlier step may
 * bring is no error.
 */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { describeLab, labHosts } from "../lab/for-tests.ts";
import { conn3x } from "./conn3x.ts";

describeLab("P4: preflights", () => {
  const lab = labHosts(1);
  let directory: string;
  beforeAll(() => {
    directory = mkdtempSync(join(tmpdir(), "conn3x-preflights-"));
  });
  afterAll(() => rmSync(directory, { recursive: true, force: true }));

  const write = (steps: readonly string[], user = "deploy") => {
    const [host] = lab.hosts;
    const blocks = steps.map((step, i) => `  step "s${i}" {\n    ${step}\n  }\n`);
    writeFileSync(
      join(directory, "main.circuit.hcl"),
      `circuit "web" {
  hosts = { web1 = { address = "${host.address}", host_key = "${host.hostKey}" } }
  ssh {
    user             = "${user}"
    private_key_file = "${lab.lab.keyFile}"
    agent            = false
    become           = true
  }
${blocks.join("")}}
`,
    );
  };
  const plan = async () => {
    const { status, output } = await conn3x(directory, "plan");
    return { status, text: output.replace(/\s+/g, " ") };
  };
  /** Everything below /etc and /srv that is not as it was, by change time, size and name. */
  const marks = () =>
    lab.hosts[0].must("find /etc /srv /root /home /var/lib -xdev -printf '%p %s %C@\\n' | sort");

  const file = (more: string) => `file {\n      path = "/srv/x"\n      ${more}\n    }`;
  const unrelated = 'file {\n      path    = "/srv/other"\n      content = "x"\n    }';

  let before: string;
  beforeEach(async () => {
    before = await marks();
  });

  test.each([
    ["owner", file('content = "x"\n      owner = "nobodyatall"'), "The host has no user nobodyatall."],
    [
      "group",
      'directory {\n      path  = "/srv/d"\n      group = "nogroupatall"\n    }',
      "The host has no group nogroupatall.",
    ],
    [
      "name",
      'package {\n      name = "no-such-package"\n      update_cache = false\n    }',
      "have no package no-such-package",
    ],
    [
      "version",
      'package {\n      name = "conn3x-demo"\n      version = "9.9"\n      update_cache = false\n    }',
      "have no version 9.9 of conn3x-demo",
    ],
    ["name", 'service {\n      name    = "no-such-unit"\n      running = true\n    }', "no-such-unit"],
  ])("of %s", async (attribute, step, said) => {
    write([step]);
    const alone = await plan();
    expect([alone.status, alone.text]).toEqual([1, expect.stringContaining(said)]);
    expect(alone.text).toContain(attribute);
    // A first plan: an earlier step may bring it.
    write([unrelated, step]);
    const first = await plan();
    expect([first.status, first.text]).toEqual([0, expect.stringContaining(" 2 new.")]);
    expect(await marks()).toBe(before);
  });

  test("of users and groups that are there, and of numbers", async () => {
    write([file('content = "x"\n      owner = "www-data"\n      group = "12345"')]);
    expect((await plan()).status).toBe(0);
  });

  test("of space", async () => {
    const [host] = lab.hosts;
    await host.must("mkdir -p /srv/small && mount -t tmpfs -o size=2m tmpfs /srv/small");
    const large = (path: string) =>
      `file {\n      path    = "${path}"\n      content = join("", [for i in range(1024) : format("%04096d", i)])\n    }`;
    try {
      write([large("/srv/small/a/b")]);
      const { status, text } = await plan();
      expect(status).toBe(1);
      expect(text).toContain(
        "/srv/small/a/b takes 4.0 MiB, and its file system on the host has 2.0 MiB left.",
      );
      write([unrelated, large("/srv/small/a/b")]);
      const first = await plan();
      expect([first.status, first.text]).toEqual([0, expect.stringContaining("Warning: Not enough space")]);
      write([large("/srv/elsewhere")]);
      expect((await plan()).status).toBe(0);
    } finally {
      await host.must("umount /srv/small && rmdir /srv/small");
    }
  });

  test("of becoming another user, also where nothing is to be read", async () => {
    for (const step of [unrelated, 'command {\n      run = "true"\n    }']) {
      write([step], "plain");
      const { status, text } = await plan();
      // As any login that is refused: plans go on with what is stored.
      expect([status, text]).toEqual([
        0,
        expect.stringContaining("Warning: Host refused to become another user"),
      ]);
    }
    write(['command {\n      run = "true"\n    }']);
    expect((await plan()).status).toBe(0);
    expect(await marks()).toBe(before);
  });
});
