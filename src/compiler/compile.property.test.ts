import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { hasErrors } from "../diagnostics/diagnostic.ts";
import { SourceFile } from "../diagnostics/source.ts";
import { formatText } from "../hcl/format/format.ts";
import { emitHcl } from "./emit/hcl.ts";
import { emitJson } from "./emit/json.ts";
import { visitExpression } from "./lower/rewrite.ts";
import type { Configuration } from "./model.ts";
import { compileFiles } from "./testing/compile-files.ts";
import { testKinds } from "./testing/kinds.ts";

const compile = (text: string, name = "main.circuit.hcl"): Configuration =>
  compileFiles([new SourceFile(name, text)], { directory: ".", kinds: testKinds });

const letters = fc.stringMatching(/^[a-z][a-z0-9]{0,5}$/);
const text = fc
  .string({ maxLength: 12, unit: "grapheme" })
  .map((value) => JSON.stringify(value).replace(/[$%]\{/g, "x"));

/** What may stand in a step's settings, given how many steps are before it. */
const expression = (earlier: readonly Step[]): fc.Arbitrary<string> =>
  fc.oneof(
    text,
    fc.constantFrom(
      "host.name",
      "host.address",
      "host.vars",
      "each.key",
      "each.value",
      "jsonencode(host)",
      '"${host.name}-${each.key}"',
      '[for host in ["x"] : host][0]',
      '"%{for step in [1]}${step}${host.name}%{endfor}"',
      "{ host = host.name, each = each.key }.host",
    ),
    ...(earlier.length === 0
      ? []
      : [
          fc
            .constantFrom(...earlier)
            .map(({ name, forEach }) => (forEach ? `step.${name}["k"].id` : `step.${name}.id`)),
        ]),
    ...(earlier.length === 0 ? [] : [fc.constantFrom(...earlier).map(({ name }) => `[step.${name}][*]`)]),
  );

interface Step {
  readonly name: string;
  readonly forEach: boolean;
  readonly runOnce: boolean;
}

interface Draw {
  readonly hosts: readonly string[];
  readonly steps: readonly (Step & {
    readonly notify: readonly number[];
    readonly ssh: boolean;
    readonly more: string;
  })[];
  readonly handlers: readonly string[];
}

const draw: fc.Arbitrary<Draw> = fc.record({
  hosts: fc.uniqueArray(letters, { minLength: 1, maxLength: 3 }),
  steps: fc.uniqueArray(
    fc.record({
      name: letters,
      forEach: fc.boolean(),
      notify: fc.uniqueArray(fc.nat(2), { maxLength: 2 }),
      ssh: fc.boolean(),
      runOnce: fc.boolean(),
      more: fc.constantFrom(
        "",
        "    when = host.name == each.key\n",
        '    drift {\n      ignore = ["mode"]\n    }\n',
        '    run_on = "x${host.name}"\n',
        '    run_on = { address = host.address, password = "p" }\n',
      ),
    }),
    { selector: (step) => step.name, maxLength: 5 },
  ),
  handlers: fc.uniqueArray(letters, { minLength: 3, maxLength: 3 }),
});

/** A circuit's text without anything wrong in it. */
const circuit: fc.Arbitrary<{ readonly text: string; readonly drawn: Draw }> = draw.chain((drawn) =>
  fc.tuple(...drawn.steps.map((_, index) => expression(drawn.steps.slice(0, index)))).map((contents) => {
    const hosts = drawn.hosts.map((host) => `${host} = "10.0.0.1"`).join(", ");
    const steps = drawn.steps.map(
      ({ name, forEach, notify, ssh, runOnce, more }, index) => `  step "${name}" {
${runOnce ? "    run_once = true\n" : ""}${more}${forEach ? '    for_each = toset(["k", "l"])\n' : ""}    file {
      path    = "/x"
      content = ${contents[index]}
    }
${ssh ? "    ssh {\n      user = host.name\n    }\n" : ""}    notify = [${notify.map((at) => `handler.${drawn.handlers[at]}`).join(", ")}]
  }`,
    );
    const handlers = drawn.handlers.map(
      (name) =>
        `  handler "${name}" {\n    service {\n      name   = "x"\n      action = "reload"\n    }\n  }`,
    );
    return {
      drawn,
      text: `circuit "c" {\n  hosts = { ${hosts} }\n${[...steps, ...handlers].join("\n")}\n}\n`,
    };
  }),
);

/** Root names in all expressions, `for` variables apart. */
function rootNames(configuration: Configuration): ReadonlySet<string> {
  const names = new Set<string>();
  const visit = (items: Configuration["resources"][number]["body"]["items"]): void => {
    for (const item of items) {
      if (item.kind === "block") visit(item.body.items);
      else
        visitExpression(item.expression, (node, hidden) => {
          if (node.kind === "variable" && !hidden.has(node.name)) names.add(node.name);
        });
    }
  };
  for (const { body } of configuration.resources) visit(body.items);
  return names;
}

describe("any circuit without mistakes", () => {
  const check = (property: (drawn: Draw, source: string) => void): void =>
    fc.assert(
      fc.property(circuit, ({ drawn, text: source }) => property(drawn, source)),
      { numRuns: 50 },
    );

  it("compiles without errors, in the same way each time", () => {
    check((_, source) => {
      const configuration = compile(source);
      expect(hasErrors(configuration.diagnostics)).toBe(false);
      expect(emitHcl(configuration)).toEqual(emitHcl(compile(source)));
      expect(emitJson(configuration)).toEqual(emitJson(compile(source)));
    });
  });

  it("leaves no name that OpenTofu does not know", () => {
    check((_, source) => {
      const allowed = new Set(["each", "local", "conn3x_file"]);
      expect([...rootNames(compile(source))].filter((name) => !allowed.has(name))).toEqual([]);
    });
  });

  it("C8: makes each step wait for the one before it, and handlers for the last step and each other", () => {
    check(({ steps, handlers }, source) => {
      const addresses = steps.map((step) => `conn3x_file.c__${step.name}`);
      const expected = [
        ...addresses.map((address, index) => [address, addresses.slice(Math.max(0, index - 1), index)]),
        ...handlers.map((handler, index) => [
          `conn3x_service_action.c__${handler}`,
          [
            ...addresses.slice(-1),
            ...handlers
              .slice(Math.max(0, index - 1), index)
              .map((before) => `conn3x_service_action.c__${before}`),
          ],
        ]),
      ];
      expect(compile(source).resources.map(({ address, dependsOn }) => [address, dependsOn])).toEqual(
        expected,
      );
    });
  });

  it("C6: makes of a handler a resource on every host, with its arguments and the login that a step has", () => {
    check(({ handlers }, source) => {
      const output = emitHcl(compile(source)).get("main.circuit.tf")!;
      const blockOf = (name: string): readonly string[] => {
        const [, body = ""] = output.split(`resource "conn3x_service_action" "c__${name}" {\n`);
        return body
          .split("\n}\n", 1)[0]!
          .split("\n")
          .map((line) => line.trim().replace(/\s+/g, " "));
      };
      for (const handler of handlers) {
        const lines = blockOf(handler);
        for (const line of ["for_each = local.conn3x_c_hosts", 'name = "x"', 'action = "reload"'])
          expect(lines).toContain(line);
        const ssh = lines.indexOf("ssh {");
        expect(lines.slice(ssh, lines.indexOf("}", ssh) + 1)).toEqual([
          "ssh {",
          "address = each.value.address",
          "}",
        ]);
      }
    });
  });

  it("C7: gives a handler one trigger for each step that notifies it, in order", () => {
    check(({ steps, handlers }, source) => {
      const output = emitHcl(compile(source)).get("main.circuit.tf")!;
      const reread = compile(output, "main.tf");
      handlers.forEach((handler, at) => {
        const resource = reread.resources.find(
          (one) => one.address === `conn3x_service_action.c__${handler}`,
        )!;
        const triggers = resource.body.items.find(
          (item) => item.kind === "attribute" && item.name === "triggers",
        );
        const notifying = steps.filter((step) => step.notify.includes(at));
        if (triggers?.kind !== "attribute" || triggers.expression.kind !== "tuple")
          throw new Error("no triggers");
        const found = triggers.expression.items.map((item) =>
          item.file.text.slice(item.start, item.end).replace(/\s+/g, " "),
        );
        expect(found).toEqual(
          notifying.map(({ name, forEach, runOnce }) =>
            forEach
              ? `{ for k, v in conn3x_file.c__${name} : k => v.revision if startswith(k, "\${each.key}/") }`
              : runOnce
                ? `{ for k, v in conn3x_file.c__${name} : k => v.revision if k == each.key }`
                : `conn3x_file.c__${name}[each.key].revision`,
          ),
        );
      });
    });
  });

  it("is written in canonical form, as text that says the same", () => {
    check((_, source) => {
      const configuration = compile(source);
      const output = emitHcl(configuration).get("main.circuit.tf")!;
      expect(formatText(output)).toBe(output);
      const reread = compile(output, "main.tf");
      expect(hasErrors(reread.diagnostics)).toBe(false);
      expect(reread.resources.map(({ address, dependsOn }) => [address, dependsOn])).toEqual(
        configuration.resources.map(({ address, dependsOn }) => [address, dependsOn]),
      );
    });
  });
});
