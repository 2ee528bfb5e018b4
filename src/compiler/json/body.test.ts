import { describe, expect, it } from "vitest";
import type { Diagnostic } from "../../diagnostics/diagnostic.ts";
import { SourceFile } from "../../diagnostics/source.ts";
import { emitHcl } from "../emit/hcl.ts";
import { literalString } from "../hosts/literal.ts";
import { compileFiles } from "../testing/compile-files.ts";
import { testKinds } from "../testing/kinds.ts";
import { readMarks } from "../testing/marked.ts";

const compile = (text: string, name: string) =>
  compileFiles([new SourceFile(name, text)], { directory: ".", kinds: testKinds });

const fromHcl = `variable "mode" {
  type    = string
  default = "$\${not evaluated}"
}

circuit "web" {
  hosts = { web1 = "10.0.0.1", web-2 = { address = "10.0.0.2", port = 2222 } }
  ssh {
    user   = "deploy"
    become = true
  }

  step "first" {
    widget {
      name = "a"
      limits {
        soft = -1.5
      }
    }
    notify = [handler.reload]
  }

  step "second" {
    for_each = { x = "1", y = "2" }
    file {
      path    = "/srv/\${each.key}"
      content = "\${host.name}: \\"\${step.first.id}\\"\\n"
      mode    = var.mode
    }
    notify = ["reload"]
    ssh    = { user = "root" }
    lifecycle {
      ignore_changes = [content]
    }
  }

  handler "reload" {
    service {
      name   = "nginx"
      action = "reload"
    }
  }
}
`;

const inJson = JSON.stringify({
  "//": "A comment.",
  variable: { mode: { type: "string", default: "${not evaluated}" } },
  circuit: {
    web: {
      hosts: { web1: "10.0.0.1", "web-2": { address: "10.0.0.2", port: 2222 } },
      ssh: { user: "deploy", become: true },
      step: [
        { first: { widget: { name: "a", limits: { soft: -1.5 } }, notify: ["handler.reload"] } },
        {
          second: {
            for_each: { x: "1", y: "2" },
            file: {
              path: "/srv/${each.key}",
              content: '${host.name}: "${step.first.id}"\n',
              mode: "${var.mode}",
            },
            notify: ["reload"],
            ssh: { user: "root" },
            lifecycle: { ignore_changes: ["content"] },
          },
        },
      ],
      handler: { reload: { service: [{ name: "nginx", action: "reload" }] } },
    },
  },
});

/** Without the header and the comments that say where something comes from. */
const essence = (text: string): string =>
  text
    .split("\n")
    .filter((line) => !line.startsWith("#"))
    .join("\n")
    .trim();

const membersInHcl = `circuit "web" {
  hosts = { web1 = { address = "10.0.0.1", password = "x", vars = { a = true } } }
  moved {
    from = step.old
    to   = step.new
  }

  step "new" {
    when     = host.vars.a && host.facts.os == "x"
    run_once = true
    run_on   = { address = "10.0.0.9", user = "ops" }
    file {
      path = "/srv/a"
    }
    drift {
      mode   = "warn"
      ignore = ["mode"]
    }
    notify = [handler.run]
  }

  handler "run" {
    command {
      run = "true"
    }
  }
}
`;

const membersInJson = JSON.stringify({
  circuit: {
    web: {
      hosts: { web1: { address: "10.0.0.1", password: "x", vars: { a: true } } },
      moved: { from: "step.old", to: "step.new" },
      step: {
        new: {
          when: '${host.vars.a && host.facts.os == "x"}',
          run_once: true,
          run_on: { address: "10.0.0.9", user: "ops" },
          file: { path: "/srv/a" },
          drift: { mode: "warn", ignore: ["mode"] },
          notify: ["handler.run"],
        },
      },
      handler: { run: { command: { run: "true" } } },
    },
  },
});

describe("configuration in JSON", () => {
  it("has all that steps and circuits have in HCL", () => {
    const outputs = [
      compile(membersInHcl, "main.circuit.hcl"),
      compile(membersInJson, "main.circuit.hcl.json"),
    ].map((configuration) => {
      expect(configuration.diagnostics).toEqual([]);
      const emitted = emitHcl(configuration);
      // The lines that name the source differ.
      const text = emitted
        .get("main.circuit.tf")!
        .replace(/^#.*\n/gm, "")
        .replace(/\n\n+/g, "\n")
        .trim();
      return [text, emitted.get("conn3x_override.tf")];
    });
    expect(outputs[1]).toEqual(outputs[0]);
  });

  it("means what the same in HCL means", () => {
    const [json, hcl] = [compile(inJson, "main.circuit.hcl.json"), compile(fromHcl, "main.circuit.hcl")];
    expect([json.diagnostics, hcl.diagnostics]).toEqual([[], []]);
    const [a, b] = [json, hcl].map((configuration) => emitHcl(configuration).get("main.circuit.tf")!);
    expect(essence(a!)).toBe(essence(b!));
  });

  it.each<[string, string, string, string]>([
    ["a missing comma", '{ "a": 1 «"»b": 2 }', "This is not JSON", "comma"],
    ["a name without quotes", "{ «a»: 1 }", "This is not JSON", "double quotes"],
    ["no colon", '{ "a" «1» }', "This is not JSON", "colon"],
    ["no value", '{ "a": «}» ', "This is not JSON", "value"],
    ["text that does not end", '{ «"a» }', "This is not JSON", "does not end"],
    ["a wrong escape", '{ "a«\\x»": 1 }', "This is not JSON", "backslash"],
    ["something after the end", "{} «{»}", "This is not JSON", "complete"],
    ["no object at the top", "«12»", "Here there must be an object", "block"],
    ["no object for a block", '{ "locals": «"x"» }', "Here there must be an object", "block"],
    ["an argument twice", '{ "locals": { "a": 1, «"a"»: 2 } }', "Attribute set twice", "Delete one"],
  ])("says what is wrong: %s", (_, marked, summary, detail) => {
    const { text, expected } = readMarks(marked);
    const { diagnostics } = compile(text, "main.tf.json");
    expect(diagnostics).toMatchObject([{ severity: "error", summary }]);
    expect(diagnostics[0]!.detail).toContain(detail);
    expect(place(diagnostics[0]!).start).toBe(expected.start);
  });

  it.each<[string, string, string]>([
    ["an unknown setting", '{ "file": { "path": "/a", «"contnet"»: "x" } }', 'Unknown setting "contnet"'],
    ["an unknown kind", '{ «"fiel"»: { "path": "/a" } }', 'Unknown kind of step "fiel"'],
    ["an unknown step in a template", '{ "file": { "path": "\\t/${step.«b».path}" } }', 'Unknown step "b"'],
    [
      "an unknown variable after escapes",
      '{ "file": { "path": "\\u0041\\n${«var.x»}" } }',
      'There is no variable "x"',
    ],
    ["an unknown handler", '{ "file": { "path": "/a" }, "notify": [«"h"»] }', 'Unknown handler "h"'],
  ])("points into the file: %s", (_, step, summary) => {
    const { text, expected } = readMarks(
      `{ "circuit": { "web": { "hosts": { "h": "10.0.0.1" }, "step": { "a": ${step} } } } }`,
    );
    const { diagnostics } = compile(text, "main.circuit.hcl.json");
    expect(diagnostics.map((diagnostic) => diagnostic.summary)).toEqual([summary]);
    expect(place(diagnostics[0]!)).toEqual(expected);
  });

  it("reports mistakes inside templates where they are", () => {
    const { text, expected } = readMarks('{ "locals": { "a": "\\n${1 +« »}" } }');
    const { diagnostics } = compile(text, "main.tf.json");
    expect(diagnostics).toHaveLength(1);
    expect(diagnostics[0]!.range!.file.name).toBe("main.tf.json");
    expect(place(diagnostics[0]!).start).toBeGreaterThanOrEqual(expected.start);
    expect(place(diagnostics[0]!).end).toBeLessThanOrEqual(text.indexOf("}") + 1);
  });

  it("takes arrays of objects for repeated blocks and labels", () => {
    const { diagnostics, locals, outputs } = compile(
      '{ "locals": [{ "a": 1 }, { "b": [true, null] }], "output": [{ "x": { "value": "${local.a}" } }, { "y": { "value": 2 } }] }',
      "main.tf.json",
    );
    expect(diagnostics).toEqual([]);
    expect([...locals.keys()]).toEqual(["a", "b"]);
    expect([...outputs.keys()]).toEqual(["x", "y"]);
  });

  it("has no halves of characters", () => {
    const text = JSON.stringify({ locals: { half: "a\ud800b", whole: "\ud83d\ude00" } });
    const { locals } = compile(text, "main.tf.json");
    expect([...locals.values()].map(({ expression }) => literalString(expression))).toEqual([
      "a\ufffdb",
      "😀",
    ]);
  });

  it("refuses what is nested without end", () => {
    const { diagnostics } = compile(`{ "locals": { "a": ${"[".repeat(100_000)}`, "main.tf.json");
    expect(diagnostics).toMatchObject([{ summary: "This is not JSON" }]);
  });
});

const place = ({ range }: Diagnostic) => ({ start: range!.start, end: range!.end });
