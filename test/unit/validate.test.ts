/**
 * What `conn3x validate` says of values: as much as can be known, each thing once, where it is written.
 */
import { describe, expect, it } from "vitest";
import { compileFiles } from "../../src/compiler/testing/compile-files.ts";
import { createProvider } from "../../src/core/create-provider.ts";
import type { Diagnostic } from "../../src/diagnostics/diagnostic.ts";
import { SourceFile } from "../../src/diagnostics/source.ts";
import type { VariableInput } from "../../src/engine/evaluate/variables/variable-input.ts";
import { validateConfiguration } from "../../src/engine/validate.ts";
import { kinds } from "../../src/resources/index.ts";
import { createSessionPool } from "../../src/ssh/session-pool.ts";

interface Found {
  readonly text: readonly Diagnostic[];
  readonly values: readonly Diagnostic[];
}

function validate(text: string, inputs: Readonly<Record<string, string>> = {}): Found {
  const configuration = compileFiles([new SourceFile("main.circuit.hcl", text)], { directory: ".", kinds });
  const variables = Object.entries(inputs).map(
    ([name, value]): VariableInput => ({ name, text: value, form: "expression", source: "-var-file" }),
  );
  const provider = createProvider({ sessions: createSessionPool() });
  return {
    text: configuration.diagnostics,
    values: validateConfiguration({ configuration, provider, variables }),
  };
}

/** `SUMMARY | DETAIL | HOST | what is underlined`, the parts that there are. */
const lines = (found: readonly Diagnostic[]): readonly string[] =>
  found.map(({ summary, detail, host, range }) =>
    [summary, detail, host, range?.file.text.slice(range.start, range.end)]
      .filter((part) => part !== undefined)
      .join(" | "),
  );

const step = 'step "a" {\n    file {\n      path    = "/a"\n      content = "x"\n    }\n  }';
const circuit = (hosts: string, more = "") => `circuit "web" {\n  hosts = ${hosts}\n${more}\n  ${step}\n}\n`;

const unknownPort =
  'Unknown setting "prt" | There is no setting of that name in a host. Did you mean "port"? | web1 | ';

describe("misspelt settings of hosts", () => {
  it.each([
    [
      "of a variable's default",
      'variable "fleet" {\n  default = { web1 = { address = "a", prt = 1 } }\n}\n',
      "var.fleet",
      "var.fleet",
    ],
    [
      "of a local value, where it is written",
      'locals {\n  fleet = { web1 = { address = "a", prt = 1 } }\n}\n',
      "local.fleet",
      "prt",
    ],
    [
      "of a merge",
      'locals {\n  a = { web1 = { address = "a", prt = 1 } }\n}\n',
      'merge({ web2 = "b" }, local.a)',
      "prt",
    ],
    [
      "that a for makes",
      'locals {\n  a = { web1 = "a" }\n}\n',
      "{ for k, v in local.a : k => merge({ address = v }, { prt = 1 }) }",
      undefined,
    ],
    [
      "that the type of a variable has",
      'variable "fleet" {\n  type    = map(object({ address = string, prt = optional(number) }))\n  default = { web1 = { address = "a", prt = 1 } }\n}\n',
      "var.fleet",
      "var.fleet",
    ],
  ])("%s", (_, before, hosts, place) => {
    const { text, values } = validate(before + circuit(hosts));
    expect(text).toEqual([]);
    expect(lines(values)).toEqual([unknownPort + (place ?? hosts)]);
  });

  it("is said of a value that is given, though the variable's type drops it", () => {
    const text = `variable "fleet" {\n  type = map(object({ address = string, port = optional(number) }))\n}\n${circuit("var.fleet")}`;
    const found = validate(text, {
      fleet:
        '{ web1 = { address = "a", prt = 1 }, web2 = { address = "b", user = "x" }, web3 = { address = "c", rack = 7 } }',
    });
    expect(lines(found.values)).toEqual([
      'Unknown setting "prt" | There is no setting of that name in a host, and the type of the variable that it comes from drops it. Did you mean "port"? | web1 | var.fleet',
      '"user" is lost on the way | The type of the variable that it comes from has no such attribute, and drops it. Add it to the type: user = optional(…). | web2 | var.fleet',
    ]);
  });

  it("is not said of what is not known", () => {
    const text = `variable "fleet" {\n}\nresource "aws_instance" "m" {\n}\n`;
    expect(validate(text + circuit("var.fleet")).values).toEqual([]);
    expect(
      validate(text + circuit("{ web1 = aws_instance.m.tags, web2 = { address = aws_instance.m.ip } }"))
        .values,
    ).toEqual([]);
  });
});

describe("values of hosts", () => {
  const ofShells = "must be without quotes, brackets and other characters that mean something to a shell.";

  it("point to the host, each of them, and name it; so do those of ssh and of steps at their own places", () => {
    const hosts =
      '{ a = { address = "x", port = 0 }, b = { address = "y", become = "maybe" }, c = { address = "u@z", connect_timeout = -3 }, d = "h:22", e = "a$(id)", f = { address = "x", user = "a;id" } }';
    const { text, values } = validate(circuit(hosts, "  ssh {\n    keepalive = -1\n  }"));
    expect(text).toEqual([]);
    expect(lines(values)).toEqual([
      "Invalid value | port must be a whole number from 1 to 65535, not 0. | a | 0",
      '"become" has a value of the wrong type | For "become": a bool is required. | b | "maybe"',
      'Invalid value | address must be without a user: set user, and address to "z". | c | "u@z"',
      "Invalid value | connect_timeout must not be negative: it is a number of seconds. | c | -3",
      'Invalid value | address must be without a port: set port = 22, and address to "h". | d | "h:22"',
      `Invalid value | address ${ofShells} | e | "a$(id)"`,
      `Invalid value | user ${ofShells} | f | "a;id"`,
      "Invalid value | ssh.keepalive must not be negative: it is a number of seconds.\n\nThe same on 5 more hosts: b, c, d, e, f. | a | -1",
    ]);
  });

  it("those of ssh point to their own setting, though hosts may have it as well", () => {
    const hosts = '{ a = { address = "x", port = 22 }, b = "y" }';
    expect(lines(validate(circuit(hosts, '  ssh {\n    user = "u"\n    port = 0\n  }')).values)).toEqual([
      "Invalid value | ssh.port must be a whole number from 1 to 65535, not 0. | b | 0",
    ]);
  });

  it("include those of hosts on the way", () => {
    const hosts =
      '{ for n in ["a"] : n => { address = "x", bastion = [merge({ address = "y", port = 0, usr = "z" }, {})] } }';
    expect(lines(validate(circuit(hosts)).values).map((line) => line.split(" | ").slice(0, 3))).toEqual([
      ["Invalid value", "bastion[0].port must be a whole number from 1 to 65535, not 0.", "a"],
      ['Unknown setting "usr"', 'There is no setting of that name in a bastion. Did you mean "user"?', "a"],
    ]);
  });

  it("are told apart where hosts of two circuits have the same name", () => {
    const one = circuit('{ a = { address = "x", port = 0 } }');
    const two = one.replace('"web"', '"two"');
    expect(validate(one + two).values).toHaveLength(2);
  });

  it("do not show what is sensitive", () => {
    const text = `variable "port" {\n  sensitive = true\n  default   = 99999\n}\n${circuit('{ a = { address = "x", port = var.port } }')}`;
    const found = lines(validate(text).values);
    expect(found).toEqual(["Invalid value | port must be a whole number from 1 to 65535. | a | var.port"]);
  });

  it.each([
    ['{ for n in ["a b"] : n => "x" }', '"a b" cannot name a host'],
    ['merge({ "a\\nb" = "x" }, {})', '"a\\nb" cannot name a host'],
    ['{ for n in ["a"] : n => 5 }', "This is not a host"],
    ['{ for n in ["a"] : n => null }', "This is not a host"],
    ['{ for n in ["a"] : n => merge({ port = 1 }, {}) }', "This host has no address"],
    ['{ for n in ["a"] : n => merge({ address = "" }, {}) }', "This host has an empty address"],
    ['{ for n in ["a"] : n => merge({ address = [] }, {}) }', "This is not an address"],
    ['{ for n in ["a"] : n => merge({ address = null }, {}) }', "This host has no address"],
    ['{ for n in ["a"] : n => merge({ address = "x", bastion = [{}] }, {}) }', "This bastion has no address"],
    ['{ for n in ["a"] : n => merge({ address = "x", bastion = 5 }, {}) }', '"bastion" is number'],
    [
      '{ for n in ["a"] : n => merge({ address = "x", proxy_command = "y", proxy_jump = "z" }, {}) }',
      '"proxy_command" and "proxy_jump" exclude each other',
    ],
  ])("%s: %s", (hosts, summary) => {
    const { text, values } = validate(circuit(hosts));
    expect([...text, ...values].map((problem) => problem.summary)).toEqual([summary]);
  });
});

describe("what is not known here", () => {
  const others =
    'resource "terraform_data" "d" {\n}\ndata "aws_ami" "x" {\n}\nmodule "net" {\n  source = "example/net/aws"\n}\n';

  it("keeps nothing else from being looked at", () => {
    const text = `${others}locals {\n  ip = data.aws_ami.x.id\n}\ncircuit "web" {
  hosts = { a = terraform_data.d.output, b = { address = local.ip, port = 0 }, c = module.net.ip }
  step "a" {
    file {
      path    = "relative"
      content = "\${data.aws_ami.x.id} \${module.net["a"].x} \${terraform_data.d.output[0]}"
      mode    = "9"
    }
  }
}\n`;
    const { text: ofText, values } = validate(text);
    expect(ofText).toEqual([]);
    expect(lines(values).map((line) => line.split("\n")[0])).toEqual([
      "Invalid value | port must be a whole number from 1 to 65535, not 0. | b | 0",
      'Invalid value | path must be an absolute path, and "relative" does not start with "/".',
      'Invalid value | mode must be octal permission bits such as "0644", not "9".',
    ]);
  });

  it("includes hosts of which nothing is known: a step is looked at once", () => {
    const text = `${others}${circuit("{ for k, v in terraform_data.d.output : k => v }").replace('"/a"', '"a"')}`;
    expect(lines(validate(text).values)).toEqual([
      'Invalid value | path must be an absolute path, and "a" does not start with "/". | "a"',
    ]);
  });

  it("includes circuits without hosts", () => {
    expect(validate(circuit("{}").replace('"/a"', '"a"')).values).toHaveLength(1);
  });
});

describe("a null that shows when it is known", () => {
  const onOther = (value: string) =>
    `variable "other" {\n  default = ${value}\n}\n${circuit('{ a = { address = "x" }, b = "y" }').replace("file {", "file {\n      on_remove = null").replace('step "a" {', 'step "a" {\n    run_on = var.other')}`;

  it.each(["null", '"b"', '{ address = "z" }'])("run_on = %s", (value) => {
    expect(lines(validate(onOther(value)).values)).toEqual([]);
  });

  it("is not a name that is none", () => {
    expect(validate(onOther('"c"')).values).toHaveLength(1);
  });
});

describe("beside errors of the text", () => {
  it("values are looked at that do not depend on them", () => {
    const text = `circuit "web" {
  hosts = { a = { address = "x", port = 0, usr = "y" } }
  step "a" {
    file {
      path    = "a"
      contnt  = "x"
      mode    = var.missing
    }
    notify = [handler.nope]
  }
  step "b" {
    fil {
      path = "b"
    }
  }
  step "c" {
    file {
      content = step.b.content
      mode    = "9"
    }
  }
}
circuit "none" {
  ${step.replace('"/a"', '"none"')}
}
`;
    const found = validate(text);
    expect(found.text.map(({ summary }) => summary)).toEqual([
      'Unknown setting "usr"',
      'Unknown setting "contnt"',
      'There is no variable "missing"',
      'Unknown handler "nope"',
      'Unknown kind of step "fil"',
      '"file" needs "path"',
      'Circuit "none" has no hosts',
    ]);
    expect(lines(found.values).map((line) => line.split(" | ")[1])).toEqual([
      "port must be a whole number from 1 to 65535, not 0.",
      'path must be an absolute path, and "a" does not start with "/".',
      'mode must be octal permission bits such as "0644", not "9".',
      'path must be an absolute path, and "none" does not start with "/".',
    ]);
  });

  it("circles of locals and steps are no endless ones", () => {
    const text = `locals {\n  a = local.b\n  b = local.a\n}\n${circuit('{ x = "y" }').replace('"x"\n', "local.a\n").replace('"/a"', '"a"')}`;
    const found = validate(text);
    expect(found.text.map(({ summary }) => summary)).toEqual(["These need each other in a circle"]);
    expect(found.values).toHaveLength(1);
  });
});

describe("how a circuit goes through its hosts, and how often a step is tried", () => {
  const settings = (values: string) => `${values}
circuit "web" {
  hosts = { web1 = "a" }
  rollout {
    batch        = var.batch
    max_failures = var.failures
    pause        = var.pause
  }
  step "a" {
    directory {
      path = "/a"
    }
    ignore_errors = var.ignored
    retries {
      attempts = var.attempts
      interval = var.interval
    }
  }
}
`;
  const names = ["batch", "failures", "pause", "ignored", "attempts", "interval"];
  const variables = (defaults: readonly string[]) =>
    names.map((name, at) => `variable "${name}" {\n${defaults[at] ?? ""}\n}\n`).join("");

  it("is looked at where it comes from variables", () => {
    const wrong = ['"x"', "-1", '"3 days"', '"maybe"', "0", "[]"].map((value) => `  default = ${value}`);
    const { text, values } = validate(settings(variables(wrong)));
    expect(text).toEqual([]);
    const hosts = 'It must be a number of hosts, or a share of them such as "25%".';
    expect(lines(values)).toEqual([
      `This cannot be how a circuit goes through its hosts | ${hosts} | var.batch`,
      `This cannot be how a circuit goes through its hosts | ${hosts} | var.failures`,
      'This is not a time | It must be a time such as "500ms", "30s", "5m" or "1h". | var.pause',
      "This is not a number of attempts | It must be a whole number, at least 1. | var.attempts",
      'This is not a time | It must be a time such as "500ms", "30s", "5m" or "1h". | var.interval',
      '"ignore_errors" is neither true nor false | It must be one of these, and known when the step is done. | var.ignored',
    ]);
  });

  it("is not missed where it is not known", () => {
    expect(validate(settings(variables([])))).toEqual({ text: [], values: [] });
  });
});

describe("settings of the provider", () => {
  it("are told where they are written", () => {
    const text = `provider "conn3x" {
  ssh {
    port = 99999
    bastion {
      address = "a"
    }
    bastion {
      address = "b"
      port    = 0
    }
  }
}
`;
    expect(lines(validate(text).values)).toEqual([
      "Invalid value | ssh.port must be a whole number from 1 to 65535, not 99999. | 99999",
      "Invalid value | ssh.bastion[1].port must be a whole number from 1 to 65535, not 0. | 0",
    ]);
  });
});

describe("steps of one object", () => {
  const file = (name: string, content: string, more = "") =>
    `  step "${name}" {\n    file {\n      path    = "/a"\n      content = ${content}\n    }\n${more}  }\n`;
  const circuits = (first: string, second: string, hosts = '{ db1 = "10.0.0.1" }') =>
    `variable "v" {\n  type = string\n}\ncircuit "web" {\n  hosts = { web1 = "10.0.0.1" }\n${first}}\ncircuit "db" {\n  hosts = ${hosts}\n${second}}\n`;

  it("that want it differently are told of, in one circuit or in two", () => {
    // A circuit with one step is 10 lines long, after 3 of a variable.
    const detail = (first: string, second: string, line: number) =>
      `${first} (main.circuit.hcl:6) and ${second} (main.circuit.hcl:${line}) both manage /a on 10.0.0.1, and want another content: each would undo what the other did. Leave it to one of them.`;
    const beside = circuits(file("a", '"x"') + file("b", '"y"'), "", "{}");
    expect(lines(validate(beside).values)).toEqual([
      expect.stringContaining(detail('conn3x_file.web__a["web1"]', 'conn3x_file.web__b["web1"]', 12)),
    ]);
    const apart = circuits(file("a", '"x"'), file("b", '"y"'));
    expect(lines(validate(apart).values)).toEqual([
      expect.stringContaining(detail('conn3x_file.web__a["web1"]', 'conn3x_file.db__b["db1"]', 15)),
    ]);
  });

  it.each([
    ["that agree", file("a", '"x"'), file("b", '"x"'), undefined],
    ["of different hosts", file("a", '"x"'), file("b", '"y"'), '{ db1 = "10.0.0.2" }'],
    ["of hosts that are not known", file("a", '"x"'), file("b", '"y"'), "{ db1 = var.v }"],
    [
      "of which one may be skipped",
      file("a", '"x"'),
      file("b", '"y"', '    when = var.v == "x"\n'),
      undefined,
    ],
    ["with a value that is not known", file("a", '"x"'), file("b", "var.v"), undefined],
  ])("%s are fine", (_, first, second, hosts) => {
    expect(validate(circuits(first, second, hosts)).values).toEqual([]);
  });
});

describe("steps of one path", () => {
  const circuit = (...steps: string[]) =>
    `circuit "web" {\n  hosts = { web1 = "10.0.0.1" }\n${steps.map((body, i) => `step "s${i}" {\n${body}\n}\n`).join("")}}\n`;
  const file = 'file {\n path = "/srv/x"\n content = ""\n}';
  const link = 'link {\n path = "/srv/x"\n target = "/srv/y"\n}';

  it.each([
    ["a file", "a directory", file, 'directory {\n path = "/srv/x"\n}'],
    ["a directory", "a file", 'directory {\n path = "/srv/x"\n}', 'line {\n path = "/srv/x"\n line = "x"\n}'],
    ["a file", "a symbolic link", file, link],
  ])("one that wants %s and one that wants %s are told of", (one, other, first, second) => {
    expect(lines(validate(circuit(first, second)).values)).toEqual([
      expect.stringMatching(
        new RegExp(
          `^One path cannot be two things \\| On 10.0.0.1, .*s0\\["web1"\\] \\(main.circuit.hcl:\\d+\\) wants /srv/x to be ${one}, and .*s1\\["web1"\\] \\(main.circuit.hcl:\\d+\\) wants it to be ${other}\\.`,
        ),
      ),
    ]);
  });

  it("are fine where a file is written through a link that is made before it, and where they edit one file", () => {
    const through = file.replace(/\}$/, " follow = true\n}");
    expect(validate(circuit(link, through)).values).toEqual([]);
    const line = (text: string) => `line {\n path = "/srv/x"\n line = "${text}"\n}`;
    expect(validate(circuit(line("x"), line("y"))).values).toEqual([]);
  });

  it("are not where one writes the whole file and another changes a line of it", () => {
    const line = 'line {\n path = "/srv//x"\n line = "not in it"\n}';
    expect(validate(circuit(file, line)).values).toMatchObject([{ summary: "One file has two contents" }]);
  });
});

describe("long chains of local values", () => {
  const chain = (name: string, first: string) =>
    Array.from({ length: 12_000 }, (_, at) =>
      at === 0 ? `  ${name}0 = ${first}` : `  ${name}${at} = local.${name}${at - 1}`,
    ).join("\n");

  it("have a value, whatever they are for", () => {
    const text = `locals {\n${chain("h", '{ web1 = "a" }')}\n${chain("k", 'toset(["x"])')}\n${chain("t", '"x"')}\n}
circuit "web" {
  hosts = local.h11999
  ssh {
    user     = local.t11999
    password = local.t11999
  }
  step "a" {
    for_each = local.k11999
    file {
      path    = "/a/\${each.key}"
      content = local.t11999
    }
  }
}
output "last" {
  value = local.t11999
  precondition {
    condition     = local.t11999 == "x"
    error_message = "It is lost."
  }
}
`;
    expect(validate(text)).toEqual({ text: [], values: [] });
  }, 120_000);

  it("that refer twice to the one before are not looked at twice as often each time", () => {
    const twice = Array.from({ length: 60 }, (_, at) =>
      at === 0
        ? "  h0 = { web1 = conn3x_directory.d.path }\n  s0 = conn3x_directory.d.path"
        : `  h${at} = true ? local.h${at - 1} : local.h${at - 1}\n  s${at} = local.s${at - 1} == local.s${at - 1} ? "a" : "b"`,
    ).join("\n");
    const text = `locals {\n${twice}\n}\nresource "conn3x_directory" "d" {\n  path = "/d"\n}\n${circuit("local.h59")}output "o" {\n  value = local.s59\n}\n`;
    expect(validate(text)).toEqual({ text: [], values: [] });
  }, 120_000);
});

describe("what nothing refers to", () => {
  it("is looked at all the same", () => {
    const text = `locals {\n  a = upper(1, 2)\n  b = step.x.path\n}\n${circuit('{ web1 = "a" }')}`;
    const found = validate(text);
    expect(lines([...found.values, ...found.text])).toEqual([
      'Too many function arguments | Function "upper" expects only 1 argument(s). | 2',
      '"step" has no meaning here | It has one in the steps and handlers of circuits only. | step',
    ]);
  });

  it("includes what is imported", () => {
    const block = (to: string) => `import {\n  to = ${to}\n  id = var.id\n}\n`;
    const declared = 'variable "id" {\n}\nresource "conn3x_directory" "d" {\n  path = "/d"\n}\n';
    const text = declared + block("conn3x_directory.d") + block("conn3x_directory.e");
    expect(validate(text).values).toEqual([]);
    expect(lines(validate(text, { id: '"ssh://a/d"' }).values)).toEqual([
      "There is no configuration for what is imported | conn3x_directory.e is not configured: write the resource, or the step, first. Its settings say what becomes of the object. | import",
    ]);
  });
});

describe("conditions of variables", () => {
  it("may refer to local values", () => {
    const text = `variable "x" {
  default = "b"
  validation {
    condition     = var.x == local.right
    error_message = "It must be \${local.right}."
  }
}
locals {
  right = "a"
}
`;
    expect(lines(validate(text).values)).toEqual([
      'Variable "x" has an invalid value | It must be a. | var.x == local.right',
    ]);
    expect(validate(text, { x: '"a"' }).values).toEqual([]);
  });

  it("that a default does not fit its type shows at the default", () => {
    const text = 'variable "x" {\n  type    = number\n  default = "many"\n}\n';
    expect(lines(validate(text).values)).toEqual([
      'Variable "x" cannot have this value | The value from its default: a number is required. | "many"',
    ]);
  });
});

describe("a way to hosts with a wrong value is told where the value is", () => {
  const reached = (ssh: string, hosts = '{ web1 = "a" }') => circuit(hosts, `  ssh {\n    ${ssh}\n  }`);
  const badPort = "must be a whole number from 1 to 65535, not 99999.";

  it.each([
    [
      "a bastion",
      reached(
        'bastion {\n      address = "g"\n    }\n    bastion {\n      address = "h"\n      port = 99999\n    }',
      ),
      `bastion[1].port ${badPort}`,
      "99999",
    ],
    [
      "a bastion's address",
      reached('bastion {\n      address = "g h"\n    }'),
      "bastion[0].address must not hold white space or control characters.",
      '"g h"',
    ],
    [
      "a bastion's user",
      reached('bastion {\n      address = "g"\n      user    = "$(id)"\n    }'),
      "bastion[0].user must be without quotes, brackets and other characters that mean something to a shell.",
      '"$(id)"',
    ],
    ["a user", reached('user = "-oProxyCommand=id"'), 'user must not start with "-".', '"-oProxyCommand=id"'],
    [
      "a jump host's user",
      reached('proxy_jump = "g,`id`@h"'),
      "proxy_jump must be without quotes, brackets and other characters that mean something to a shell, in the name of a user.",
      '"g,`id`@h"',
    ],
    [
      "a jump host's name",
      reached('proxy_jump = "g,h;id"'),
      "proxy_jump must be without quotes, brackets and other characters that mean something to a shell, in the name of a host.",
      '"g,h;id"',
    ],
    [
      "a jump host",
      reached('proxy_jump = "u@g,h i"'),
      'proxy_jump must be [user@]host[:port], several with commas between them, or none: "h i" is not.',
      '"u@g,h i"',
    ],
    [
      "a jump host's port",
      reached('proxy_jump = "g:99999"'),
      "proxy_jump must have ports from 1 to 65535, not 99999.",
      '"g:99999"',
    ],
    [
      "a bastion where some host has a way of its own",
      reached(
        'bastion {\n      address = "g"\n      port = 99999\n    }',
        '{ web1 = { address = "a", proxy_jump = "x" }, web2 = "b" }',
      ),
      `bastion[0].port ${badPort}`,
      "99999",
    ],
    [
      "a jump host where some host has a way of its own",
      reached(
        'proxy_jump = "g:0"',
        '{ web1 = { address = "a", bastion = [{ address = "x" }] }, web2 = "b" }',
      ),
      "proxy_jump must have ports from 1 to 65535, not 0.",
      '"g:0"',
    ],
  ])("%s", (_, text, detail, underlined) => {
    const { text: ofText, values } = validate(text);
    expect(ofText).toEqual([]);
    expect(values).toHaveLength(1);
    expect(lines(values)[0]).toContain(`Invalid value | ssh.${detail}`);
    expect(lines(values)[0]?.endsWith(` | ${underlined}`)).toBe(true);
  });

  it.each(["none", "u@g", "g:22,[fe80::1]:2222", "ssh://u@g:2/", "u@[::1], h"])("%s is a way", (way) => {
    expect(validate(reached(`proxy_jump = "${way}"`)).values).toEqual([]);
  });
});

it("a step that runs once may be referred to where there is no host", () => {
  const text = circuit(
    "{}",
    '  step "once" {\n    run_once = true\n    command {\n      run = "x"\n    }\n  }\n  step "b" {\n    file {\n      path    = "/b"\n      content = step.once.stdout\n    }\n  }',
  );
  expect(validate(text)).toEqual({ text: [], values: [] });
});

it.each([
  ["a type that nothing declares", 'locals {\n  x = conn3x_fil.web__a["web1"].path\n}\n'],
  [
    "hosts that are sensitive as a whole",
    `variable "h" {\n  default   = { a = "1" }\n  sensitive = true\n}\n${circuit("var.h")}`,
  ],
])("what follows from an error of the text is no other one: %s", (_, text) => {
  expect(validate(text).values).toEqual([]);
});

it("a run_on that has no value is told where it is written", () => {
  const text = circuit(
    '{ web1 = "a" }',
    '  step "b" {\n    run_on = host.vars.lb\n    command {\n      run = "x"\n    }\n  }',
  );
  expect(lines(validate(text).values)).toEqual([
    'Unsupported attribute | This object does not have an attribute named "lb". | lb',
  ]);
});

describe("run_on by a name that shows when it is known", () => {
  const text = `variable "where" {
}
circuit "web" {
  hosts = { web1 = "a", web2 = { address = "b" } }
  step "a" {
    directory {
      path = "/a"
    }
    run_on = var.where
    retries {
      attempts = host.vars == null ? 2 : 3
    }
  }
}
`;
  it("is the name of a host, or has an address", () => {
    expect(validate(text).values).toEqual([]);
    for (const right of ['"web2"', '{ address = "c" }', "null"])
      expect(validate(text, { where: right }).values).toEqual([]);
    expect(lines(validate(text, { where: '"web3"' }).values)).toEqual([
      'Unknown host "web3" | Circuit "web" has no host of that name. Did you mean "web1"? A host that is not in the circuit is written as { address = "10.0.1.9" }. | var.where',
    ]);
  });
});

it("lifecycle is looked at beside errors of the text", () => {
  const text = circuit(
    '{ web1 = "a" }',
    '  step "b" {\n    directory {\n      path = "/b"\n    }\n    lifecycle {\n      prevent_destroy      = 3\n      replace_triggered_by = [host.name, step.nope]\n    }\n  }',
  );
  expect(lines(validate(text).values)).toEqual([
    '"prevent_destroy" is not a fixed value | It must be true or false, without any reference. | 3',
    '"replace_triggered_by" names something that cannot trigger | It names resources of this configuration, instances of them, or attributes of these; no variables, locals or calls. | host.name',
  ]);
});

describe("numbers that cannot be stored", () => {
  const ofStep = (setting: string) =>
    `circuit "web" {\n  hosts = { a = "10.0.0.1" }\n  step "s" {\n    wait_for {\n      ${setting}\n    }\n  }\n}\n`;

  it.each([
    ["an output", 'output "x" {\n  value = [1, { a = 1 / 0 }]\n}\n', 'Output "x" is an infinity'],
    [
      "a setting",
      ofStep("port = 1 / 0"),
      "Invalid value | port must be a finite number, and is an infinity.",
    ],
    [
      "a setting that takes fractions",
      ofStep("port = 80\n      timeout = -1 / 0"),
      "Invalid value | timeout must be a finite number, and is an infinity.",
    ],
    [
      "a host's setting",
      circuit('{ a = { address = "10.0.0.1", connect_timeout = 1 / 0 } }'),
      "Invalid value | connect_timeout must be a finite number, and is an infinity.",
    ],
  ])("%s", (_, text, expected) => {
    const { values } = validate(text);
    expect(lines(values)).toEqual([expect.stringContaining(expected)]);
  });

  it("are no matter where nothing is stored", () => {
    const { text, values } = validate(
      circuit('{ a = { address = "10.0.0.1", connect_timeout = 1 / 3, vars = { x = 1 / 0 } } }'),
    );
    expect([...text, ...values]).toEqual([]);
  });
});
