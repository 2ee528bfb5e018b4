/**
 * A circuit whose host wants a password: it is logged in to, and the password is nowhere in the state.
 */
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { type DemoHost, startDemoHost } from "../../src/demo/host/demo-host.ts";
import { applyText } from "./compiler-apply.ts";

const password = "open sesame 4711";
let host: DemoHost;
let directory: string;

beforeEach(async () => {
  host = await startDemoHost({ password });
  directory = mkdtempSync(join(tmpdir(), "conn3x-logins-"));
});

afterEach(async () => {
  await host.close();
  rmSync(directory, { recursive: true, force: true });
});

const statePath = () => join(directory, "terraform.tfstate");

const circuit = (hosts: string, ssh = "password = var.password") => `
variable "password" {
  default   = "${password}"
  sensitive = true
}
circuit "web" {
  hosts = ${hosts}
  ssh {
    user              = "${host.user}"
    agent             = false
    host_key_checking = "off"
    ${ssh}
  }
  step "note" {
    file {
      path    = "${host.root}/note"
      content = host.name
    }
  }
}
`;

const apply = (text: string) => applyText(text, statePath());

it("logs in with what was lifted out of the circuit, until the host is gone from it", async () => {
  const address = 'conn3x_file.web__note["web1"]';
  const web1 = `{ address = "127.0.0.1", port = ${host.port} }`;
  expect(await apply(circuit(`{ web1 = ${web1} }`))).toEqual([`create ${address}`]);
  expect(readFileSync(join(host.root, "note"), "utf8")).toBe("web1");
  const state = readFileSync(statePath(), "utf8");
  expect(state).toContain('"web/web1"');
  expect(state).not.toContain(password);

  expect(await apply(circuit(`{ web1 = ${web1} }`))).toEqual([`none ${address}`]);
  expect(await apply(circuit("{}"))).toEqual([`delete ${address}`]);
});

it("logs in with a host's own secret", async () => {
  const hosts = `{ web1 = { address = "127.0.0.1", port = ${host.port}, password = var.password } }`;
  expect(await apply(circuit(hosts, ""))).toEqual(['create conn3x_file.web__note["web1"]']);
  expect(readFileSync(statePath(), "utf8")).not.toContain(password);
});
