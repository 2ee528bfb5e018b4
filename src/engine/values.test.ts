import { writeFileSync } from "node:fs";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { at } from "../values/path.ts";
import { isMarked, isUnknown, type Value } from "../values/value.ts";
import { getPath } from "../values/walk.ts";
import type { VariableInput } from "./evaluate/variables/variable-input.ts";
import { actionsOf, type TestEngine, testEngine } from "./testing/engine.ts";

let engine: TestEngine;
beforeEach(() => {
  engine = testEngine();
});
afterEach(() => engine.remove());

const file = (name: string, body: string): string => `resource "test_file" "${name}" {\n${body}\n}\n`;
const content = (
  plan: Awaited<ReturnType<TestEngine["plan"]>>,
  address: string,
  attribute = "content",
): Value => getPath(plan.changes.find((change) => change.address === address)!.after, at(attribute))!;

describe("what is not known while planning", () => {
  const text = `${file("a", 'path = "/a"\ncontent = "a"')}${file("b", 'path = "/b"\ncontent = "rev ${test_file.a.revision}"')}`;

  test("is unknown in the plan, and there when the instance is applied", async () => {
    const plan = await engine.plan(text);
    expect(isUnknown(content(plan, "test_file.b"))).toBe(true);
    expect(plan.changes.map(({ address }) => address)).toEqual(["test_file.a", "test_file.b"]);
    expect(await engine.apply(text)).toMatchObject({ created: 2, failed: [] });
    expect(engine.hosts.files.get("here:/b")).toBe("rev r1");
    expect(actionsOf(await engine.plan(text))).toEqual({ "test_file.a": "none", "test_file.b": "none" });
  });

  test("may turn out to be what it was: then nothing is done", async () => {
    // The length of a revision stays the same.
    const stable = text.replace("rev ${test_file.a.revision}", "${substr(test_file.a.revision, 0, 1)}");
    await engine.apply(stable);
    const changed = stable.replace('content = "a"', 'content = "b"');
    expect(actionsOf(await engine.plan(changed))["test_file.b"]).toBe("update config");
    const revision = engine.state().resources[1]!.instances[0]!.attributes.revision;
    expect(await engine.apply(changed)).toMatchObject({ updated: 1, failed: [] });
    expect(engine.hosts.log).toEqual(["write here:/a"]);
    // Who counts what was said to be updated comes to the same number.
    const said = engine.events.filter((event) => event.kind === "apply_complete" && !event.unchanged);
    expect(said).toMatchObject([{ action: "update", subject: { address: "test_file.a" } }]);
    expect(engine.state().resources[1]!.instances[0]!.attributes.revision).toBe(revision);
  });

  test("holds back who refers to it when it fails", async () => {
    engine.hosts.failing.set("here:/a", "wholly");
    const outcome = await engine.apply(text);
    expect(outcome.failed.map(({ address }) => address)).toEqual(["test_file.a"]);
    expect(outcome.notDone).toEqual(["test_file.b"]);
    expect(engine.events.at(-1)).toMatchObject({ kind: "apply_skipped", because: "test_file.a failed" });
  });

  test("must not be which instances there are", async () => {
    expect(
      await engine.problems(
        text.replace('path = "/b"', "for_each = toset([test_file.a.revision])\npath = each.key"),
      ),
    ).toEqual([expect.stringContaining('The keys of "for_each" are not known yet')]);
    expect(
      await engine.problems(
        text.replace('path = "/b"', "count = length(test_file.a.revision)\npath = count.index"),
      ),
    ).toEqual([expect.stringContaining('"count" is not known yet')]);
  });

  test("nor is any index known where there are no instances", async () => {
    const none = 'variable "paths" { default = [] }\n';
    const each =
      'resource "test_file" "a" {\n  count = length(var.paths)\n  path = var.paths[count.index]\n}\n';
    expect(await engine.apply(none + each)).toMatchObject({ created: 0, failed: [] });
  });

  test("may be in the values of for_each", async () => {
    const each = `${file("a", 'path = "/a"')}locals {
      all = { x = test_file.a.revision, y = "fixed" }
    }
    ${file("b", 'for_each = local.all\npath = "/${each.key}"\ncontent = each.value')}
    output "all" { value = [for key, one in test_file.b : one.content] }`;
    const plan = await engine.plan(each);
    expect(isUnknown(content(plan, 'test_file.b["x"]'))).toBe(true);
    expect(content(plan, 'test_file.b["y"]').data).toBe("fixed");
    expect(await engine.apply(each)).toMatchObject({ created: 3, failed: [] });
    expect(engine.hosts.files.get("here:/x")).toBe("r1");
    expect(engine.state().outputs.all!.value).toEqual(["r1", "fixed"]);
  });
});

describe("sensitive values", () => {
  const text = `variable "token" {
    sensitive = true
    default   = "t0ps3cret"
  }
  ${file("a", 'path = "/a"\ncontent = "token ${var.token}"\nsecret = "also"')}`;

  test("reach the provider, are marked in the plan and remembered in the state", async () => {
    const plan = await engine.plan(text);
    expect(isMarked(content(plan, "test_file.a"), "sensitive")).toBe(true);
    expect(isMarked(content(plan, "test_file.a", "secret"), "sensitive")).toBe(true);
    expect(isMarked(content(plan, "test_file.a", "path"), "sensitive")).toBe(false);
    expect(isMarked(content(plan, "test_file.a", "sha"), "sensitive")).toBe(true);
    await engine.apply(text);
    expect(engine.hosts.files.get("here:/a")).toBe("token t0ps3cret");
    expect(engine.state().resources[0]!.instances[0]!.sensitive_attributes).toEqual([
      [{ type: "get_attr", value: "content" }],
      [{ type: "get_attr", value: "secret" }],
    ]);
    const again = await engine.plan(text.replace("token ${var.token}", "not secret"));
    for (const name of ["content", "sha"])
      expect(isMarked(getPath(again.changes[0]!.before, at(name))!, "sensitive")).toBe(true);
    expect(actionsOf(await engine.plan(text))).toEqual({ "test_file.a": "none" });
  });

  test("keep what hosts say about them out of messages, and nothing else does", async () => {
    const more = `${text}${file("b", 'path = "/b"\nsecret = var.token')}${file("c", 'path = "/c"\nssh { address = var.token }')}`;
    await engine.apply(more);
    expect([...engine.hosts.quiet]).toEqual(["here:/a"]);
    engine.hosts.quiet.clear();
    await engine.apply("");
    expect([...engine.hosts.quiet]).toEqual(["here:/a"]);
  });

  test("are not shown by an output that does not say so", async () => {
    const shown = `${text}output "x" { value = test_file.a.content }`;
    expect(await engine.problems(shown)).toEqual([
      expect.stringContaining('Output "x" would show something sensitive'),
    ]);
    await engine.apply(
      shown.replace("content }", "content\n sensitive = true\n}").replace("{ value", "{\n value"),
    );
    expect(engine.state().outputs.x).toMatchObject({ value: "token t0ps3cret", sensitive: true });
  });

  test("are no keys of instances", async () => {
    const each = text.replace('path = "/a"', "for_each = toset([var.token])\npath = each.key");
    const said = await engine.problems(each);
    expect(said).toEqual([expect.stringContaining('"for_each" is sensitive')]);
    expect(said.join()).not.toContain("t0ps3cret");
  });
});

describe("what is wrong in a configuration is said, each thing once", () => {
  for (const [what, text, said] of [
    [
      "a cycle",
      `${file("a", "path = test_file.b.path")}${file("b", "path = test_file.c.path")}${file("c", "path = test_file.a.path")}`,
      ["test_file.a → test_file.b → test_file.c → test_file.a"],
    ],
    ["itself", file("a", "path = test_file.a.path"), ["test_file.a refers to itself"]],
    ["locals in a cycle", "locals {\n a = local.b\n b = local.a\n}", ["local.a → local.b → local.a"]],
    ["a misspelt argument", file("a", 'path = "/a"\ncontnet = "x"'), ['Did you mean "content"?']],
    ["a misspelt block", file("a", 'path = "/a"\nshs {\n}'), ['Did you mean "ssh"?']],
    ["a missing argument", file("a", 'content = "x"'), ['"path" is missing']],
    ["a computed argument", file("a", 'path = "/a"\nsha = "x"'), ['"sha" cannot be set']],
    ["a wrong type", file("a", 'path = ["/a"]'), ['"path" has a value of the wrong type']],
    ["a null that is required", file("a", "path = null"), ['"path" must not be null']],
    ["an unknown type", 'resource "test_fil" "a" {\n}', ['Did you mean "test_file"?']],
    [
      "an unknown variable",
      'variable "name" {\n default = "x"\n}\noutput "x" {\n value = var.nmae\n}',
      ['Did you mean "name"?'],
    ],
    [
      "an unknown instance",
      `${file("a", 'for_each = { x = 1 }\npath = "/a"')}output "x" {\n value = test_file.a["y"].path\n}`,
      ["test_file.a has no such instance"],
    ],
    [
      "the same on every host",
      file("a", 'for_each = { a = 1, b = 2, c = 3 }\npath = "/${each.name}"'),
      ['"each" has no attribute "name"'],
    ],
    ["each outside of for_each", file("a", "path = each.key"), ['"each" has no meaning here']],
    ["a list for for_each", file("a", 'for_each = ["a"]\npath = "/a"'), ["Convert it with toset()"]],
    ["a negative count", file("a", 'count = -1\npath = "/a"'), ['"count" cannot be -1']],
    [
      "a second provider",
      'provider "test" {\n}\nprovider "test" {\n alias = "b"\n}',
      ["Only one provider configuration"],
    ],
    ["a data source", 'output "x" {\n value = data.x.y\n}', ['"data" is not supported by this version']],
  ] as const) {
    test(what, async () => {
      const found = await engine.problems(text);
      expect(found).toHaveLength(said.length);
      for (const [i, part] of said.entries()) expect(found[i]).toContain(part);
    });
  }
});

describe("meta-arguments", () => {
  test("count makes numbered instances", async () => {
    const text = (count: number) =>
      `${file("a", `count = ${count}\npath = "/\${count.index}"`)}output "all" { value = test_file.a[*].path }`;
    await engine.apply(text(3));
    expect(engine.state().resources[0]!.instances.map(({ index_key }) => index_key)).toEqual([0, 1, 2]);
    expect(engine.state().outputs.all!.value).toEqual(["/0", "/1", "/2"]);
    expect(actionsOf(await engine.plan(text(2)))).toEqual({
      "test_file.a[2]": "delete removed",
      "test_file.a[0]": "none",
      "test_file.a[1]": "none",
    });
  });

  test("prevent_destroy keeps an instance from a replacement and a destroy", async () => {
    const text = file("a", 'path = "/a"\nlifecycle {\n prevent_destroy = true\n}');
    await engine.apply(text);
    expect(await engine.problems(text.replace('"/a"', '"/b"'))).toEqual([
      expect.stringContaining("Instance must not be destroyed"),
    ]);
    expect(await engine.problems(text, { mode: "destroy" })).toEqual([
      expect.stringContaining("Instance must not be destroyed"),
    ]);
  });

  test("ignore_changes leaves an argument as it is stored", async () => {
    const text = file("a", 'path = "/a"\ncontent = "one"\nlifecycle {\n ignore_changes = [content]\n}');
    await engine.apply(text);
    expect(actionsOf(await engine.plan(text.replace("one", "two")))).toEqual({ "test_file.a": "none" });
    engine.hosts.files.set("here:/a", "by hand");
    expect(actionsOf(await engine.plan(text))).toEqual({ "test_file.a": "none" });
  });
});

describe("an object that another address holds", () => {
  const text = (name: string, path = "/a") =>
    file(name, `path = "${path}"\ncontent = "x"\nssh {\n address = "h1"\n}`);

  test("is not deleted when its step is renamed", async () => {
    await engine.apply(text("old"));
    const plan = await engine.plan(text("new"));
    expect(actionsOf(plan)).toEqual({ "test_file.old": "delete removed", "test_file.new": "create create" });
    expect(plan.changes.map(({ decision }) => decision.keeps)).toEqual(["shared", undefined]);
    expect(plan.diagnostics.map(({ summary, detail }) => `${summary}: ${detail}`)).toEqual([
      expect.stringMatching(/not deleted: test_file\.old ends, and test_file\.new is the same object/),
    ]);
    expect(await engine.apply(text("new"))).toMatchObject({ deleted: 0, kept: 1 });
    expect(engine.hosts.log).toEqual(["write h1:/a"]);
    expect(engine.state().resources.map(({ name }) => name)).toEqual(["new"]);
  });

  test("is not deleted by the replacement of another", async () => {
    await engine.apply(text("a") + text("b", "/b"));
    await engine.apply(text("a", "/c") + text("b", "/a"));
    expect(engine.hosts.log).toEqual(["remove h1:/b", "write h1:/c", "write h1:/a"]);
  });

  test("is deleted when it is on another host", async () => {
    await engine.apply(text("old"));
    await engine.apply(text("new").replace("h1", "h2"));
    expect(engine.hosts.log).toEqual(["remove h1:/a", "write h2:/a"]);
  });
});

test("an instance is replaced when that is asked for", async () => {
  const text = file("a", 'path = "/a"');
  await engine.apply(text);
  expect(actionsOf(await engine.plan(text, { replace: ["test_file.a"] }))).toEqual({
    "test_file.a": "replace requested",
  });
  expect(await engine.apply(text, { replace: ["test_file.a"] })).toMatchObject({ replaced: 1 });
  expect(engine.hosts.log).toEqual(["remove here:/a", "write here:/a"]);
  expect(await engine.problems(text, { replace: ["test_file.b"] })).toEqual([
    "There is nothing to be replaced at this address: test_file.b is not in the state. Did you mean test_file.a?",
  ]);
});

describe("outputs", () => {
  const text = `${file("a", 'path = "/a"\ncontent = "x"')}output "big" {\n value = 9007199254740993\n}\noutput "rev" {\n value = test_file.a.revision\n}\noutput "none" {\n value = null\n}`;
  test("are planned, stored exactly, and the same object when they stay", async () => {
    const plan = await engine.plan(text);
    expect(plan.outputs.map(({ name }) => name)).toEqual(["big", "rev"]);
    expect(isUnknown(plan.outputs[1]!.after!)).toBe(true);
    await engine.apply(text);
    const again = await engine.plan(text);
    expect(again.outputs.every(({ before, after }) => before !== undefined && before === after)).toBe(true);
    expect(String(again.outputs[0]!.after!.data)).toBe("9007199254740993");
    const without = await engine.plan(file("a", 'path = "/a"\ncontent = "x"'));
    expect(without.outputs.map(({ name, after }) => [name, after])).toEqual([
      ["big", undefined],
      ["rev", undefined],
    ]);
  });
});

describe("refresh only", () => {
  const text = `${file("a", 'path = "/a"\ncontent = "x"')}${file("b", 'path = "/b"\ncontent = "x"')}`;
  test("shows and stores what the hosts have, and changes nothing there", async () => {
    await engine.apply(text);
    engine.hosts.files.set("here:/a", "by hand");
    engine.hosts.files.delete("here:/b");
    const plan = await engine.plan(text, { mode: "refresh-only" });
    expect(actionsOf(plan)).toEqual({ "test_file.a": "none drift", "test_file.b": "none gone" });
    expect(plan.stateChanged).toBe(true);
    expect(plan.changes[0]!.decision.drift.map(({ before, after }) => [before!.data, after!.data])).toEqual([
      ["x", "by hand"],
      ["sha(x)", "sha(by hand)"],
    ]);
    await engine.apply(text, { mode: "refresh-only" });
    expect(engine.hosts.log).toEqual([]);
    expect(
      engine.state().resources.map(({ name, instances }) => [name, instances[0]!.attributes.content]),
    ).toEqual([["a", "by hand"]]);
    expect((await engine.plan(text, { mode: "refresh-only" })).stateChanged).toBe(false);
  });
});

describe("variables", () => {
  const input = (name: string, text: string, more: Partial<VariableInput> = {}): VariableInput => ({
    name,
    text,
    source: "-var",
    ...more,
  });
  const valueFrom = async (declaration: string, ...variables: VariableInput[]) => {
    const plan = await engine.plan(
      `variable "x" {\n${declaration}\n}\noutput "x" {\n value = jsonencode(var.x)\n}`,
      { variables },
    );
    return plan.outputs[0]!.after!.data;
  };
  const wrong = (declaration: string, ...variables: VariableInput[]) =>
    engine.problems(`variable "x" {\n${declaration}\n}`, { variables });

  test("come from outside, the last one counts, or are the default", async () => {
    expect(await valueFrom('default = "d"')).toBe('"d"');
    expect(await valueFrom('default = "d"', input("x", "one"), input("x", "two"))).toBe('"two"');
    expect(await valueFrom("type = number", input("x", "9007199254740993"))).toBe("9007199254740993");
    expect(await valueFrom("type = list(string)", input("x", '["a", 1]'))).toBe('["a","1"]');
    expect(await valueFrom("type = string", input("x", '"quoted"', { form: "expression" }))).toBe('"quoted"');
    expect(
      await valueFrom("type = object({ a = string, b = optional(number, 5) })", input("x", '{ a = "1" }')),
    ).toBe('{"a":"1","b":5}');
    expect(
      await valueFrom('default = "d"\nnullable = false', input("x", "null", { form: "expression" })),
    ).toBe('"d"');
  });

  test("that are wrong are said", async () => {
    expect(await wrong("")).toEqual([expect.stringContaining('No value for variable "x"')]);
    expect(await wrong("type = number", input("x", "abc"))).toEqual([
      expect.stringContaining('Variable "x" cannot have this value'),
    ]);
    expect(await wrong("type = number\nsensitive = true", input("x", "abc"))).toEqual([
      expect.not.stringContaining("abc"),
    ]);
    expect(await wrong('default = "d"', input("y", "1"))).toEqual([
      expect.stringContaining('There is no variable "y"'),
    ]);
    expect(await wrong("default = null\nnullable = false")).toEqual([
      expect.stringContaining("must not be null"),
    ]);
    expect(
      await wrong(
        'default = 3\nvalidation {\n condition = var.x > 5\n error_message = "Give more than ${var.x}."\n}',
      ),
    ).toEqual([expect.stringContaining("Give more than 3.")]);
  });

  test("of the environment may be for something else", async () => {
    expect(await valueFrom('default = "d"', input("other", "1", { source: "TF_VAR_other" }))).toBe('"d"');
  });
});

test("a state with other providers' resources is refused", async () => {
  const resource = (mode: string) => ({
    mode,
    type: "null_resource",
    name: "a",
    provider: 'provider["registry.opentofu.org/hashicorp/null"]',
    instances: [],
  });
  const state = (mode: string) =>
    JSON.stringify({
      version: 4,
      terraform_version: "1.12.6",
      serial: 1,
      lineage: "l",
      outputs: {},
      resources: [resource(mode)],
    });
  writeFileSync(engine.statePath, state("managed"));
  expect(await engine.problems(file("a", 'path = "/a"'))).toEqual([
    expect.stringContaining("null_resource.a"),
  ]);
  writeFileSync(engine.statePath, state("data"));
  await engine.apply(file("a", 'path = "/a"'));
  expect(engine.state().resources.map(({ type }) => type)).toEqual(["null_resource", "test_file"]);
});

describe("a step with keys of its own", () => {
  const text = (content: string) => `locals {
    hosts = ["h1", "h2"]
    pairs = { for pair in setproduct(local.hosts, ["x", "y"]) : "\${pair[0]}/\${pair[1]}" => pair[0] }
  }
  ${file("web__a", `for_each = local.pairs\npath = "/\${each.key}"\ncontent = each.key == "h2/y" ? "${content}" : "a"`)}
  resource "test_action" "web__run" {
    for_each = toset(local.hosts)
    name     = each.key
    triggers = [{ for k, v in test_file.web__a : k => v.revision if startswith(k, "\${each.key}/") }]
  }`;

  test("notifies on its own host, by its instances there", async () => {
    await engine.apply(text("one"));
    const handlers = engine.state().resources.find(({ type }) => type === "test_action")!.instances;
    expect(handlers.map(({ attributes }) => attributes.triggers)).toEqual([
      {
        value: [{ "h1/x": "r1", "h1/y": "r2" }],
        type: ["tuple", [["object", { "h1/x": "string", "h1/y": "string" }]]],
      },
      {
        value: [{ "h2/x": "r3", "h2/y": "r4" }],
        type: ["tuple", [["object", { "h2/x": "string", "h2/y": "string" }]]],
      },
    ]);
    const plan = await engine.plan(text("two"));
    expect(actionsOf(plan)).toMatchObject({
      'test_file.web__a["h2/y"]': "update config",
      'test_action.web__run["h1"]': "none",
      'test_action.web__run["h2"]': "replace triggers",
    });
    expect(plan.changes.at(-1)!.decision.reasons[0]!.dependencies).toEqual(['test_file.web__a["h2/y"]']);
    expect(await engine.apply(text("two"))).toMatchObject({ updated: 1, replaced: 1, failed: [] });
  });
});
