import { describe, expect, it } from "vitest";
import { SourceFile } from "../diagnostics/source.ts";
import { compileFiles } from "./testing/compile-files.ts";
import { type ErrorCase, testErrors } from "./testing/error-cases.ts";
import { testKinds } from "./testing/kinds.ts";
import { compileText, diagnose, goodStep, inCircuit } from "./testing/marked.ts";

const reload = 'handler "reload" {\n    service {\n      name = "nginx"\n      action = "reload"\n    }\n  }';
const step = (content: string) => inCircuit(`  step "a" {\n${content}\n  }`);
const file = (content: string) => step(`    file {\n${content}\n    }`);

const cases: Readonly<Record<string, ErrorCase>> = {
  "no hosts": {
    text: '«circuit "web"» {\n}\n',
    summary: 'Circuit "web" has no hosts',
    detail: "hosts =",
  },
  "a circuit without a name": {
    text: "«circuit» {\n  hosts = {}\n}\n",
    summary: "This circuit has no name",
    detail: 'circuit "name" { … }',
  },
  "a circuit with two names": {
    text: 'circuit "a" «"b"» {\n  hosts = {}\n}\n',
    summary: "This circuit has more than one name",
    detail: 'circuit "a" { … }',
  },
  "a double underscore in a circuit's name": {
    text: 'circuit «"we__b"» {\n  hosts = {}\n}\n',
    summary: '"we__b" cannot name a circuit',
    detail: 'Use a single one: "we_b".',
  },
  "an underscore at the end of a circuit's name": {
    text: 'circuit «"web_"» {\n  hosts = {}\n}\n',
    summary: '"web_" cannot name a circuit',
    detail: "cannot end with an underscore",
  },
  "a step's name that is no identifier": {
    text: inCircuit('  step «"1st"» {\n  }'),
    summary: '"1st" cannot name a step',
    detail: "starts with a letter",
  },
  "two circuits of one name": {
    text: 'circuit "a" {\n  hosts = {}\n}\ncircuit «"a"» {\n  hosts = {}\n}\n',
    summary: 'Second circuit "a"',
    detail: "main.circuit.hcl:1",
  },
  "two steps of one name": {
    text: inCircuit(`  ${goodStep("a")}\n  ${goodStep("a").replace('"a"', '«"a"»')}`),
    summary: 'Second step "a"',
    detail: "main.circuit.hcl:3",
  },
  "two handlers of one name": {
    text: inCircuit(
      `  ${goodStep("a", "notify = [handler.reload]")}\n  ${reload}\n  ${reload.replace('"reload"', '«"reload"»')}`,
    ),
    summary: 'Second handler "reload"',
    detail: "main.circuit.hcl:9",
  },
  "an unknown block at the top": {
    text: '«circiut» "web" {\n}\n',
    summary: 'Unknown block "circiut"',
    detail: 'Did you mean "circuit"?',
  },
  "an argument at the top": {
    text: "«workers» = 4\n",
    summary: 'Argument "workers" outside of a block',
    detail: "locals",
  },
  "a data source of ours": {
    text: '«data "conn3x_facts" "a"» {\n}\n',
    summary: 'There is no data source "conn3x_facts"',
    detail: "Conn3x has no data sources",
  },
  "a check that asserts nothing": {
    text: '«check "a"» {\n}\n',
    summary: 'Check "a" asserts nothing',
    detail: "Add assert {",
  },
  "an unknown argument of a circuit": {
    text: inCircuit("  «depend_on» = []"),
    summary: 'Unknown argument "depend_on"',
    detail: 'Did you mean "depends_on"?',
  },
  "an unknown block of a circuit": {
    text: inCircuit('  «stpe» "a" {\n  }'),
    summary: 'Unknown block "stpe"',
    detail: 'Did you mean "step"?',
  },
  "hosts as a block": {
    text: 'circuit "web" {\n  hosts = {}\n  «hosts» {\n  }\n}\n',
    summary: '"hosts" is an argument',
    detail: "hosts = ….",
  },
  "hosts from a variable that is a list": {
    text: 'circuit "web" {\n  hosts = «var.l»\n}\nvariable "l" {\n  type = list(string)\n}\n',
    summary: '"hosts" is a list',
    detail: "Each host has a name",
  },
  "hosts from a variable that is a set": {
    text: 'circuit "web" {\n  hosts = «var.l»\n}\nvariable "l" {\n  type = set(string)\n}\n',
    summary: '"hosts" is a set',
    detail: "Each host has a name",
  },
  "hosts from a variable with a list as its default": {
    text: 'circuit "web" {\n  hosts = «var.l»\n}\nvariable "l" {\n  default = ["10.0.0.1"]\n}\n',
    summary: '"hosts" is a list',
    detail: "Each host has a name",
  },
  "hosts that are a set": {
    text: 'circuit "web" {\n  hosts = «toset(["10.0.0.1"])»\n}\n',
    summary: '"hosts" is a set',
    detail: "Each host has a name",
  },
  "hosts that are null": {
    text: 'circuit "web" {\n  hosts = «null»\n}\n',
    summary: '"hosts" is not a map',
    detail: "names and addresses",
  },
  "a host that is null": {
    text: 'circuit "web" {\n  hosts = { a = «null» }\n}\n',
    summary: "This is not a host",
    detail: "A host is its address",
  },
  "a host whose address is null": {
    text: 'circuit "web" {\n  hosts = { a = { address = «null» } }\n}\n',
    summary: "This is not an address",
    detail: "It is null.",
  },
  "a host that is empty": {
    text: 'circuit "web" {\n  hosts = { a = «""» }\n}\n',
    summary: "This host has an empty address",
    detail: "Give it one",
  },
  "a host whose address is empty": {
    text: 'circuit "web" {\n  hosts = { a = { address = «""» } }\n}\n',
    summary: "This host has an empty address",
    detail: "Give it one",
  },
  "a step as an argument": {
    text: inCircuit("  «step» = {}"),
    summary: '"step" is a block',
    detail: "step { … }",
  },
  "waiting for a connection, which this version does not have": {
    text: inCircuit("  ssh {\n    «connect_wait» = 3\n  }"),
    summary: '"connect_wait" is not supported by this version',
    detail: "in ssh",
  },
  "a step without a kind": {
    text: inCircuit('  «step "a"» {\n  }'),
    summary: "This step has no kind",
    detail: "file { … }",
  },
  "a step with two kinds": {
    text: step('    file {\n      path = "/a"\n    }\n    «widget» {\n      name = "b"\n    }'),
    summary: "This step has two kinds",
    detail: '"file" comes first',
  },
  "an unknown kind of step": {
    text: step('    «fiel» {\n      path = "/a"\n    }'),
    summary: 'Unknown kind of step "fiel"',
    detail: 'Did you mean "file"?',
  },
  "a kind with a label": {
    text: step('    file «"x"» {\n      path = "/a"\n    }'),
    summary: '"file" takes no name',
    detail: "The step or handler around it has the name",
  },
  "a kind as an argument": {
    text: step('    widget {\n      name = "a"\n    }\n    «file» = { path = "/a" }'),
    summary: 'Unknown argument "file"',
    detail: "file { … }",
  },
  "count in a step": {
    text: step('    «count» = 2\n    file {\n      path = "/a"\n    }'),
    summary: 'Unknown argument "count"',
    detail: "use for_each",
  },
  "a setting of the kind beside it": {
    text: step('    «mode» = "0644"\n    file {\n      path = "/a"\n    }'),
    summary: 'Unknown argument "mode"',
    detail: "move it into the kind's block",
  },
  "an unknown kind of handler": {
    text: inCircuit(
      `  ${goodStep("a", "notify = [handler.h]")}\n  handler "h" {\n    «servce» {\n    }\n  }`,
    ),
    summary: 'Unknown kind of handler "servce"',
    detail: 'Did you mean "service"?',
  },
  "depends_on in a handler": {
    text: inCircuit(
      `  ${goodStep("a", "notify = [handler.reload]")}\n  ${reload.replace("service {", "«depends_on» = []\n    service {")}`,
    ),
    summary: 'Unknown argument "depends_on"',
    detail: "runs after all steps",
  },
  "triggers in a handler": {
    text: inCircuit(
      `  ${goodStep("a", "notify = [handler.reload]")}\n  ${reload.replace("name =", "«triggers» = []\n      name =")}`,
    ),
    summary: '"triggers" does not go here',
    detail: "triggered by the steps that notify it",
  },
  "an unknown setting": {
    text: file('      path = "/a"\n      «contnet» = "x"'),
    summary: 'Unknown setting "contnet"',
    detail: 'Did you mean "content"?',
  },
  "a setting that is computed": {
    text: file('      path = "/a"\n      «sha256» = "x"'),
    summary: '"sha256" cannot be set',
    detail: "Remove it",
  },
  "a missing required setting": {
    text: step("    «file» {\n    }"),
    summary: '"file" needs "path"',
    detail: "Absolute path.",
  },
  "two settings that exclude each other": {
    text: file('      path = "/a"\n      content = "x"\n      «content_base64» = "eA=="'),
    summary: '"content_base64" and "content" exclude each other',
    detail: "only one",
  },
  "a login inside the kind": {
    text: file('      path = "/a"\n      «ssh» {\n      }'),
    summary: '"ssh" does not go here',
    detail: "beside this block",
  },
  "a setting missing in a block of the kind": {
    text: step('    widget {\n      name = "a"\n      «limits» {\n      }\n    }'),
    summary: '"limits" needs "soft"',
    detail: "Soft limit.",
  },
  "a second block of the kind": {
    text: step(
      '    widget {\n      name = "a"\n      limits {\n        soft = "1"\n      }\n      «limits» {\n        soft = "2"\n      }\n    }',
    ),
    summary: 'Second "limits" block',
    detail: "Merge them",
  },
  "a block of the kind as an argument": {
    text: step('    widget {\n      name = "a"\n      «limits» = {}\n    }'),
    summary: '"limits" is a block',
    detail: "limits { … }",
  },
  "on_remove where nothing can be removed": {
    text: step('    «on_remove» = "keep"\n    widget {\n      name = "a"\n    }'),
    summary: '"on_remove" means nothing for "widget"',
    detail: "Remove the argument",
  },
  "on_remove in both places": {
    text: step('    on_remove = "keep"\n    file {\n      path = "/a"\n      «on_remove» = "keep"\n    }'),
    summary: '"on_remove" is given twice',
    detail: "Remove it here",
  },
  "a list for for_each": {
    text: step('    for_each = «["a"]»\n    file {\n      path = "/a"\n    }'),
    summary: '"for_each" is a list',
    detail: "toset(…)",
  },
  "a list by its type for for_each": {
    text: `${step('    for_each = «var.names»\n    file {\n      path = "/a"\n    }')}variable "names" {\n  type = list(string)\n}\n`,
    summary: '"for_each" is a list',
    detail: "toset(…)",
  },
  "a list through a local value for for_each": {
    text: `${step('    for_each = «local.names»\n    file {\n      path = "/a"\n    }')}locals {\n  names = [for n in ["a"] : n]\n}\n`,
    summary: '"for_each" is a list',
    detail: "toset(…)",
  },
  "a list of hosts": {
    text: 'circuit "web" {\n  hosts = «["10.0.0.1"]»\n}\n',
    summary: '"hosts" is a list',
    detail: "Each host has a name",
  },
  "hosts that are one address": {
    text: 'circuit "web" {\n  hosts = «"10.0.0.1"»\n}\n',
    summary: '"hosts" is not a map',
    detail: "names and addresses",
  },
  "each in for_each": {
    text: step('    for_each = toset([«each.key»])\n    file {\n      path = "/a"\n    }'),
    summary: '"each" cannot be used in for_each',
    detail: "is host",
  },
  "notify that is no list": {
    text: inCircuit(`  ${goodStep("a", "notify = «handler.reload»")}\n  ${reload}`),
    summary: '"notify" is not a list',
    detail: "notify = [handler.reload]",
  },
  "notify of something else": {
    text: inCircuit(
      `  ${goodStep("a", "notify = [handler.reload, «var.x»]")}\n  ${reload}\n}\nvariable "x" {`,
    ),
    summary: '"notify" holds something that is not a handler',
    detail: "handler.reload",
  },
  "an unknown handler": {
    text: inCircuit(`  ${goodStep("a", "notify = [«handler.relaod»]")}\n  ${reload}`),
    summary: 'Unknown handler "relaod"',
    detail: 'Did you mean "reload"?',
  },
  "an unknown handler as a string": {
    text: inCircuit(`  ${goodStep("a", 'notify = [«"x"»]')}`),
    summary: 'Unknown handler "x"',
    detail: "There are none.",
  },
  "a handler notified twice": {
    text: inCircuit(`  ${goodStep("a", 'notify = [handler.reload, «"reload"»]')}\n  ${reload}`),
    summary: 'Handler "reload" is notified twice',
    detail: "runs once",
    severity: "warning",
  },
  "a handler that nothing notifies": {
    text: inCircuit(`  ${goodStep("a")}\n  ${reload.replace('"reload"', '«"reload"»')}`),
    summary: 'Nothing notifies handler "reload"',
    detail: "notify = [handler.reload]",
    severity: "warning",
  },
  "a handler used as a value": {
    text: file('      path = "/${«handler.reload».name}"'),
    summary: '"handler" is only for notify',
    detail: "no values",
  },
  "a circuit used as a value": {
    text: file('      path = "/${«circuit.web».name}"'),
    summary: '"circuit" is only for depends_on',
    detail: "one of its resources",
  },
  "an unknown step": {
    text: inCircuit(
      `  ${goodStep("config")}\n  step "b" {\n    file {\n      path = step.«cnofig».path\n    }\n  }`,
    ),
    summary: 'Unknown step "cnofig"',
    detail: 'Did you mean "config"?',
  },
  "a later step": {
    text: inCircuit(
      `  step "b" {\n    file {\n      path = step.«config».path\n    }\n  }\n  ${goodStep("config")}`,
    ),
    summary: 'Step "config" comes later',
    detail: 'Step "b" may refer to earlier steps only',
  },
  "the step itself": {
    text: file("      path = step.«a».path"),
    summary: 'Step "a" refers to itself',
    detail: "earlier steps only",
  },
  "step alone": {
    text: file("      path = keys(«step»)[0]"),
    summary: '"step" alone means nothing',
    detail: "step.config",
  },
  "an unknown attribute of the host": {
    text: file("      path = host.«adress»"),
    summary: 'Unknown attribute "adress" of host',
    detail: 'Did you mean "address"?',
  },
  "a for variable that hides each": {
    text: file('      path = join("", [for each in ["a"] : «host».name])'),
    summary: '"host" cannot be used here',
    detail: 'a variable named "each"',
  },
  "a host's name with a slash": {
    text: 'circuit "web" {\n  hosts = { «"a/b"» = "10.0.0.1" }\n}\n',
    summary: '"a/b" cannot name a host',
    detail: "letters, digits, dots, underscores and dashes",
  },
  "a host listed twice": {
    text: 'circuit "web" {\n  hosts = { a = "10.0.0.1", «a» = "10.0.0.2" }\n}\n',
    summary: 'Second host "a"',
    detail: "only once",
  },
  "a host without an address": {
    text: 'circuit "web" {\n  hosts = { a = «{ port = 22 }» }\n}\n',
    summary: "This host has no address",
    detail: 'address = "10.0.1.5"',
  },
  "a host that is a number": {
    text: 'circuit "web" {\n  hosts = { a = «22» }\n}\n',
    summary: "This is not a host",
    detail: "its address",
  },
  "an unknown setting of a host": {
    text: 'circuit "web" {\n  hosts = { a = { address = "10.0.0.1", «prot» = 22 } }\n}\n',
    summary: 'Unknown setting "prot"',
    detail: 'Did you mean "port"?',
  },
  "a step's name in hosts": {
    text: 'circuit "web" {\n  hosts = { a = "${«step».x.id}" }\n}\n',
    summary: '"step" cannot be used in hosts',
    detail: "only inside the steps",
  },
  "an unknown login setting": {
    text: inCircuit('  ssh {\n    «usr» = "a"\n  }'),
    summary: 'Unknown argument "usr"',
    detail: 'Did you mean "user"?',
  },
  "an unknown login setting in an object": {
    text: inCircuit('  ssh = { «usr» = "a" }'),
    summary: 'Unknown setting "usr"',
    detail: 'Did you mean "user"?',
  },
  "an address for all hosts": {
    text: inCircuit('  ssh {\n    «address» = "a"\n  }'),
    summary: 'Unknown argument "address"',
    detail: "given in the circuit's hosts",
  },
  "ssh as a block and an argument": {
    text: inCircuit('  ssh = { user = "a" }\n  «ssh» {\n  }'),
    summary: '"ssh" is given twice',
    detail: "not both",
  },
  "two ssh blocks": {
    text: inCircuit("  ssh {\n  }\n  «ssh» {\n  }"),
    summary: 'Second "ssh" block',
    detail: "only one in a circuit",
  },
  "depends_on that is no list": {
    text: inCircuit("  depends_on = «circuit.web»"),
    summary: '"depends_on" is not a list',
    detail: "depends_on = [ … ]",
  },
  "depends_on of a string": {
    text: inCircuit('  depends_on = [«"circuit.web"»]'),
    summary: '"depends_on" holds something that is not a reference',
    detail: "without quotes",
  },
  "depends_on of an unknown circuit": {
    text: `${inCircuit("  depends_on = [«circuit.bse»]")}circuit "base" {\n  hosts = {}\n}\n`,
    summary: 'Unknown circuit "bse"',
    detail: 'Did you mean "base"?',
  },
  "depends_on of a handler": {
    text: inCircuit(
      `  ${goodStep("a", "notify = [handler.reload]\ndepends_on = [«handler.reload»]")}\n  ${reload}`,
    ),
    summary: "A handler cannot be waited for by a step",
    detail: "second circuit",
  },
  "depends_on of a later step": {
    text: inCircuit(`  ${goodStep("a", "depends_on = [«step.b»]")}\n  ${goodStep("b")}`),
    summary: '"step.b" cannot be waited for here',
    detail: "earlier steps",
  },
  "a circuit that waits for itself": {
    text: inCircuit("  depends_on = [«circuit.web»]"),
    summary: "Circuits depend on each other in a circle",
    detail: 'Circuit "web" cannot wait for itself',
  },
  "circuits that wait for each other": {
    text: 'circuit "a" {\n  hosts = {}\n  depends_on = [circuit.b]\n}\ncircuit "b" {\n  hosts = {}\n  depends_on = [«circuit.a»]\n}\n',
    summary: "Circuits depend on each other in a circle",
    detail: "a → b → a",
  },
  "a reference to a later step by its compiled name": {
    text: inCircuit(
      `  step "a" {\n    file {\n      path = «conn3x_file.web__b»[host.name].path\n    }\n  }\n  ${goodStep("b")}`,
    ),
    summary: "These need each other in a circle",
    detail: "conn3x_file.web__a needs conn3x_file.web__b needs conn3x_file.web__a",
  },
  "local values in a circle": {
    text: "locals {\n  a = «local.b»\n  b = local.a\n}\n",
    summary: "These need each other in a circle",
    detail: "local.a needs local.b needs local.a",
  },
  "a local value with the name of the compiler's": {
    text: `${inCircuit("")}locals {\n  «conn3x_web_hosts» = {}\n}\n`,
    summary: 'Second local value "conn3x_web_hosts"',
    detail: "main.circuit.hcl:2",
  },
  "a resource with the name of a step's": {
    text: `${inCircuit(`  ${goodStep("a")}`)}«resource "conn3x_file" "web__a"» {\n  path = "/x"\n}\n`,
    summary: 'Second resource "conn3x_file.web__a"',
    detail: "main.circuit.hcl:3",
  },
  "an unknown type of resource": {
    text: 'resource «"conn3x_fiel"» "a" {\n}\n',
    summary: 'Unknown resource type "conn3x_fiel"',
    detail: 'Did you mean "conn3x_file"?',
  },
  "a variable that is not declared": {
    text: `${file("      path = «var.paht»")}variable "path" {\n}\n`,
    summary: 'There is no variable "paht"',
    detail: 'Did you mean "path"?',
  },
  "a local value that is not declared, in the login of all steps": {
    text: inCircuit(`  ssh {\n    user = «local.user»\n  }\n  ${goodStep("a")}\n  ${goodStep("b")}`),
    summary: 'There is no local value "user"',
    detail: "There are none.",
  },
  "a resource that is not declared": {
    text: file('      path = «conn3x_file.web__b»["web1"].path'),
    summary: 'There is no conn3x_file "web__b"',
    detail: 'Did you mean "web__a"?',
  },
  "an attribute that the kind of an earlier step does not have": {
    text: inCircuit(
      `  ${goodStep("a")}\n  step "b" {\n    file {\n      path = step.a.«revison»\n    }\n  }`,
    ),
    summary: 'Unknown attribute "revison" of conn3x_file.web__a',
    detail: 'Did you mean "revision"?',
  },
  "an attribute that an earlier step with keys does not have": {
    text: inCircuit(
      `  ${goodStep("a", '    for_each = toset(["x"])')}\n  step "b" {\n    file {\n      path = step.a["x"].«pth»\n    }\n  }`,
    ),
    summary: 'Unknown attribute "pth" of conn3x_file.web__a',
    detail: 'Did you mean "path"?',
  },
  "a compiled name without a host": {
    text: `${inCircuit(`  ${goodStep("a")}`)}output "x" {\n  value = «conn3x_file.web__a.path»\n}\n`,
    summary: "conn3x_file.web__a needs an instance's key",
    detail: "conn3x_file.web__a[host.name].path",
  },
  "a key where there is one instance": {
    text: 'resource "conn3x_file" "x" {\n  path = "/x"\n}\noutput "x" {\n  value = conn3x_file.x[«"a"»].path\n}\n',
    summary: "conn3x_file.x has no instances to choose from",
    detail: "Remove the brackets",
  },
  "an unknown argument of lifecycle": {
    text: step('    lifecycle {\n      «ignore_change» = []\n    }\n    file {\n      path = "/a"\n    }'),
    summary: 'Unknown argument "ignore_change"',
    detail: 'Did you mean "ignore_changes"?',
  },
  "an unknown block of a resource's lifecycle": {
    text: 'resource "conn3x_file" "x" {\n  path = "/x"\n  lifecycle {\n    «precondtion» {\n    }\n  }\n}\n',
    summary: 'Unknown block "precondtion"',
    detail: 'Did you mean "precondition"?',
  },
  "a misspelt required setting, which is not missing as well": {
    text: file('      «pth» = "/a"'),
    summary: 'Unknown setting "pth"',
    detail: 'Did you mean "path"?',
  },
  "a misspelt address, which is not missing as well": {
    text: 'circuit "web" {\n  hosts = { a = { «adress» = "10.0.0.1" } }\n}\n',
    summary: 'Unknown setting "adress"',
    detail: 'in a host. Did you mean "address"?',
  },
  "an output without a value": {
    text: '«output "x"» {\n}\n',
    summary: '"output" needs "value"',
    detail: "value = …",
  },
  "an unknown argument of a variable": {
    text: 'variable "x" {\n  «defualt» = 1\n}\n',
    summary: 'Unknown argument "defualt"',
    detail: 'Did you mean "default"?',
  },
};

testErrors("errors of circuits", cases);

describe("several errors at once", () => {
  const summaries = (...texts: readonly string[]) =>
    compileFiles(
      texts.map((text, at) => new SourceFile(`${at}.circuit.hcl`, text)),
      { directory: ".", kinds: testKinds },
    ).diagnostics.map(({ summary }) => summary);

  it("names that are not declared are missed whatever else is wrong", () => {
    const text = inCircuit(
      '  step "a" {\n    file {\n      path = var.x\n      mod  = "1"\n    }\n  }\n  step "b" {\n  }',
    );
    expect(summaries(text)).toEqual([
      'There is no variable "x"',
      'Unknown setting "mod"',
      "This step has no kind",
    ]);
  });

  it("but not where what was not understood may declare them", () => {
    const uses = inCircuit(
      `  ${goodStep("a", "when = var.x && conn3x_file.web__b[host.name].path != null")}`,
    );
    expect(summaries(`varible "x" {\n}\n${uses}`)).toEqual(['Unknown block "varible"']);
    const text = `variable "x" {\n}\n${uses.replace(/\}\n$/, '  step "b" {\n    fil {\n    }\n  }\n}\n')}`;
    expect(summaries(text)).toEqual(['Unknown kind of step "fil"']);
  });

  it("a file that cannot be understood does not hide what is wrong in the others", () => {
    const other = `circuit "two" {\n  hosts = { a = "b" }\n  depends_on = [circuit.three]\n  ${goodStep("a", "when = var.y")}\n  nonsense = 1\n}\n`;
    expect(summaries('variable "y" {\n', other)).toEqual([
      expect.stringContaining("brace"),
      'Unknown argument "nonsense"',
    ]);
  });
});

describe("names that are no line", () => {
  it.each([
    ['circuit "a\\nb" {\n}\n', '"a\\nb" cannot name a circuit'],
    ['circuit "a" {\n  hosts = { "x\\u001b[2J" = "h" }\n}\n', '"x\\u001b[2J" cannot name a host'],
    ['circuit "a" {\n  hosts = { x = { address = "h", "po\\nrt" = 1 } }\n}\n', 'Unknown setting "po\\nrt"'],
    ['resource "conn3x_a\\nb" "x" {\n}\n', 'Unknown resource type "conn3x_a\\nb"'],
  ])("%j", (text, summary) => {
    const { diagnostics } = diagnose(text);
    expect(diagnostics.map((diagnostic) => diagnostic.summary)).toEqual([summary]);
    expect(JSON.stringify(diagnostics.map(({ detail }) => detail))).not.toMatch(/\\[nu]/);
  });
});

describe("errors of a file", () => {
  it("reports only the syntax errors of a broken file", () => {
    const { diagnostics } = compileText('circuit "web" {\n  hosts = [\n  step "a" {\n  }\n}\n');
    expect(diagnostics.length).toBeGreaterThan(0);
    expect(diagnostics.map((diagnostic) => diagnostic.summary)).not.toContain("This step has no kind");
  });

  it("reports all errors of a file, in its order", () => {
    const { diagnostics } = compileText(inCircuit('  step "a" {\n  }\n  step "b" {\n    fiel {\n    }\n  }'));
    expect(diagnostics.map((diagnostic) => diagnostic.summary)).toEqual([
      "This step has no kind",
      'Unknown kind of step "fiel"',
    ]);
  });
});
