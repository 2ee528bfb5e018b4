/**
 * What is wrong with login secrets.
 */
import { describe, expect, it } from "vitest";
import { SourceFile } from "../diagnostics/source.ts";
import { compileFiles } from "./testing/compile-files.ts";
import { type ErrorCase, testErrors } from "./testing/error-cases.ts";
import { testKinds } from "./testing/kinds.ts";
import { compileText, goodStep, inCircuit, readMarks } from "./testing/marked.ts";

const cases: Readonly<Record<string, ErrorCase>> = {
  "a secret from a resource of ours": {
    text: `${inCircuit(`  ssh {\n    password = «conn3x_file.x.path»\n  }\n  ${goodStep("a")}`)}resource "conn3x_file" "x" {\n  path = "/x"\n}\n`,
    summary: "A login secret cannot come from a Conn3x resource",
    detail: "wait for each other",
  },
  "a secret from a resource of ours, through a local value": {
    text: `${inCircuit(`  ssh {\n    password = «local.p»\n  }\n  ${goodStep("a")}`)}resource "conn3x_file" "x" {\n  path = "/x"\n}\nlocals {\n  p = conn3x_file.x.path\n}\n`,
    summary: "A login secret cannot come from a Conn3x resource",
    detail: "wait for each other",
  },
  "a host's secret from a resource of ours": {
    text: `circuit "web" {\n  hosts = { a = { address = "10.0.0.1", password = «conn3x_file.x.path» } }\n  ${goodStep("a")}\n}\nresource "conn3x_file" "x" {\n  path = "/x"\n}\n`,
    summary: "A login secret cannot come from a Conn3x resource",
    detail: "another provider's resource",
  },
  "a secret of hosts that come from a resource of ours": {
    text: `circuit "web" {\n  hosts = { a = { address = conn3x_file.x.path, password = «"x"» } }\n  ${goodStep("a")}\n}\nresource "conn3x_file" "x" {\n  path = "/x"\n}\n`,
    summary: "Hosts that come from a Conn3x resource cannot have login secrets of their own",
    detail: "for the whole circuit",
  },
  "each in the secret of a step with keys": {
    text: inCircuit(
      `  ${goodStep("a", '    for_each = toset(["x"])\n    ssh {\n      password = «each.key»\n    }')}`,
    ),
    summary: '"each" cannot be used in a login secret here',
    detail: "is host",
  },
  "facts in a secret": {
    text: inCircuit(`  ${goodStep("a", "    ssh {\n      password = «host.facts».os\n    }")}`),
    summary: '"host.facts" cannot be used to log in',
    detail: "vars",
  },
  "a bastion without an address": {
    text: inCircuit(`  ssh {\n    «bastion» {\n      user = "x"\n    }\n  }\n  ${goodStep("a")}`),
    summary: "This bastion has no address",
    detail: "Give it one",
  },
  "a bastion with a setting that it cannot have": {
    text: inCircuit(
      `  ssh {\n    bastion {\n      address = "x"\n      «become» = true\n    }\n  }\n  ${goodStep("a")}`,
    ),
    summary: 'Unknown argument "become"',
    detail: "in bastion",
  },
  "a host's bastion with a misspelt setting": {
    text: `circuit "web" {\n  hosts = { a = { address = "10.0.0.1", bastion = [{ address = "x", «usr» = "y" }] } }\n  ${goodStep("a")}\n}\n`,
    summary: 'Unknown setting "usr"',
    detail: '"user"',
  },
  "a host's bastion that is an address": {
    text: `circuit "web" {\n  hosts = { a = { address = "10.0.0.1", bastion = [«"gate"»] } }\n  ${goodStep("a")}\n}\n`,
    summary: "This is not a bastion",
    detail: "{ address",
  },
  "bastions that are no list": {
    text: inCircuit(`  ssh = { bastion = «{ address = "x" }» }\n  ${goodStep("a")}`),
    summary: '"bastion" is an object',
    detail: "one object for each hop",
  },
  "bastions as blocks and as a list": {
    text: inCircuit(
      `  ssh {\n    bastion = «[]»\n    bastion {\n      address = "x"\n    }\n  }\n  ${goodStep("a")}`,
    ),
    summary: '"bastion" is given twice',
    detail: "not both",
  },
  "a bastion and a jump host": {
    text: inCircuit(
      `  ssh {\n    proxy_jump = "x"\n    «bastion» {\n      address = "x"\n    }\n  }\n  ${goodStep("a")}`,
    ),
    summary: '"bastion" and "proxy_jump" exclude each other',
    detail: "only one",
  },
  "the same bastion twice": {
    text: inCircuit(
      `  ssh {\n    bastion {\n      address = "x"\n      port    = 22\n    }\n    bastion {\n      address = "x"\n    }\n    bastion {\n      address = «"x"»\n    }\n  }\n  ${goodStep("a")}`,
    ),
    summary: 'The way leads through "x" twice',
    detail: "Remove one of them",
    severity: "warning",
  },
  "the same bastion twice in a host's list": {
    text: `circuit "web" {\n  hosts = { a = { address = "y", bastion = [{ address = "x" }, { address = «"x"» }] } }\n  ${goodStep("a")}\n}\n`,
    summary: 'The way leads through "x" twice',
    detail: "Remove one of them",
    severity: "warning",
  },
  "the same jump host twice": {
    text: inCircuit(`  ssh {\n    proxy_jump = «"a@x:22,y,b@x:22"»\n  }\n  ${goodStep("a")}`),
    summary: 'The way leads through "x:22" twice',
    detail: "Remove one of them",
    severity: "warning",
  },
  "a bastion's secret from a resource of ours": {
    text: `${inCircuit(`  ssh {\n    bastion {\n      address  = "x"\n      password = «conn3x_file.x.path»\n    }\n  }\n  ${goodStep("a")}`)}resource "conn3x_file" "x" {\n  path = "/x"\n}\n`,
    summary: "A login secret cannot come from a Conn3x resource",
    detail: "wait for each other",
  },
  "the entry's name written by hand": {
    text: inCircuit(`  ssh {\n    «login» = "x"\n  }\n  ${goodStep("a")}`),
    summary: 'Unknown argument "login"',
    detail: "The compiler sets it",
  },
  "logins written by hand beside the compiler's": {
    text: `${inCircuit(`  ssh {\n    password = "x"\n  }\n  ${goodStep("a")}`)}provider "conn3x" {\n  «circuit_logins» = {}\n}\n`,
    summary: '"circuit_logins" would be replaced',
    detail: "remove it here",
  },
  "hosts that are sensitive as a whole": {
    text: `circuit "web" {\n  hosts = «var.hosts»\n  ${goodStep("a")}\n}\nvariable "hosts" {\n  sensitive = true\n}\n`,
    summary: "Hosts cannot be sensitive as a whole",
    detail: "their passwords",
  },
  "hosts made of something sensitive": {
    text: `circuit "web" {\n  hosts = «{ for k, v in local.all : k => v }»\n  ${goodStep("a")}\n}\nlocals {\n  all = merge({ a = "10.0.0.1" }, sensitive({}))\n}\n`,
    summary: "Hosts cannot be sensitive as a whole",
    detail: "their passwords",
  },
};

testErrors("errors of logins", cases);

describe("secrets that are not in the text", () => {
  it("are not looked for where hosts come from a resource of ours", () => {
    const { circuitLogins, diagnostics } = compileText(
      `circuit "web" {\n  hosts = { a = jsondecode(conn3x_file.x.path) }\n  ${goodStep("a")}\n}\nresource "conn3x_file" "x" {\n  path = "/x"\n}\n`,
    );
    expect(diagnostics).toEqual([]);
    expect(circuitLogins).toBeUndefined();
  });
});

describe("secrets in a module", () => {
  it("warns that they are stored", () => {
    const { text, expected } = readMarks(inCircuit(`  ssh {\n    password = «"x"»\n  }\n  ${goodStep("a")}`));
    const file = new SourceFile("main.circuit.hcl", text);
    const { diagnostics } = compileFiles([file], { directory: ".", kinds: testKinds, isModule: true });
    expect(diagnostics.map(({ severity, summary }) => [severity, summary])).toEqual([
      ["warning", "This login secret will be stored"],
    ]);
    expect(diagnostics[0]!.range).toMatchObject(expected);
  });

  it("warns of a bastion's likewise, which stays in its block", () => {
    const hop = 'bastion {\n      address  = "gate"\n      password = «"x"»\n    }';
    const { text, expected } = readMarks(inCircuit(`  ssh {\n    ${hop}\n  }\n  ${goodStep("a")}`));
    const file = new SourceFile("main.circuit.hcl", text);
    const compiled = compileFiles([file], { directory: ".", kinds: testKinds, isModule: true });
    expect(compiled.diagnostics).toMatchObject([
      { severity: "warning", summary: "This login secret will be stored", range: expected },
    ]);
    const ssh = compiled.resources[0]!.body.items.find(
      (item) => item.kind === "block" && item.type === "ssh",
    );
    const bastion = ssh?.kind === "block" ? ssh.body.items.at(-1) : undefined;
    expect(bastion).toMatchObject({
      type: "bastion",
      body: { items: [{ name: "address" }, { name: "password" }] },
    });
  });
});
