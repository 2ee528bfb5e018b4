/**
 * `dynamic "bastion"` wherever bastions may be: in the `ssh` block of a circuit, a step, a handler and a resource. What each
 * one makes, and which are errors, is as OpenTofu 1.12.6 plans the same blocks in a resource.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeEach, describe, expect, test } from "vitest";
import { compileFiles } from "../../src/compiler/testing/compile-files.ts";
import { SourceFile } from "../../src/diagnostics/source.ts";
import { startRun } from "../../src/engine/run.ts";
import { memoryHosts, memoryKinds } from "../../src/engine/testing/memory-hosts.ts";
import { toPlain } from "../../src/values/plain.ts";
import { isUnknown } from "../../src/values/value.ts";
import { getPath } from "../../src/values/walk.ts";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "conn3x-dynamic-"));
  return () => rmSync(folder, { recursive: true });
});

const thing = (name: string, more = "") => `name = "${name}"\n content = "x"\n ${more}`;
const circuit = (ssh: string, step = "", handler = "") => `circuit "c" {
  hosts = { h = "a" }
  ${ssh}
  step "s" {
    thing {
      ${thing("s")}
    }
    ${step}
    notify = [handler.r]
  }
  handler "r" {
    service {
      name   = "u"
      action = "restart"
    }
    ${handler}
  }
}
`;

/** The text, and the address of what logs in so. */
const positions: Readonly<Record<string, (ssh: string) => readonly [text: string, address: string]>> = {
  circuit: (ssh) => [circuit(ssh), 'conn3x_thing.c__s["h"]'],
  "circuit's handler": (ssh) => [circuit(ssh), 'conn3x_service_action.c__r["h"]'],
  step: (ssh) => [circuit("", ssh), 'conn3x_thing.c__s["h"]'],
  handler: (ssh) => [circuit("", "", ssh), 'conn3x_service_action.c__r["h"]'],
  resource: (ssh) => [
    `resource "conn3x_thing" "x" {\n  ${thing("x", ssh.replace("{", '{\n    address = "a"'))}\n}\n`,
    "conn3x_thing.x",
  ],
};

/** @returns each hop as `address:port`, or the first summary of what is wrong */
async function planned(text: string, address: string): Promise<readonly string[] | string> {
  const made = `resource "conn3x_thing" "made" {\n  ${thing("made", 'ssh {\n address = "a"\n }')}\n}\n`;
  const run = await startRun({
    configuration: compileFiles([new SourceFile("main.circuit.hcl", made + text)], {
      directory: ".",
      kinds: memoryKinds,
    }),
    provider: memoryHosts(["a"]).provider(),
    variables: [],
    statePath: join(folder, "terraform.tfstate"),
    mode: "normal",
    refresh: true,
    lockTimeout: 0,
    events: () => undefined,
    parallelism: 4,
  });
  await run.close();
  const wrong = run.diagnostics.find(({ severity }) => severity === "error");
  if (wrong !== undefined) return wrong.summary;
  const change = run.plan!.changes.find((one) => one.address === address)!;
  const bastions = getPath(change.after, [{ attribute: "ssh" }, { attribute: "bastion" }])!;
  if (isUnknown(bastions)) return "unknown";
  return (toPlain(bastions) as { address: string; port: number | null }[]).map(
    (hop) => `${hop.address}:${hop.port ?? ""}`,
  );
}

const content = (text: string): string => `content {\n${text}\n}`;
const dynamic = (forEach: string, text: string, more = ""): string =>
  `dynamic "bastion" {\nfor_each = ${forEach}\n${more}\n${content(text)}\n}`;
const value = "address = bastion.value";
const blocks: Readonly<Record<string, readonly [text: string, hops: readonly string[] | RegExp]>> = {
  "a list": [dynamic('["b1", "b2"]', `${value}\nport = 22 + bastion.key`), ["b1:22", "b2:23"]],
  "an iterator": [dynamic('["b1"]', "address = hop.value", "iterator = hop"), ["b1:"]],
  "an iterator with the name of a root": [
    dynamic('["b1"]', "address = each.value", "iterator = each"),
    ["b1:"],
  ],
  "a map": [
    dynamic('{ b = "b2", a = "b1" }', 'address = "${bastion.key}${bastion.value}"'),
    ["ab1:", "bb2:"],
  ],
  "a set": [dynamic('toset(["b2", "b1"])', 'address = "${bastion.key}${bastion.value}"'), ["b1b1:", "b2b2:"]],
  "a set of objects": [
    dynamic('toset([{ a = "b1" }])', 'address = "${bastion.key.a}${bastion.value.a}"'),
    ["b1b1:"],
  ],
  nothing: [dynamic("[]", value), []],
  "beside other blocks, in order": [
    `bastion {\naddress = "a"\n}\n${dynamic('["b"]', value)}\n${dynamic('["c"]', value)}\nbastion {\naddress = "d"\n}`,
    ["a:", "b:", "c:", "d:"],
  ],
  "something sensitive": [dynamic('sensitive(["b1"])', value), ["b1:"]],
  "a sensitive element": [dynamic('[sensitive("b1")]', value), ["b1:"]],
  "something unknown": [dynamic('split(",", conn3x_thing.made.revision)', value), /^unknown$/],
  "an unknown element": [dynamic("{ k = conn3x_thing.made.revision }", "address = bastion.key"), ["k:"]],
  "the old name beside an iterator": [dynamic('["b1"]', value, "iterator = hop"), /^Unknown variable$/],
  "an iterator with parts": [dynamic('["b1"]', value, "iterator = hop.x"), /iterator is not a single name/],
  "an iterator with an index": [
    dynamic('["b1"]', value, 'iterator = x["y"]'),
    /iterator is not a single name/,
  ],
  "an iterator in quotes": [dynamic('["b1"]', value, 'iterator = "hop"'), /iterator is not a single name/],
  "no for_each": [`dynamic "bastion" {\n${content(value)}\n}`, /no "for_each"/],
  null: [dynamic("null", value), /no collection|over null value/],
  "a string": [dynamic('"x"', value), /no collection|non-iterable value/],
  "no content": ['dynamic "bastion" {\nfor_each = ["b1"]\n}', /one "content"/],
  "content twice": [dynamic('["b1"]', value, content(value)), /one "content"/],
  "a named content": [dynamic('["b1"]', value).replace("content", 'content "x"'), /takes no name/],
  labels: [dynamic('["b1"]', value, "labels = []"), /Unknown argument "labels"/],
  "another argument": [dynamic('["b1"]', value, "foo = 1"), /Unknown argument "foo"/],
  "another block": [dynamic('["b1"]', value, "foo {\n}"), /Unknown block "foo"/],
  "no name": [dynamic('["b1"]', value).replace('"bastion"', ""), /Unknown block "dynamic"/],
  "two names": [dynamic('["b1"]', value).replace('"bastion"', '"bastion" "x"'), /one name/],
  "a name that is no block": [
    dynamic('["b1"]', value).replace('"bastion"', '"nosuch"'),
    /Unknown block "dynamic"/,
  ],
  "a dynamic block in it": [
    dynamic('["b1"]', `address = "x"\n${dynamic("[]", value)}`),
    /Unknown block "dynamic"/,
  ],
  "another setting": [dynamic('["b1"]', `${value}\nfoo = 1`), /Unknown (argument|setting) "foo"/],
  "no address": [dynamic('["b1"]', "port = 22"), /no address|needs "address"/],
  "no address, for nothing": [dynamic("[]", "port = 22"), /no address|needs "address"/],
  "a null element": [dynamic("[null]", value), /must not be null/],
  "something that an element has not": [dynamic('["b1"]', "address = bastion.foo"), /Unsupported attribute/],
  "the element itself": [dynamic('["b1"]', "address = jsonencode(bastion)\nport = bastion"), /.+/],
  "its own name in for_each": [dynamic("[bastion.value]", value), /Unknown variable/],
};

describe.each(Object.entries(positions))("in a %s", (_, text) => {
  test.each(Object.entries(blocks))("%s", async (_name, [block, wanted]) => {
    const found = await planned(...text(`ssh {\n${block}\n}`));
    if (wanted instanceof RegExp) expect(found).toMatch(wanted);
    else expect(found).toEqual(wanted);
  });
});

test("what the host has can be what is gone through", async () => {
  const hosts = '{ h = { address = "a", vars = { hops = ["b1", "b2"] } } }';
  const [text, address] = positions.circuit!(`ssh {\n${dynamic("host.vars.hops", value)}\n}`);
  expect(await planned(text.replace('{ h = "a" }', hosts), address)).toEqual(["b1:", "b2:"]);
});
