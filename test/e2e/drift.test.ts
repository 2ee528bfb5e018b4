/**
 * D1 to D6 as `conn3x drift` shows them, and that it only reads: no file, no time of a change and nothing in the state or
 * beside it is another afterwards, on the hosts and here.
 */
import { createHash } from "node:crypto";
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { describeLab, labHosts } from "../lab/for-tests.ts";
import { bundledProgram } from "./bundled.ts";

const program = bundledProgram();

describeLab("drift", () => {
  const lab = labHosts(2);
  let directory: string;
  beforeAll(() => {
    directory = mkdtempSync(join(tmpdir(), "conn3x-drift-"));
  });
  afterAll(() => rmSync(directory, { recursive: true, force: true }));

  const hostsText = () =>
    lab.hosts
      .map(
        ({ name, address, hostKey }) => `    ${name} = { address = "${address}", host_key = "${hostKey}" }`,
      )
      .join("\n");
  const write = () =>
    writeFileSync(
      join(directory, "main.circuit.hcl"),
      `circuit "web" {
  hosts = {
${hostsText()}
  }
  ssh {
    user             = "deploy"
    private_key_file = "${lab.lab.keyFile}"
    agent            = false
    become           = true
    connect_timeout  = 3
  }
  step "dir" {
    directory {
      path = "/srv/drift"
      mode = "0750"
    }
  }
  step "file" {
    file {
      path    = "/srv/drift/file"
      content = "as wanted\\n"
      owner   = "www-data"
      mode    = "0640"
    }
    drift {
      ignore = ["owner"]
    }
  }
  step "warned" {
    file {
      path    = "/srv/drift/warned"
      content = "warned\\n"
    }
    drift {
      mode = "warn"
    }
  }
  step "left" {
    file {
      path    = "/srv/drift/left"
      content = "left\\n"
    }
    drift {
      mode = "disabled"
    }
  }
  step "token" {
    file {
      path    = "/srv/drift/token"
      content = sensitive("t0ken\\n")
    }
  }
  step "link" {
    link {
      path   = "/srv/drift/link"
      target = "file"
    }
  }
  step "line" {
    line {
      path   = "/srv/drift/lines"
      line   = "a = 1"
      create = true
    }
  }
  step "package" {
    package {
      name = "conn3x-demo"
    }
  }
  step "service" {
    service {
      name    = "lab-worker"
      running = true
    }
  }
}
`,
    );

  /** All files of the host, with the times of their last change; what a login itself writes is left out. */
  const hostMarks = () =>
    Promise.all(
      lab.hosts.map((host) =>
        host.must(
          "find / -xdev \\\\( -path /proc -o -path /sys -o -path /dev -o -path /run -o -path /var/log -o -path /tmp/systemd-* \\\\) -prune -o -printf '%p %y %s %m %U %G %T@ %C@\\\\n' | sort; ls -A /tmp".replaceAll(
            "\\\\",
            "\\",
          ),
        ),
      ),
    );
  const hereMarks = () =>
    readdirSync(directory)
      .sort()
      .map((name) => {
        const path = join(directory, name);
        const { mtimeMs, ctimeMs, size } = statSync(path);
        return [name, size, mtimeMs, ctimeMs, createHash("sha256").update(readFileSync(path)).digest("hex")];
      });

  async function drift(...args: string[]) {
    const [hosts, here] = [await hostMarks(), hereMarks()];
    const result = await program.run(directory, ["drift", ...args]);
    expect(hereMarks()).toEqual(here);
    const after = await hostMarks();
    for (const [i, text] of after.entries()) expect(changedLines(hosts[i]!, text)).toEqual([]);
    return result;
  }

  const changedLines = (before: string, after: string): readonly string[] => {
    const old = new Set(before.split("\n"));
    return after.split("\n").filter((line) => !old.has(line));
  };

  test("nothing drifted: 0, and nothing is written", async () => {
    write();
    const applied = await program.run(directory, ["apply", "-auto-approve"]);
    expect(applied.status, applied.output).toBe(0);
    // What a killed write has left goes when something is done with the file, not when it is looked at.
    const family = createHash("sha256").update("/srv/drift/file").digest("hex").slice(0, 12);
    const leftover = `/srv/drift/.conn3x-${family}-00000000-00000000-999999`;
    await lab.hosts[0].must(`echo partial > ${leftover}`);
    const { status, output } = await drift();
    expect([status, output]).toEqual([0, expect.stringContaining("No drift in what was read")]);
    const planned = await program.run(directory, ["plan", "-detailed-exitcode"]);
    expect(planned.status, planned.output).toBe(0);
    await lab.hosts[0].must(`test -e ${leftover} && rm ${leftover}`);
  });

  test("what drifted is told by host and step, with its owner: 2, and nothing is written", async () => {
    const [web1, web2] = lab.hosts;
    await web1.must(
      "echo other > /srv/drift/file; chmod 600 /srv/drift/file; chown root /srv/drift/file; echo x > /srv/drift/warned; echo x > /srv/drift/left; echo s3cret-found > /srv/drift/token",
    );
    await web2.must("rm /srv/drift/link; systemctl stop lab-worker");
    const { status, output } = await drift();
    expect(status, output).toBe(2);
    expect(output).not.toMatch(/t0ken|s3cret-found/);
    expect(output).toContain("Drift: 5 instances on 2 of 2 hosts.");
    const json = await drift("-json");
    expect(json.status).toBe(2);
    expect(json.output).not.toMatch(/t0ken|s3cret-found/);
    const read = JSON.parse(json.output);
    expect(read).toMatchObject({ format_version: "1.0", unread_hosts: [], diagnostics: [] });
    const of = (host: string, step: string) =>
      read.drift.find((one: { host: string; step: string }) => one.host === host && one.step === step);
    expect(of("web1", "file")).toMatchObject({
      circuit: "web",
      address: 'conn3x_file.web__file["web1"]',
      urn: "urn:conn3x:default::.::conn3x_file::web__file@web1",
      mode: "enabled",
      gone: false,
      changes: [
        { path: "content", owner: "configuration", expected: "as wanted\n", found: "other\n" },
        { path: "mode", owner: "configuration", expected: "0640", found: "0600" },
        { path: "sha256", owner: "configuration" },
      ],
    });
    expect(of("web1", "warned")).toMatchObject({
      mode: "warn",
      changes: [
        { path: "content", owner: "host", expected: "warned\n", found: "x\n" },
        { path: "sha256", owner: "host" },
      ],
    });
    expect(of("web1", "left")).toBeUndefined();
    const hidden = {
      owner: "configuration",
      expected: "(sensitive value)",
      found: "(sensitive value)",
    };
    expect(of("web1", "token").changes).toEqual([
      { path: "content", ...hidden },
      { path: "sha256", ...hidden },
    ]);
    expect(of("web2", "link")).toMatchObject({ gone: true, changes: [] });
    expect(of("web2", "service").changes).toEqual([
      { path: "running", owner: "configuration", expected: true, found: false },
    ]);
  });

  test("a host that does not answer: what was found counts, else 3", async () => {
    const [web1, web2] = lab.hosts;
    expect((await program.run(directory, ["apply", "-auto-approve"])).status).toBe(0);
    await web1.must("echo warned > /srv/drift/warned");
    await web2.cut();
    try {
      const here = hereMarks();
      const { status, output } = await program.run(directory, ["drift", "-json"]);
      expect([status, JSON.parse(output).unread_hosts]).toEqual([3, ["web2"]]);
      expect(hereMarks()).toEqual(here);
    } finally {
      await web2.mend();
    }
  }, 60_000);
});
