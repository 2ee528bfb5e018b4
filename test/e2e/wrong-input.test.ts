/**
 * What a person meets who got something wrong: the message names the place and what to do, the status is 1, and nothing
 * on a host is touched.
 */
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { describeLab, labHosts } from "../lab/for-tests.ts";
import { conn3x } from "./conn3x.ts";

describeLab("wrong input", () => {
  const lab = labHosts(1);
  let directory: string;
  let strangersKey: string;

  beforeAll(() => {
    directory = mkdtempSync(join(tmpdir(), "conn3x-wrong-"));
    strangersKey = join(directory, "stranger");
    execFileSync("ssh-keygen", ["-q", "-t", "ed25519", "-N", "", "-f", strangersKey]);
  });
  afterAll(() => rmSync(directory, { recursive: true, force: true }));

  interface Circuit {
    readonly address?: string;
    readonly hostKey?: string;
    readonly user?: string;
    readonly keyFile?: string;
    readonly step?: string;
  }

  const file = 'file {\n      path    = "/etc/wrong"\n      content = "x"\n    }';
  const write = ({ address, hostKey, user, keyFile, step = file }: Circuit) => {
    const [host] = lab.hosts;
    writeFileSync(
      join(directory, "main.circuit.hcl"),
      `circuit "web" {
  hosts = {
    web1 = { address = "${address ?? host.address}", host_key = "${hostKey ?? host.hostKey}" }
  }
  ssh {
    user             = "${user ?? "deploy"}"
    private_key_file = "${keyFile ?? lab.lab.keyFile}"
    agent            = false
    become           = true
    connect_timeout  = 3
  }
  step "config" {
    ${step}
  }
}
`,
    );
  };
  /** Another host's address in the lab's own network: nobody is there. */
  const nobody = () => lab.hosts[0].address.replace(/\.\d+$/, ".250");

  /** Joins what a message was wrapped into. */
  const flat = (text: string) => text.replace(/\s+/g, " ");

  test.each<[string, Circuit, RegExp[]]>([
    [
      "a syntax error",
      { step: file.replace("path    =", "path    ") },
      [/on main\.circuit\.hcl line 14, in circuit "web", step "config"/, /path {5}"\/etc\/wrong"/],
    ],
    [
      "an unknown kind",
      { step: file.replace("file", "fiel") },
      [/line 13/, /"fiel"/, /Did you mean "file"\?/],
    ],
    [
      "an unknown setting",
      { step: file.replace("content", "contnet") },
      [/line 15/, /"contnet"/, /Did you mean "content"\?/],
    ],
    [
      "a value of the wrong form",
      { step: file.replace("/etc/wrong", "etc/wrong") },
      [/line 14/, /absolute path/],
    ],
  ])("%s", async (_, circuit, messages) => {
    write(circuit);
    for (const command of [["validate"], ["plan"], ["apply", "-auto-approve"]]) {
      const { status, output } = await conn3x(directory, ...command);
      expect(status, output).toBe(1);
      for (const message of messages) expect(output).toMatch(message);
      expect(output).not.toMatch(/\n\s+at .*:\d+:\d+/);
    }
  });

  test.each<[string, () => Circuit, RegExp[]]>([
    [
      "an unreachable host",
      () => ({ address: nobody() }),
      [/Host does not answer/, /connect_timeout|did not answer|unreachable|no route/i],
    ],
    [
      "a refused login",
      () => ({ keyFile: strangersKey }),
      [/Host refused the login/, /refused the login as deploy/, /SHA256:/],
    ],
    ["a user without sudo", () => ({ user: "plain" }), [/Host refused to become another user/, /sudo/]],
    [
      "a missing key",
      () => ({ keyFile: join(directory, "missing") }),
      [/Login settings cannot be used/, /missing/],
    ],
  ])("%s: a warning when planning, an error when applying", async (_, circuit, messages) => {
    write(circuit());
    const planned = await conn3x(directory, "plan");
    expect(planned.status, planned.output).toBe(0);
    expect(planned.output).toMatch(/Warning: /);
    const { status, output } = await conn3x(directory, "apply", "-auto-approve");
    expect(status, output).toBe(1);
    expect(output).toMatch(/web1/);
    expect(output).toMatch(/step config/);
    for (const message of messages) expect(flat(output)).toMatch(message);
    expect(output).not.toMatch(/\n\s+at .*:\d+:\d+/);
    expect((await lab.hosts[0].exec("test -e /etc/wrong")).status).not.toBe(0);
  });

  test("a changed host key: a warning when planning, an error when applying", async () => {
    write({ hostKey: readFileSync(`${strangersKey}.pub`, "utf8").split(" ").slice(0, 2).join(" ") });
    for (const [command, expected] of [
      [["plan"], 0],
      [["apply", "-auto-approve"], 1],
    ] as const) {
      const { status, output } = await conn3x(directory, ...command);
      expect(status, output).toBe(expected);
      expect(output).toMatch(/Host key has changed/);
      expect(output.match(/SHA256:/g)?.length).toBeGreaterThanOrEqual(2);
    }
    expect((await lab.hosts[0].exec("test -e /etc/wrong")).status).not.toBe(0);
  });
});
