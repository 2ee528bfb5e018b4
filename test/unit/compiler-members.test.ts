/**
 * Steps that apply on some hosts only, or on others than their own, on two hosts.
 */
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { type DemoHost, startDemoHost } from "../../src/demo/host/demo-host.ts";
import { applyText } from "./compiler-apply.ts";

let hosts: readonly DemoHost[];
let directory: string;

beforeEach(async () => {
  hosts = [await startDemoHost(), await startDemoHost()];
  directory = mkdtempSync(join(tmpdir(), "conn3x-members-"));
  hosts.forEach((host, at) => {
    writeFileSync(join(directory, `key${at}`), host.privateKey, { mode: 0o600 });
  });
});

afterEach(async () => {
  for (const host of hosts) await host.close();
  rmSync(directory, { recursive: true, force: true });
});

const circuit = (members: string): string => {
  const [a, b] = hosts.map(
    ({ port, root, user }, at) =>
      `{ address = "127.0.0.1", port = ${port}, user = "${user}", private_key_file = "${directory}/key${at}", vars = { root = "${root}", number = ${at} } }`,
  );
  return `circuit "app" {
  hosts = { a = ${a}, b = ${b} }
  ssh {
    agent             = false
    host_key_checking = "off"
  }
${members}
}
`;
};

const apply = (members: string) => applyText(circuit(members), join(directory, "terraform.tfstate"));
const read = (at: number, name: string): string | undefined => {
  const path = join(hosts[at]!.root, name);
  return existsSync(path) ? readFileSync(path, "utf8") : undefined;
};

it("does a step once, or on another host, and refers to what it gave", async () => {
  const members = `
  step "once" {
    run_once = true
    command {
      run = "echo once >> ~/once; echo from \${host.name}"
    }
  }

  step "on_b" {
    run_on = "b"
    command {
      run = "echo \${host.name} >> ~/on_b"
    }
  }

  step "note" {
    file {
      path    = "\${host.vars.root}/note"
      content = step.once.stdout
    }
  }
`;
  expect([...(await apply(members))].sort()).toEqual([
    'create conn3x_command.app__on_b["a"]',
    'create conn3x_command.app__on_b["b"]',
    'create conn3x_command.app__once["a"]',
    'create conn3x_file.app__note["a"]',
    'create conn3x_file.app__note["b"]',
  ]);
  expect([read(0, "once"), read(1, "once")]).toEqual(["once\n", undefined]);
  expect(read(0, "on_b")).toBeUndefined();
  expect(read(1, "on_b")?.split("\n").sort()).toEqual(["", "a", "b"]);
  expect([read(0, "note"), read(1, "note")]).toEqual(["from a\n", "from a\n"]);
  expect(new Set((await apply(members)).map((done) => done.split(" ")[0]))).toEqual(new Set(["none"]));
});

it("leaves out what does not apply, with the handler that only this notifies, once what there was is removed", async () => {
  const members = (number: number): string => `
  step "some" {
    when = host.vars.number == ${number} && host.facts.kernel != ""
    file {
      path    = "\${host.vars.root}/some"
      content = "x"
    }
    notify = [handler.run]
  }

  handler "run" {
    command {
      run = "echo \${host.name} >> ~/ran"
    }
  }
`;
  await apply(members(1));
  expect([read(0, "some"), read(1, "some")]).toEqual([undefined, "x"]);
  expect([read(0, "ran"), read(1, "ran")]).toEqual([undefined, "b\n"]);

  await apply(members(0));
  expect([read(0, "some"), read(1, "some")]).toEqual(["x", undefined]);
  expect([read(0, "ran"), read(1, "ran")]).toEqual(["a\n", "b\nb\n"]);

  await apply(members(0));
  expect([read(0, "ran"), read(1, "ran")]).toEqual(["a\n", "b\nb\n"]);
});
