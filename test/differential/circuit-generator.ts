/**
 * @module Circuits without anything wrong in them, drawn at random: every block and argument of the language, in every
 * form that it may have, with names that are odd but legal.
 */
import fc from "fast-check";

const circuitNames = ["web", "a", "w-1", "_x", "für", "for", "null", "step", "host", "Ω", "a_b", "each"];

/**
 * A file of one to three circuits, which take their values from {@link declarations}.
 *
 * @param id what their names end with, so that many of these files may be one configuration
 */
export const circuitFile = (id: number): fc.Arbitrary<string> =>
  fc.uniqueArray(fc.constantFrom(...circuitNames), { minLength: 1, maxLength: 3 }).chain((drawn) => {
    const names = drawn.map((name) => `${name}${id}`);
    return fc
      .tuple(...names.map((name, index) => circuit(name, names.slice(0, index))))
      .map((circuits) => [`# Which circuits: ${names.join(", ")}`, ...circuits].join("\n\n"));
  });

/** What circuits take their values from. */
export const declarations = `variable "fleet" {
  type = map(object({
    address  = string
    port     = optional(number)
    password = optional(string)
    vars     = optional(any)
  }))
  default = { v1 = { address = "10.1.0.1" } }
}

variable "login" {
  type    = any
  default = { user = "ops" }
}

variable "password" {
  type      = string
  default   = "p"
  sensitive = true
}

variable "keys" {
  type    = set(string)
  default = ["k1", "k2"]
}

variable "flag" {
  type    = bool
  default = true
}

locals {
  texts = { "a b" = "1", "x\${2}" = "two" } // legal keys, all of them
}

/* Waited for, and asked. */
resource "terraform_data" "base" {
  input = "base"
}

check "sense" {
  assert {
    condition     = length(local.texts) == 2
    error_message = "There are \${length(local.texts)} texts."
  }
}
`;

interface Step {
  readonly name: string;
  readonly keys: "none" | "texts" | "unknown";
  readonly once: boolean;
}

interface Place {
  readonly circuit: string;
  readonly earlier: readonly Step[];
}

const lines = (...parts: readonly string[]): string => parts.filter((part) => part !== "").join("\n");

const indented = (text: string): string => text.replace(/^(?=.)/gm, "  ");

const block = (header: string, ...parts: readonly string[]): string =>
  `${header} {\n${indented(lines(...parts))}\n}`;

const maybe = (part: fc.Arbitrary<string>): fc.Arbitrary<string> => fc.oneof(fc.constant(""), part);

const memberName = fc.constantFrom(
  ..."config if in true lifecycle dynamic count self ssh _ a-b ünï x1 B step each a_ for-each".split(" "),
);

function circuit(name: string, before: readonly string[]): fc.Arbitrary<string> {
  const drawn = fc.record({
    hosts: fc.constantFrom(...hosts),
    ssh: maybe(login("host.name")),
    waits: maybe(fc.constantFrom(...waits(before))),
    settings: fc.constantFrom(
      "",
      'order = "host"',
      'order = null\non_failure = "stop"\non_host_gone = "forget"',
      'rollout {\n  batch = [1, "25%"]\n  max_failures = 1\n  pause = "1s"\n}',
      'moved {\n  from = host.old\n  to   = host["new.example"]\n}',
    ),
    steps: fc.uniqueArray(
      fc.record({
        name: memberName,
        keys: fc.constantFrom<Step["keys"]>("none", "none", "texts", "unknown"),
        once: fc.boolean(),
      }),
      { selector: (step) => step.name, maxLength: 5 },
    ),
    handlers: fc.uniqueArray(memberName, { maxLength: 3 }),
  });
  return drawn.chain((parts) => {
    const steps = parts.steps.map((one, index) =>
      step(one, { circuit: name, earlier: parts.steps.slice(0, index) }, parts.handlers),
    );
    const handlers = parts.handlers.map((one) => handler(one));
    return fc.tuple(fc.tuple(...steps), fc.tuple(...handlers)).map(([made, after]) => {
      const { hosts: written, ssh, waits: depends, settings } = parts;
      return `${block(`circuit "${name}"`, `hosts = ${written}`, ssh, depends, settings, ...made, ...after)}\n`;
    });
  });
}

const hosts: readonly string[] = [
  '{ h1 = "10.0.0.1" }',
  '{ "h.1_2-3" = "host.example.org", "-x" = "fe80::1", "5" = "10.0.0.5" }',
  '{\n  h1 = { address = "10.0.0.1", port = 2222, vars = { role = "db", "odd key" = [1, null] } } # first\n  h2 = "10.0.0.2"\n}',
  '{ h1 = { address = "10.0.0.1", password = var.password, become_password = null }, h2 = { address = "b", user = "u" } }',
  '{ h1 = { address = "10.0.0.1", bastion = [{ address = "gate", password = var.password }] }, h2 = { address = "b", proxy_jump = "j" } }',
  "var.fleet",
  'merge(var.fleet, { m1 = { address = "10.2.0.1" } })',
  '{ for number in [1, 2] : "n${number}" => "10.0.0.${number}" }',
  "{ for name, value in var.fleet : upper(name) => { address = value.address, vars = { was = name } } }",
  'zipmap(["z1"], ["10.0.0.9"])',
  "{ h1 = terraform_data.base.output }",
  "{}",
];

/** @param host what stands for the host's name */
const login = (host: string): fc.Arbitrary<string> =>
  fc.constantFrom(
    'ssh {\n  user = "deploy"\n  become = true\n}',
    "ssh {\n  password = var.password\n}",
    `ssh {\n  user = "u-\${${host}}"\n  private_key = null\n  connect_timeout = 0.1 * 10\n}`,
    'ssh {\n  bastion {\n    address = "gate.example.org"\n  }\n  bastion {\n    address = "second"\n    password = var.password\n  }\n}',
    'ssh {\n  proxy_jump = "u@gate:22,[fe80::1]:2222"\n}',
    "ssh = var.login",
    'ssh = { user = "x", password = var.password, bastion = [{ address = "gate" }] }',
    "ssh = merge(var.login, { become = true })",
    "ssh = null",
    "ssh {\n}",
  );

const waits = (before: readonly string[]): readonly string[] => [
  "depends_on = [terraform_data.base]",
  "depends_on = null",
  ...before.map((name) => `depends_on = [circuit.${name}, terraform_data.base]`),
];

function step(drawn: Step, place: Place, handlers: readonly string[]): fc.Arbitrary<string> {
  const { name, keys, once } = drawn;
  const forEach = {
    none: fc.constant(""),
    texts: fc.constantFrom(
      'for_each = { "k 1" = "v", k2 = null }',
      'for_each = toset(["k 1", "a/b"])',
      "for_each = local.texts",
    ),
    unknown: fc.constantFrom(
      "for_each = var.keys",
      'for_each = toset([for key in [host.name, "x"] : key])',
      "for_each = { for key in var.keys : upper(key) => host.vars }",
    ),
  }[keys];
  return fc
    .record({
      forEach,
      kind: kind(place, keys !== "none"),
      when: maybe(condition(place)),
      notify: fc.subarray([...handlers]).map((chosen) => notify(chosen)),
      runOn: maybe(
        fc.constantFrom(
          'run_on = { address = "10.9.9.9", user = "lb", password = var.password }',
          'run_on = { address = host.address, bastion = [{ address = "gate" }] }',
          "run_on = host.name",
          "run_on = var.flag ? null : host.name",
          "run_on = try(host.vars.lb, null)",
        ),
      ),
      ssh: maybe(login("host.name")),
      more: fc.subarray([
        'retries {\n  attempts = 2\n  interval = "1s"\n}',
        "ignore_errors = true",
        "lifecycle {\n  prevent_destroy = false\n  create_before_destroy = false\n}",
        "depends_on = [terraform_data.base]",
      ]),
      earlier: fc.boolean(),
    })
    .map((parts) => {
      const [before] = place.earlier;
      const waitsFor = parts.earlier && before !== undefined ? `, step.${before.name}` : "";
      const more = parts.more.map((part) =>
        part.startsWith("depends_on") ? part.replace("]", `${waitsFor}]`) : part,
      );
      return block(
        `step "${name}"`,
        parts.forEach,
        once ? "run_once = true" : "",
        parts.runOn,
        parts.when,
        parts.kind,
        parts.notify,
        parts.ssh,
        ...more,
      );
    });
}

const notify = (handlers: readonly string[]): string =>
  handlers.length === 0
    ? ""
    : `notify = [${handlers.map((name, index) => (index % 2 === 0 ? `handler.${name}` : `"${name}"`)).join(", ")}]`;

const condition = (place: Place): fc.Arbitrary<string> =>
  fc.constantFrom(
    "when = var.flag",
    'when = host.facts.os.family == "debian" && host.name != ""',
    'when = "true"',
    "when = null",
    ...references(place).map(({ whole }) => `when = length(jsonencode(${whole})) > 0`),
  );

/** No other file's: hosts of several circuits, and of one, may be one machine, and their contents differ. */
const filePath = (number: number, keyed: boolean): string =>
  `/srv/${number}/\${host.name}${keyed ? "/${md5(each.key)}" : ""}`;

/** Blocks of kinds, with settings from wherever they may come. */
function kind(place: Place, keyed: boolean): fc.Arbitrary<string> {
  const each = keyed
    ? ["each.key", '"${each.key}=${jsonencode(each.value)}"']
    : ["each.key", "each.value.address"];
  const texts = fc.constantFrom(
    ...each,
    "host.name",
    "host.address",
    '"${host.name}-${host.port == null ? 22 : host.port}"',
    "jsonencode(host)",
    "host.facts.hostname",
    '"%{for host in ["x"]}${host}%{endfor}%{if var.flag}${host.name}%{else}-%{endif}"',
    '"$${literal} %%{literal} $$ % ${"quoted ${host.name}"} \\u00e9 \\"x\\" \\\\"',
    "[for each in [host.name] : each][0]",
    '{ host = host.name, (host.name) = 1, "a b" = 2 }["host"]',
    'templatestring(local.texts["a b"], {})',
    'format("%s%s", keys(local.texts)...)',
    "(var.flag ? host.name : each.key)",
    "terraform_data.base.output",
    ...references(place).map(({ text }) => text),
  );
  const heredoc = fc.constant("<<-EOT\n    for ${host.name}\n      $${x} %%{x}\n    EOT");
  const drift = maybe(fc.constantFrom('drift {\n  mode = "warn"\n}', 'drift {\n  ignore = ["mode"]\n}'));
  const onRemove = maybe(fc.constantFrom('on_remove = "keep"', "on_remove = null"));
  return fc.oneof(
    fc
      .tuple(fc.oneof(texts, heredoc), fc.noBias(fc.nat()), drift, onRemove)
      .map(([content, number, ...more]) =>
        lines(block("file", `path = "${filePath(number, keyed)}"`, `content = ${content}`), ...more),
      ),
    fc
      .tuple(drift, onRemove)
      .map((more) => lines(block("directory", 'path = "/srv/d"', 'mode = "0755"'), ...more)),
    onRemove.map((more) => lines(block("package", 'name = "curl"'), more)),
    texts.map((text) =>
      block("command", 'run = "true"', `environment = { A = ${text}, "B" = "x" }`, "success_codes = [0, 1]"),
    ),
    fc.constant(block("link", 'path = "/srv/l"', 'target = "x"')),
    fc.constant(block("service", 'name = "nginx"', "running = var.flag")),
    fc.constant(block("line", 'path = "/etc/x"', 'line = "a=1"', 'regexp = "^a="')),
  );
}

/** What earlier steps of the circuit gave: as a value of any kind, and as a text. */
const references = ({ circuit, earlier }: Place): readonly { whole: string; text: string }[] =>
  earlier.flatMap(({ name, keys }) => {
    const [whole, one] = [`step.${name}`, `step.${name}[${JSON.stringify("k 1")}].revision`];
    if (keys === "none") return [{ whole: `${whole}.id`, text: `${whole}.revision` }];
    const all = {
      whole: `{ for k, v in ${whole} : k => v.id }`,
      text: `join("", values(${whole})[*].revision)`,
    };
    return keys === "unknown"
      ? [all]
      : [all, { whole: `try(${one}, null)`, text: `try(${one}, "${circuit}")` }];
  });

const handler = (name: string): fc.Arbitrary<string> =>
  fc
    .tuple(
      fc.constantFrom(
        block("service", 'name = "nginx"', 'action = "reload"'),
        block("service", 'name = "unit-${host.name}"', 'action = "restart"'),
        block("command", 'run = "echo ${host.name} ${each.key}"'),
      ),
      maybe(login("host.name")),
    )
    .map(([what, ssh]) => block(`handler "${name}"`, what, ssh));
