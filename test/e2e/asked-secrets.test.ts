/**
 * What a person is asked for on a terminal, through one that script(1) makes; and a become password from a circuit.
 */
import { execFileSync, spawn, spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { describeLab, labHosts } from "../lab/for-tests.ts";
import { bundledProgram } from "./bundled.ts";

const word = "become word 815";
const phrase = "key phrase 4711";
const program = bundledProgram();
const hasScript = spawnSync("script", ["--version"]).status === 0;

/** A program on a terminal, and somebody who answers: each question once, in the order in which they come. */
function onTerminal(
  directory: string,
  command: string,
  answers: readonly (readonly [question: string, answer: string])[],
): Promise<{ readonly status: number; readonly shown: string }> {
  return new Promise((resolve) => {
    const child = spawn("script", ["-qefc", command, "/dev/null"], { cwd: directory });
    const left = [...answers];
    let shown = "";
    let from = 0;
    child.stdout.on("data", (chunk: Buffer) => {
      shown += chunk.toString("utf8");
      const [next] = left;
      const at = next === undefined ? -1 : shown.indexOf(next[0], from);
      if (next === undefined || at < 0) return;
      from = at + next[0].length;
      left.shift();
      setTimeout(() => child.stdin.write(`${next[1]}\r`), 100);
    });
    child.on("close", (status) => resolve({ status: status ?? 128, shown }));
  });
}

describeLab("secrets that are asked for", () => {
  const lab = labHosts(2);
  let directory: string;
  let locked: string;
  const file = (name: string): string => join(directory, name);

  beforeAll(async () => {
    directory = mkdtempSync(join(tmpdir(), "conn3x-asked-"));
    locked = file("locked");
    execFileSync("ssh-keygen", ["-q", "-t", "ed25519", "-N", phrase, "-f", locked]);
    const publicKey = readFileSync(`${locked}.pub`, "utf8");
    for (const host of lab.hosts) {
      await host.must(
        `useradd -m -s /bin/bash careful
         echo 'careful:${word}' | chpasswd
         echo 'careful ALL=(ALL) ALL' >/etc/sudoers.d/careful
         install -d -m 700 -o careful /home/careful/.ssh
         cat >/home/careful/.ssh/authorized_keys; chown careful /home/careful/.ssh/authorized_keys`,
        publicKey + execFileSync("ssh-keygen", ["-y", "-f", lab.lab.keyFile], { encoding: "utf8" }),
      );
    }
  });
  afterAll(() => {
    if (directory) rmSync(directory, { recursive: true });
  });

  const write = (more: string, key = locked) =>
    writeFileSync(
      file("main.circuit.hcl"),
      `
variable "word" {
  sensitive = true
  default   = "${word}"
}
circuit "web" {
  hosts = { ${lab.hosts.map(({ name, address }) => `${name} = "${address}"`).join(", ")} }
  ssh {
    user             = "careful"
    private_key_file = "${key}"
    known_hosts_file = "${lab.lab.knownHostsFile}"
    ssh_config_file  = "none"
    agent            = false
    become           = true
    ${more}
  }
  step "note" {
    file {
      path    = "/etc/note"
      content = "x"
    }
  }
}
`,
    );

  const become = ["Become password: ", word] as const;
  const passphrase = (): readonly [string, string] => [`Passphrase of ${locked}: `, phrase];
  const count = (text: string, part: string): number => text.split(part).length - 1;

  test.runIf(hasScript).each(["ssh2", "openssh"])(
    "%s: each once for all hosts, and shown nowhere",
    async (transport) => {
      write(`transport = "${transport}"`);
      const command = `${process.execPath} ${program.file} run -K -- id -un`;
      const { status, shown } = await onTerminal(directory, command, [become, passphrase()]);
      expect({ status, shown }).toMatchObject({ status: 0 });
      expect(count(shown, "root")).toBe(2);
      expect(count(shown, "Become password: ")).toBe(1);
      expect(count(shown, "Passphrase of")).toBe(1);
      expect(shown).not.toContain(word);
      expect(shown).not.toContain(phrase);
    },
  );

  test.runIf(hasScript)(
    "plan, apply, drift and destroy take them, too; a wrong passphrase is asked for again",
    async () => {
      write("");
      const wrong = [`Passphrase of ${locked}: `, "wrong"] as const;
      const again = [`Wrong. Passphrase of ${locked}: `, phrase] as const;
      for (const [words, status] of [
        ["plan -detailed-exitcode", 2],
        ["apply -auto-approve", 0],
        ["drift", 0],
        ["destroy -auto-approve", 0],
      ] as const) {
        const done = await onTerminal(
          directory,
          `${process.execPath} ${program.file} ${words} -ask-become-pass`,
          [become, wrong, again],
        );
        expect(done).toMatchObject({ status });
        expect(done.shown).not.toContain(phrase);
      }
    },
    60_000,
  );

  test("on a pipe nothing is asked", async () => {
    write("");
    const refused = await program.run(directory, ["plan", "-K"]);
    expect(refused).toMatchObject({ status: 1 });
    expect(refused.output).toContain("on a terminal only");
    const unasked = await program.run(directory, ["run", "--", "id"]);
    expect(unasked).toMatchObject({ status: 1 });
    expect(unasked.output).toContain("is encrypted");
    expect(unasked.output).not.toContain("Passphrase of");
  });

  test("a become password from a circuit is in no state and no output", async () => {
    write("become_password = var.word", lab.lab.keyFile);
    const applied = await program.run(directory, ["apply", "-auto-approve"]);
    expect(applied).toMatchObject({ status: 0 });
    const planned = await program.run(directory, ["plan", "-detailed-exitcode"]);
    expect(planned).toMatchObject({ status: 0 });
    const stored = readFileSync(file("terraform.tfstate"), "utf8");
    for (const text of [applied.output, planned.output, stored]) expect(text).not.toContain(word);
    for (const host of lab.hosts) {
      expect(await host.must("cat /etc/note")).toBe("x");
      expect((await host.exec(`journalctl -q | grep -F '${word}' | grep -v careful:`)).stdout).toBe("");
    }
    expect(await program.run(directory, ["destroy", "-auto-approve"])).toMatchObject({ status: 0 });
  });
});
