/**
 * What is wrong with blocks that declare something, and with how they are named.
 */
import { type ErrorCase, testErrors } from "./testing/error-cases.ts";
import { goodStep, inCircuit } from "./testing/marked.ts";

const variable = (body: string, name = '"x"') => `variable ${name} {\n  ${body}\n}\n`;
const step = (body: string) =>
  inCircuit(`  step "a" {\n    file {\n      path = "/a"\n    }\n    ${body}\n  }`);
const noName = (type: string): Pick<ErrorCase, "summary" | "detail"> => ({
  summary: `"${type}" takes no name`,
  detail: `Write ${type} { … }.`,
});

const cases: Readonly<Record<string, ErrorCase>> = {
  "a variable with a name that modules need": {
    text: variable("type = string", '«"source"»'),
    summary: '"source" cannot name a variable',
    detail: "a meaning of its own",
  },
  "a default that refers to something": {
    text: `locals {\n  a = 1\n}\n${variable("default = { b = «local».a }")}`,
    summary: "A default cannot refer to anything",
    detail: "locals { … }",
  },
  "a default that calls a function": {
    text: variable('default = «upper»("a")'),
    summary: "A default cannot call functions",
    detail: "locals { … }",
  },
  "a condition about something else": {
    text: `locals {\n  a = 1\n}\n${variable('validation {\n    condition     = «local.a == 1»\n    error_message = "x"\n  }')}`,
    summary: "The condition is not about its variable",
    detail: "It must refer to var.x",
  },
  "a condition with a name": {
    text: variable('validation «"n"» {\n    condition     = var.x == 1\n    error_message = "x"\n  }'),
    ...noName("validation"),
  },
  "a precondition without a condition": {
    text: step('lifecycle {\n      «precondition» {\n        error_message = "x"\n      }\n    }'),
    summary: '"precondition" needs "condition"',
    detail: "Add condition = …",
  },
  "a precondition that is the same whatever there is": {
    text: step(
      'lifecycle {\n      precondition {\n        condition     = «1 < 2»\n        error_message = "x"\n      }\n    }',
    ),
    summary: "The condition is about nothing",
    detail: "It must refer to something",
  },
  "an assertion that is the same whatever there is": {
    text: 'check "a" {\n  assert {\n    condition     = «upper("a") == "A"»\n    error_message = "x"\n  }\n}\n',
    summary: "The condition is about nothing",
    detail: "It must refer to something",
  },
  "lifecycle with a name": { text: step('lifecycle «"n"» {}'), ...noName("lifecycle") },
  "drift with a name": { text: step('drift «"n"» {}'), ...noName("drift") },
  "retries with a name": { text: step('retries «"n"» {}'), ...noName("retries") },
  "ssh of a step with a name": { text: step('ssh «"n"» {}'), ...noName("ssh") },
  "rollout with a name": { text: inCircuit(`  ${goodStep("a")}\n  rollout «"n"» {}`), ...noName("rollout") },
  "terraform with a name": { text: 'terraform «"n"» {}\n', ...noName("terraform") },
  "a provider without a name": {
    text: "«provider» {}\n",
    summary: "This provider is not named right",
    detail: 'Write provider "name" { … }.',
  },
  "another provider's resource without a name": {
    text: '«resource "a_b"» {}\n',
    summary: "This resource is not named right",
    detail: 'Write resource "type" "name" { … }.',
  },
  "a kind that is written as an argument": {
    text: inCircuit('  step "a" {\n    «file» = { path = "/a" }\n  }'),
    summary: 'Unknown argument "file"',
    detail: "file { … }",
  },
  "hosts that are written as a block": {
    text: `circuit "web" {\n  «hosts» {}\n  ${goodStep("a")}\n}\n`,
    summary: '"hosts" is an argument',
    detail: "hosts = …",
  },
  "a module's source that is a number": {
    text: 'module "a" {\n  source = «5»\n}\n',
    summary: "This is not a module's source",
    detail: 'It is a number. Say where the module is: source = "./modules/web".',
  },
  "a module's source that is empty": {
    text: 'module "a" {\n  source = «""»\n}\n',
    summary: "This is not a module's source",
    detail: "It is empty.",
  },
  "a negative number of failures": {
    text: inCircuit(`  ${goodStep("a")}\n  rollout {\n    max_failures = «-1»\n  }`),
    summary: "This cannot be how a circuit goes through its hosts",
    detail: "a number of hosts",
  },
  "an output that is not understood hides nothing": {
    text: 'output "a" {\n  value = «local.nope»\n}\n',
    summary: 'There is no local value "nope"',
    detail: "Nothing in this directory declares it.",
  },
};

testErrors("declarations", cases);
