/**
 * What is between HCL and the bytes on a host: only `$${` and `%%{` are escapes, and no shell of ours touches the rest.
 * Each text goes through a quoted string, a heredoc, a template file and a command.
 */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type DemoHost, startDemoHost } from "../../src/demo/host/demo-host.ts";
import { bundleProgram, type Program } from "./program.ts";

/** As written in a heredoc or template file, and the bytes that are to reach the host. */
const texts: readonly (readonly [written: string, bytes: string])[] = [
  ["$${X} and $$${Y}", "${X} and $${Y}"],
  ["$$(cmd) $$ $$releasever $1 $", "$$(cmd) $$ $$releasever $1 $"],
  ["%%{ if } %d %i %%", "%{ if } %d %i %%"],
  ["%${group} ALL=(ALL) ALL", "%wheel ALL=(ALL) ALL"],
  ["awk '{ print $1 \"\\t\" $2 }' C:\\dir\\new", "awk '{ print $1 \"\\t\" $2 }' C:\\dir\\new"],
  [
    "`date` $(date) \"quoted\" 'single' ; & | < > * ? ~ # !",
    "`date` $(date) \"quoted\" 'single' ; & | < > * ? ~ # !",
  ],
  ["Šablony ü € 𝄞 \t tab", "Šablony ü € 𝄞 \t tab"],
];
const written = texts.map(([text]) => `${text}\n`).join("");
const bytes = texts.map(([, text]) => `${text}\n`).join("");
/** The same as a quoted string. */
const quoted = `"${written.replaceAll("\\", "\\\\").replaceAll('"', '\\"').replaceAll("\n", "\\n").replaceAll("\t", "\\t")}"`;

let program: Program;
let host: DemoHost;
let directory: string;

const path = (name: string) => join(host.root, "escapes", name);

beforeAll(async () => {
  program = await bundleProgram();
  host = await startDemoHost();
  directory = mkdtempSync(join(tmpdir(), "conn3x-escapes-"));
  writeFileSync(join(directory, "key"), host.privateKey, { mode: 0o600 });
  writeFileSync(join(directory, "text.tftpl"), written);
  writeFileSync(
    join(directory, "main.circuit.hcl"),
    `locals {
  group = "wheel"
}

circuit "escapes" {
  hosts = {
    web1 = { address = "${host.address}", port = ${host.port}, host_key = "${host.hostKey}" }
  }
  ssh {
    user             = "${host.user}"
    private_key_file = "key"
    agent            = false
  }
  step "quoted" {
    file {
      path    = "${path("quoted")}"
      content = ${quoted.replaceAll("${group}", "${local.group}")}
    }
  }
  step "heredoc" {
    file {
      path    = "${path("heredoc")}"
      content = <<EOT
${written.replaceAll("${group}", "${local.group}")}EOT
    }
  }
  step "template" {
    file {
      path    = "${path("template")}"
      content = templatefile("text.tftpl", { group = local.group })
    }
  }
  step "command" {
    command {
      run = <<EOT
cat >'${path("command")}' <<'END'
${written.replaceAll("${group}", "${local.group}")}END
EOT
    }
  }
}
`,
  );
}, 60_000);

afterAll(async () => {
  program?.remove();
  await host?.close();
  if (directory !== undefined) rmSync(directory, { recursive: true, force: true });
});

describe("escapes", () => {
  test("reach the host as the bytes that they stand for, and a second plan is empty", async () => {
    const applied = await program.run(["apply", "-auto-approve"], { cwd: directory });
    expect(applied.status, applied.stdout + applied.stderr).toBe(0);
    for (const name of ["quoted", "heredoc", "template", "command"]) {
      expect(readFileSync(path(name), "utf8"), name).toBe(bytes);
    }
    const again = await program.run(["plan", "-detailed-exitcode"], { cwd: directory });
    expect(again.status, again.stdout + again.stderr).toBe(0);
  }, 60_000);
});
