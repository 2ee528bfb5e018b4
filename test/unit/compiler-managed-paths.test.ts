/**
 * What a step that purges a directory, or sets what is in it, is told of the other steps: the fixture `purge` has the usual
 * forms.
 */
import { describe, expect, it } from "vitest";
import { emitHcl } from "../../src/compiler/emit/hcl.ts";
import { compileFiles } from "../../src/compiler/testing/compile-files.ts";
import { SourceFile } from "../../src/diagnostics/source.ts";
import { kinds } from "../../src/resources/index.ts";

const compile = (steps: string) => {
  const text = `circuit "web" {\n  hosts = { h = "10.0.0.1" }\n${steps}\n}\n`;
  const configuration = compileFiles([new SourceFile("main.circuit.hcl", text)], { directory: ".", kinds });
  const output = emitHcl(configuration).get("main.circuit.tf") ?? "";
  return {
    diagnostics: configuration.diagnostics.map(({ summary, severity }) => [severity, summary]),
    managed: /^ *managed +=(.*(\n {4}.*)*(\n {2}\))?)/m.exec(output)?.[1]?.trim(),
  };
};
const file = (name: string, path: string) =>
  `  step "${name}" {\n    file {\n      path    = ${path}\n      content = ""\n    }\n  }`;
const purge = (more = "purge = true") =>
  `  step "conf" {\n    directory {\n      path  = "/etc/d"\n      ${more}\n    }\n  }`;

describe("a step that purges a directory", () => {
  it("spares what is put there before it and after it", () => {
    const steps = [file("a", '"/etc/d/a"'), purge(), file("b", '"/etc/d/b"')].join("\n");
    expect(compile(steps)).toEqual({ diagnostics: [], managed: '["/etc/d/a", "/etc/d/b"]' });
  });

  it("is told nothing where it does not purge, or nothing else is there", () => {
    for (const setting of ["purge = false", "purge = null", ""])
      expect(compile([purge(setting), file("b", '"/etc/d/b"')].join("\n")).managed).toBe(undefined);
    expect(compile(purge())).toEqual({ diagnostics: [], managed: undefined });
  });

  it("is told all the same where purge is not known yet", () => {
    expect(compile([purge("purge = host.vars.clean"), file("b", '"/etc/d/b"')].join("\n")).managed).toBe(
      '["/etc/d/b"]',
    );
  });

  it("knows lines, links, directories and what commands make", () => {
    const steps = [
      purge(),
      '  step "l" {\n    line {\n      path = "/etc/d/l"\n      line = "x"\n    }\n  }',
      '  step "s" {\n    link {\n      path   = "/etc/d/s"\n      target = "l"\n    }\n  }',
      '  step "d" {\n    directory {\n      path = "/etc/d/d"\n    }\n  }',
      '  step "c" {\n    command {\n      run     = "x"\n      creates = "/etc/d/c"\n    }\n  }',
    ].join("\n");
    expect(compile(steps).managed).toBe('["/etc/d/l", "/etc/d/s", "/etc/d/d", "/etc/d/c"]');
  });

  it("refers to steps before it as the others do", () => {
    const steps = [file("a", '"/etc/d/a"'), purge(), file("b", '"${step.a.path}-b"')].join("\n");
    expect(compile(steps).managed).toBe('["/etc/d/a", "${conn3x_file.web__a[each.key].path}-b"]');
  });

  it("with keys of its own has its own host in the paths of others, and its other instances", () => {
    const own =
      '  step "conf" {\n    for_each = toset(["x"])\n    directory {\n      path  = "/etc/${each.key}"\n      purge = true\n    }\n  }';
    expect(compile([own, file("b", '"/etc/x/${each.key}-${host.name}"')].join("\n")).managed).toBe(
      'concat(\n    ["/etc/x/${each.value.host.name}-${each.value.host.name}"],\n    [for conn3x_key, conn3x_value in toset(["x"]) : "/etc/${conn3x_key}"]\n  )',
    );
  });

  it.each([
    ["a literal", "recurse = true", '["/etc/d/sub/"]'],
    ["a variable", "recurse = host.vars.all", '["/etc/d/sub/"]'],
    ["false", "recurse = false", '["/etc/d/sub"]'],
    ["null", "recurse = null", '["/etc/d/sub"]'],
    ["none", "", '["/etc/d/sub"]'],
  ])("knows which directories set what is in them themselves: %s", (_, setting, managed) => {
    const sub = `  step "sub" {\n    directory {\n      path = "/etc/d/sub"\n      ${setting}\n    }\n  }`;
    expect(compile([purge("recurse = true"), sub].join("\n")).managed).toBe(managed);
    const computed = sub.replace('"/etc/d/sub"', '"/etc/d/${host.name}"');
    expect(compile([purge(), computed].join("\n")).managed).toBe(
      managed.endsWith('/"]') ? '["${"/etc/d/${each.key}"}/"]' : '["/etc/d/${each.key}"]',
    );
  });

  it("cannot know a path that comes from a step that is not before it", () => {
    const steps = [purge(), file("a", '"/etc/d/a"'), file("b", '"${step.a.path}-b"')].join("\n");
    expect(compile(steps).diagnostics).toEqual([
      ["error", 'Step "conf" cannot know what step "b" puts there'],
    ]);
  });

  it("says nothing of a path that is wrong in itself", () => {
    const steps = [purge(), file("b", '"${step.nosuch.path}-b"')].join("\n");
    expect(compile(steps).diagnostics).toEqual([["error", 'Unknown step "nosuch"']]);
  });

  it("does not let anybody write the list", () => {
    expect(compile(purge('purge = true\n      managed = ["/etc/d/x"]')).diagnostics).toEqual([
      ["error", expect.stringContaining('"managed"')],
    ]);
  });
});
