/**
 * What is wrong with the settings that a step, handler or circuit has beside what it does.
 */
import { type ErrorCase, testErrors } from "./testing/error-cases.ts";
import { goodStep, inCircuit } from "./testing/marked.ts";

const reload = 'handler "reload" {\n    service {\n      name = "nginx"\n      action = "reload"\n    }\n  }';
const step = (content: string) =>
  inCircuit(`  step "a" {\n    file {\n      path = "/a"\n    }\n${content}\n  }`);
const handler = (content: string) =>
  inCircuit(
    `  ${goodStep("a", "notify = [handler.reload]")}\n  ${reload.replace("service {", `${content}\n    service {`)}`,
  );

const cases: Readonly<Record<string, ErrorCase>> = {
  "when in the kind's block": {
    text: inCircuit('  step "a" {\n    file {\n      path = "/a"\n      «when» = true\n    }\n  }'),
    summary: '"when" does not go here',
    detail: "beside this block",
  },
  "when in a handler": {
    text: handler("    «when» = true"),
    summary: 'Unknown argument "when"',
    detail: "Put the condition into these steps.",
  },
  "run_once in a handler": {
    text: handler("    «run_once» = true"),
    summary: 'Unknown argument "run_once"',
    detail: "on each host",
  },
  "lifecycle in a handler": {
    text: handler("    «lifecycle» {\n    }"),
    summary: '"lifecycle" does not go here',
    detail: "for steps only",
  },
  "run_once that is not written out": {
    text: `${step("    run_once = «var.x»")}variable "x" {\n}\n`,
    summary: '"run_once" must be written out',
    detail: "true or false",
  },
  "run_on of a host that does not exist": {
    text: step('    run_on = «"wbe1"»'),
    summary: 'Unknown host "wbe1"',
    detail: 'Did you mean "web1"?',
  },
  "run_on without an address": {
    text: step("    run_on = «{ port = 22 }»"),
    summary: "This host has no address",
    detail: "Give it one",
  },
  "run_on with vars": {
    text: step('    run_on = { address = "10.0.0.9", vars = «{}» }'),
    summary: '"vars" mean nothing in run_on',
    detail: "its own host",
  },
  "run_on with groups": {
    text: step('    run_on = { address = "10.0.0.9", groups = «["lb"]» }'),
    summary: '"groups" mean nothing in run_on',
    detail: "its own host",
  },
  "ignore_errors in quotes": {
    text: step('    ignore_errors = «"x"»'),
    summary: '"ignore_errors" is not true or false',
    detail: "It is a string.",
  },
  "no attempts": {
    text: step("    retries {\n      attempts = «0»\n    }"),
    summary: "This is not a number of attempts",
    detail: "at least 1",
  },
  "attempts in words": {
    text: step('    retries {\n      attempts = «"many"»\n    }'),
    summary: "This is not a number of attempts",
    detail: "a whole number",
  },
  "an interval without a unit that there is": {
    text: step('    retries {\n      interval = «"3 days"»\n    }'),
    summary: "This is not a time",
    detail: '"500ms"',
  },
  "a batch of no hosts": {
    text: inCircuit("  rollout {\n    batch = [1, «0»]\n  }"),
    summary: "This cannot be how a circuit goes through its hosts",
    detail: "a share of them",
  },
  "no batches": {
    text: inCircuit("  rollout {\n    batch = «[]»\n  }"),
    summary: "This cannot be how a circuit goes through its hosts",
    detail: "a share of them",
  },
  "more failures than all": {
    text: inCircuit('  rollout {\n    max_failures = «"101%"»\n  }'),
    summary: "This cannot be how a circuit goes through its hosts",
    detail: "a share of them",
  },
  "run_on with an address that is null": {
    text: step("    run_on = { address = «null» }"),
    summary: "This is not an address",
    detail: "It is null.",
  },
  "a handler that is not there, named twice": {
    text: inCircuit(`  ${goodStep("a", "notify = [«handler.nope», handler.nope]")}`),
    summary: 'Unknown handler "nope"',
    detail: "no handler of that name",
  },
  "a handler named twice": {
    text: inCircuit(`  ${goodStep("a", "notify = [handler.reload, «handler.reload»]")}\n  ${reload}`),
    summary: 'Handler "reload" is notified twice',
    detail: "Once is enough",
    severity: "warning",
  },
  "a handler with a name that is no line": {
    text: inCircuit(`  ${goodStep("a", 'notify = [«"a\\nb"»]')}`),
    summary: 'Unknown handler "a\\nb"',
    detail: "no handler of that name",
  },
  "depends_on of a resource of another provider that is not there": {
    text: step("    depends_on = [«aws_instance.missing»]"),
    summary: 'There is no aws_instance "missing"',
    detail: "Nothing in this directory declares it.",
  },
  "depends_on of a circuit outside of circuits": {
    text: `${inCircuit("")}resource "conn3x_file" "x" {\n  path = "/x"\n  depends_on = [«circuit.web»]\n}\n`,
    summary: '"circuit" means nothing outside of circuits',
    detail: "conn3x_file.web__config",
  },
  "depends_on of a resource that is not there, in a resource": {
    text: 'resource "conn3x_file" "x" {\n  path = "/x"\n  depends_on = [«aws_instance.nope»]\n}\n',
    summary: 'There is no aws_instance "nope"',
    detail: "Nothing in this directory declares it.",
  },
  "depends_on of a data source that is not there": {
    text: `${step("    depends_on = [«data.aws_ami.wbe»]")}data "aws_ami" "web" {\n}\n`,
    summary: 'There is no data.aws_ami "wbe"',
    detail: 'Did you mean "web"?',
  },
  "a resource of another provider that is not there": {
    text: `${step("    when = «aws_instance.wbe».ready")}resource "aws_instance" "web" {\n}\n`,
    summary: 'There is no aws_instance "wbe"',
    detail: 'Did you mean "web"?',
  },
  "a data source that is not there": {
    text: step("    when = «data.aws_ami.x».ready"),
    summary: 'There is no data.aws_ami "x"',
    detail: "Nothing in this directory declares it.",
  },
  "an unknown argument of ssh, with what there is": {
    text: inCircuit("  ssh {\n    «nonsense» = 1\n  }"),
    summary: 'Unknown argument "nonsense"',
    detail: "connect_timeout, host_key,",
  },
  "for_each that is null": {
    text: step("    for_each = «null»"),
    summary: '"for_each" is null',
    detail: "a map or a set of strings",
  },
  "for_each that is a string": {
    text: step('    for_each = «"a"»'),
    summary: '"for_each" is a string',
    detail: "a map or a set of strings",
  },
  "for_each that is a number": {
    text: step("    for_each = «5»"),
    summary: '"for_each" is a number',
    detail: "a map or a set of strings",
  },
  "for_each with a key that is null": {
    text: step('    for_each = toset(["a", «null»])'),
    summary: '"for_each" has a key that is not a string',
    detail: "It is null.",
  },
  "a step that waits for a host": {
    text: step("    depends_on = [«host.a»]"),
    summary: '"host" is not something to depend on',
    detail: "circuit.base, aws_instance.web",
  },
  "a circuit that waits for a host": {
    text: inCircuit("  depends_on = [«host.web1»]"),
    summary: '"host" is not something to depend on',
    detail: "circuit.base, aws_instance.web",
  },
  "a step that waits for the resource it becomes": {
    text: step("    depends_on = [«conn3x_file.web__a»]"),
    summary: "conn3x_file.web__a refers to itself",
    detail: "before it is known",
  },
  "a step that waits for a resource that does not exist": {
    text: step("    depends_on = [«conn3x_file.web__b»]"),
    summary: 'There is no conn3x_file "web__b"',
    detail: 'Did you mean "web__a"?',
  },
  "a circuit that waits for its own step": {
    text: `circuit "web" {\n  hosts = { web1 = "10.0.0.1" }\n  depends_on = [«conn3x_file.web__a»]\n  ${goodStep("a", "when = host.facts.os != null")}\n}\n`,
    summary: "These need each other in a circle",
    detail: "conn3x_file.web__a",
  },
  "a step that waits for a module that does not exist": {
    text: step("    depends_on = [«module.network»]"),
    summary: 'There is no module "network"',
    detail: "There are none.",
  },
  "a local value that does not exist": {
    text: `${step("    when = «local.nothing»")}locals {\n  other = 1\n}\n`,
    summary: 'There is no local value "nothing"',
    detail: "There are: other.",
  },
  "drift in the kind's block": {
    text: inCircuit('  step "a" {\n    file {\n      path = "/a"\n      «drift» {\n      }\n    }\n  }'),
    summary: '"drift" does not go here',
    detail: "beside this block",
  },
  "an unknown argument of drift": {
    text: step("    drift {\n      «ignores» = []\n    }"),
    summary: 'Unknown setting "ignores"',
    detail: 'Did you mean "ignore"?',
  },
  "drift of a kind that reads nothing": {
    text: inCircuit('  step "a" {\n    command {\n      run = "true"\n    }\n    «drift» {\n    }\n  }'),
    summary: '"drift" means nothing for "command"',
    detail: "Remove the block",
  },
  "an unknown setting in ignore": {
    text: step('    drift {\n      ignore = [«"mod"»]\n    }'),
    summary: '"mod" cannot be left to somebody else',
    detail: 'Did you mean "mode"?',
  },
  "an identity in ignore": {
    text: step('    drift {\n      ignore = ["mode", «"path"»]\n    }'),
    summary: '"path" cannot be left to somebody else',
    detail: "which object it is, and so cannot be somebody else's. There are: mode.",
  },
  "a computed setting in ignore": {
    text: step('    drift {\n      ignore = [«"sha256"»]\n    }'),
    summary: '"sha256" cannot be left to somebody else',
    detail: "is found out",
  },
  "a setting that is not read in ignore": {
    text: step('    drift {\n      ignore = [«"content"»]\n    }'),
    summary: '"content" cannot be left to somebody else',
    detail: "is not read from the host",
  },
  "two drift blocks": {
    text: step("    drift {\n    }\n    «drift» {\n    }"),
    summary: 'Second "drift" block',
    detail: "Merge them",
  },
  "facts in the login of a circuit": {
    text: inCircuit(`  ssh {\n    user = «host.facts».os\n  }\n  ${goodStep("a")}`),
    summary: '"host.facts" cannot be used to log in',
    detail: "after logging in",
  },
  "a fact that there is not": {
    text: step("    when = host.facts.«oss» == 1"),
    summary: 'Unknown attribute "oss" of host.facts',
    detail: 'Did you mean "os"?',
  },
  "facts as a step": {
    text: inCircuit('  step "a" {\n    «facts» {\n    }\n  }'),
    summary: 'Unknown kind of step "facts"',
    detail: "host.facts",
  },
  "an attribute that an earlier step does not have, which runs once": {
    text: inCircuit(
      `  ${goodStep("a", "    run_once = true")}\n  step "b" {\n    file {\n      path = step.a.«pth»\n    }\n  }`,
    ),
    summary: 'Unknown attribute "pth" of conn3x_file.web__a',
    detail: 'Did you mean "path"?',
  },
  "an order that there is not": {
    text: inCircuit('  order = «"hosts"»'),
    summary: '"order" must be one of a few words',
    detail: 'Write "step" or "host".',
  },
  "an unknown argument of rollout": {
    text: inCircuit("  rollout {\n    «batches» = 1\n  }"),
    summary: 'Unknown argument "batches"',
    detail: 'Did you mean "batch"?',
  },
  "an unknown argument of retries": {
    text: step("    retries {\n      «attempt» = 3\n    }"),
    summary: 'Unknown argument "attempt"',
    detail: 'Did you mean "attempts"?',
  },
  "moved without where to": {
    text: inCircuit(`  ${goodStep("a")}\n  «moved» {\n    from = step.b\n  }`),
    summary: '"moved" needs "to"',
    detail: "to = step.NAME",
  },
  "moved to a step that there is not": {
    text: inCircuit(`  ${goodStep("config")}\n  moved {\n    from = step.b\n    to = «step.cnofig»\n  }`),
    summary: 'Unknown step "cnofig"',
    detail: 'Did you mean "config"?',
  },
  "moved from a step that is still there": {
    text: inCircuit(
      `  ${goodStep("a")}\n  ${goodStep("b")}\n  moved {\n    from = «step.a»\n    to = step.b\n  }`,
    ),
    summary: 'Step "a" is still there',
    detail: "Remove the block",
  },
  "moved from a step to a handler": {
    text: inCircuit(
      `  ${goodStep("a", "notify = [handler.reload]")}\n  ${reload}\n  moved {\n    from = step.b\n    to = «handler.reload»\n  }`,
    ),
    summary: "A step cannot become a handler",
    detail: "of handlers, of hosts",
  },
  "moved to another circuit": {
    text: inCircuit(`  ${goodStep("a")}\n  moved {\n    from = circuit.old\n    to = «circuit.other»\n  }`),
    summary: '"other" is another circuit',
    detail: "to = circuit.web",
  },
  "moved from a circuit that is still there": {
    text: `${inCircuit(`  ${goodStep("a")}\n  moved {\n    from = «circuit.old»\n    to = circuit.web\n  }`)}circuit "old" {\n  hosts = {}\n}\n`,
    summary: 'Circuit "old" is still there',
    detail: "Remove the block",
  },
  "moved from a host to a circuit": {
    text: inCircuit(`  ${goodStep("a")}\n  moved {\n    from = host.web1\n    to = «circuit.web»\n  }`),
    summary: "A host cannot become a circuit",
    detail: "of steps",
  },
  "moved from another address": {
    text: inCircuit(`  ${goodStep("a")}\n  moved {\n    from = «conn3x_file.web__b»\n    to = step.a\n  }`),
    summary: '"from" does not name what a circuit has',
    detail: "outside of it",
  },
  "an unknown setting of the provider": {
    text: 'provider "conn3x" {\n  ssh {\n    «usre» = "x"\n  }\n}\n',
    summary: 'Unknown setting "usre"',
    detail: 'Did you mean "user"?',
  },
  "an unknown block of the provider": {
    text: 'provider "conn3x" {\n  «shh» {\n  }\n}\n',
    summary: 'Unknown block "shh"',
    detail: 'Did you mean "ssh"?',
  },
  "an address that is none": {
    text: 'moved {\n  from = «"a.b"»\n  to = a.c\n}\n',
    summary: '"from" is not an address',
    detail: "without quotes",
  },
  "an import without an id": {
    text: "«import» {\n  to = conn3x_file.x\n}\n",
    summary: '"import" needs "id"',
    detail: "id = …",
  },
  "destroy that is not written out": {
    text: 'removed {\n  from = conn3x_file.x\n  lifecycle {\n    destroy = «var.x»\n  }\n}\nvariable "x" {\n}\n',
    summary: '"destroy" must be written out',
    detail: "true or false",
  },
};

testErrors("errors of members", cases);
