/**
 * @module Circuits with a secret in every place where a value can stand, most of which are wrong there.
 */
import { kinds } from "../../../src/resources/index.ts";
import type { Kind } from "../../../src/resources/kind.ts";

/** The value of the sensitive variable `pw`, and what literals of secret settings hold. */
export const secret = "S3CRET";
/** The value of the sensitive variable `number`: no port, no mode, no count. */
export const secretNumber = "70123";

/** A configuration that holds a secret. */
export interface Place {
  readonly name: string;
  readonly text: string;
}

/** Expressions with the sensitive variables that have a value, of every type. */
const values = [
  "var.pw",
  "var.number",
  "[var.pw]",
  "{ k = var.pw }",
  "{ k = [var.pw] }",
  '"x${var.pw}"',
  "sensitive(null)",
];

/** And those that have none. */
const expressions = [
  ...values,
  "tonumber(var.pw)",
  "[for k in [var.pw] : k]",
  "var.pw[0]",
  "var.pw.x",
  "{ a = 1 }[var.pw]",
  "var.pw + 1",
  "var.pw ? 1 : 2",
  "file(var.pw)",
  "regex(var.pw, var.pw)",
  "one([var.pw, var.pw])",
];

/** What a secret setting may be given literally: the right type, the wrong ones, and what does not parse. */
const literals = [
  `"${secret}"`,
  `["${secret}"]`,
  `{ k = ["${secret}"] }`,
  `{ k = "${secret}" }`,
  secretNumber,
  `"${secret}" + 1`,
  `"${secret}`,
  `"${secret}\${" `,
  `"\\q${secret}"`,
  `"${secret}" "${secret}"`,
  // Whose quotes were forgotten.
  secret,
  `<<EOT\n${secret}\${\nEOT`,
  `sensitive("${secret}" + 1)`,
];

const variables = `variable "pw" {
  sensitive = true
  default   = "${secret}"
}
variable "number" {
  sensitive = true
  default   = ${secretNumber}
}
`;

interface Parts {
  readonly hosts?: string;
  readonly ssh?: string;
  readonly step?: string;
  /** In the circuit, behind the step. */
  readonly more?: string;
  /** Before the circuit. */
  readonly top?: string;
}

const aFile = 'file {\n  path = "/a"\n}\n';

const configuration = ({
  hosts = '{ h = "a" }',
  ssh = "",
  step = aFile,
  more = "",
  top = "",
}: Parts): string =>
  `${variables}${top}circuit "web" {\n  hosts = ${hosts}\n${ssh}  step "a" {\n${step}\n  }\n${more}}\n`;

export function* places(): Generator<Place> {
  for (const kind of kinds.values()) yield* ofKind(kind);
  for (const name of loginSettings) yield* ofLogin(name);
  for (const value of expressions) yield* ofCircuit(value);
  for (const value of literals) yield* ofDeclarations(value);
}

const required: Readonly<Record<string, string>> = { path: '"/a"', target: '"/b"', action: '"restart"' };

function* ofKind(kind: Kind): Generator<Place> {
  const settings = Object.entries(kind.schema.attributes);
  for (const [name, attribute] of settings) {
    if (!attribute.required && !attribute.optional) continue;
    const others = settings
      .filter(([other, { required }]) => required && other !== name)
      .map(([other]) => `${other} = ${required[other] ?? '"a"'}\n`);
    const member = (body: string): string =>
      kind.role === "action"
        ? configuration({ step: `${aFile}notify = [handler.b]`, more: `handler "b" {\n${body}\n}\n` })
        : configuration({ step: body });
    for (const value of [...values, ...(attribute.sensitive ? literals : [])]) {
      const what = `${kind.role} ${kind.name}: ${name} = ${value}`;
      yield { name: what, text: member(`${kind.name} {\n${others.join("")}${name} = ${value}\n}`) };
    }
    for (const value of attribute.sensitive ? literals : []) {
      const line = `${kind.name} { ${name} = ${value} }`;
      yield { name: line, text: member(line) };
    }
  }
}

const secretLogin = ["password", "private_key", "passphrase", "become_password"];
const loginSettings = [
  ...["address", "port", "user", "private_key_file", "become", "become_method", "become_user", "host_key"],
  ...["agent", "proxy_jump", "proxy_command", "timeout", "bastion", "transport", "vars", "nonsense"],
  ...secretLogin,
];

function* ofLogin(name: string): Generator<Place> {
  const isSecret = secretLogin.includes(name);
  for (const value of [...values, ...(isSecret ? literals : [])]) {
    const line = `${name} = ${value}`;
    const forms: Readonly<Record<string, Parts>> = {
      host: { hosts: `{ h = { address = "a", ${line} } }` },
      "ssh block": { ssh: `ssh {\n${line}\n}\n` },
      "ssh object": { ssh: `ssh = { ${line} }\n` },
      bastion: { ssh: `ssh {\nbastion {\naddress = "b"\n${line}\n}\n}\n` },
      "ssh of a step": { step: `${aFile}ssh {\n${line}\n}\n` },
      run_on: { step: `${aFile}run_on = { address = "x", ${line} }` },
      provider: { top: `provider "conn3x" {\nssh {\n${line}\n}\n}\n` },
    };
    for (const [where, parts] of Object.entries(forms))
      yield { name: `${where}: ${line}`, text: configuration(parts) };
  }
}

const ofSteps = [
  "for_each",
  "when",
  "notify",
  "run_once",
  "run_on",
  "ignore_errors",
  "depends_on",
  "on_remove",
];
const inBlocks: Readonly<Record<string, readonly string[]>> = {
  retries: ["attempts", "interval"],
  drift: ["ignore", "action"],
  lifecycle: ["prevent_destroy", "ignore_changes", "replace_triggered_by"],
};

function* ofCircuit(value: string): Generator<Place> {
  const forms: Record<string, Parts> = {
    hosts: { hosts: value },
    "a host": { hosts: `{ h = ${value} }` },
    "a host's name": { hosts: `{ (${value}) = "x" }` },
    output: { top: `output "o" {\nvalue = ${value}\n}\n` },
    local: { top: `locals {\no = ${value}\n}\n` },
    check: { top: `check "o" {\nassert {\ncondition = ${value}\nerror_message = ${value}\n}\n}\n` },
    validation: {
      top: `variable "o" {\ndefault = 1\nvalidation {\ncondition = var.o == 2\nerror_message = ${value}\n}\n}\n`,
    },
    import: { top: `import {\nto = conn3x_file.web__a["h"]\nid = ${value}\n}\n` },
    for_each: { top: `resource "conn3x_file" "x" {\nfor_each = ${value}\npath = "/b"\n}\n` },
    count: { top: `resource "conn3x_file" "x" {\ncount = ${value}\npath = "/b"\n}\n` },
  };
  for (const name of ofSteps) forms[`step's ${name}`] = { step: `${aFile}${name} = ${value}` };
  for (const [block, names] of Object.entries(inBlocks))
    for (const name of names)
      forms[`${block}'s ${name}`] = { step: `${aFile}${block} {\n${name} = ${value}\n}` };
  for (const name of ["batch", "max_failures", "pause"])
    forms[`rollout's ${name}`] = { more: `rollout {\n${name} = ${value}\n}\n` };
  for (const name of ["depends_on", "ssh", "order", "nonsense"])
    forms[`circuit's ${name}`] = { more: `${name} = ${value}\n` };
  for (const [where, parts] of Object.entries(forms))
    yield { name: `${where}: ${value}`, text: configuration(parts) };
}

function* ofDeclarations(value: string): Generator<Place> {
  const type = "type = number\n";
  yield {
    name: `default = ${value}`,
    text: `variable "v" {\nsensitive = true\n${type}default = ${value}\n}\n`,
  };
  yield {
    name: `default = ${value}, before`,
    text: `variable "v" {\ndefault = ${value}\n${type}ephemeral = true\n}\n`,
  };
  yield { name: `value = ${value}`, text: `output "v" {\nsensitive = true\nvalue = ${value}\n}\n` };
}
