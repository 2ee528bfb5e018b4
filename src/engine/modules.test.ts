/** Modules: their instances, values and addresses, and what depends on what through them. */
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { configurationOf } from "./testing/configuration.ts";
import { actionsOf, type TestEngine, testEngine } from "./testing/engine.ts";

let engine: TestEngine;
beforeEach(() => {
  engine = testEngine();
});
afterEach(() => engine.remove());

const using = (text: string, modules: Readonly<Record<string, string>>) => ({
  configuration: configurationOf(text, modules),
});

/** Writes a file on each of its hosts. */
const files = `
variable "hosts" {
  type    = set(string)
  default = ["h1"]
}
variable "path" {
  type = string
}
variable "text" {
  type     = string
  default  = "usual"
  nullable = false
}
resource "test_file" "web__a" {
  for_each = var.hosts
  path     = var.path
  content  = var.text
  ssh {
    address = each.key
  }
}
resource "test_file" "web__b" {
  for_each   = var.hosts
  path       = "\${var.path}.b"
  content    = "after"
  depends_on = [test_file.web__a]
  ssh {
    address = each.key
  }
}
output "revisions" {
  value = { for host, file in test_file.web__a : host => file.revision }
}
output "path" {
  value = var.path
}
`;

const plan = async (text: string, modules: Readonly<Record<string, string>>) =>
  actionsOf(await engine.plan("", using(text, modules)));

describe("instances", () => {
  test.each([
    ["one", "", ["module.m."]],
    ["by key", 'for_each = { x = 1, "y.z" = 2 }', ['module.m["x"].', 'module.m["y.z"].']],
    ["by number", "count = 2", ["module.m[0].", "module.m[1]."]],
    ["none", "count = 0", []],
  ])("%s", async (_, meta, prefixes) => {
    const text = `module "m" {\n source = "./files"\n ${meta}\n path = "/x"\n}`;
    const expected = prefixes.flatMap((prefix) => [
      [`${prefix}test_file.web__a["h1"]`, "create create"],
      [`${prefix}test_file.web__b["h1"]`, "create create"],
    ]);
    // Two instances may not manage one file: each key has a path of its own.
    const own = text.replace(
      '"/x"',
      meta === "" ? '"/x"' : meta.startsWith("count") ? '"/x${count.index}"' : '"/x${each.key}"',
    );
    expect(await plan(own, { "./files": files })).toEqual(Object.fromEntries(expected));
  });

  test("of modules in modules", async () => {
    const outer =
      'module "inner" {\n source = "./files"\n for_each = toset(["k"])\n path = "/${each.key}"\n}';
    expect(
      Object.keys(
        await plan('module "outer" {\n source = "./outer"\n count = 1\n}', {
          "./outer": outer,
          "./files": files,
        }),
      ),
    ).toEqual([
      'module.outer[0].module.inner["k"].test_file.web__a["h1"]',
      'module.outer[0].module.inner["k"].test_file.web__b["h1"]',
    ]);
  });

  test("must be known without any resource", async () => {
    const text = `${file("r")}\nmodule "m" {\n source = "./files"\n for_each = toset([test_file.r.revision])\n path = "/x"\n}`;
    expect(await engine.problems("", using(text, { "./files": files }))).toEqual([
      'Which instances module "m" has comes from a resource: The embedded engine must know it before anything is planned: take it from variables and local values, or use -engine=tofu.',
    ]);
  });
});

const file = (name: string, more = "") =>
  `resource "test_file" "${name}" {\n path = "/${name}"\n content = "x"\n ${more}\n ssh {\n address = "h1"\n }\n}\n`;

describe("values", () => {
  test("variables, outputs and what is not given", async () => {
    const text = `
module "first" {
  source = "./files"
  path   = "/first"
  text   = null
}
module "second" {
  source = "./files"
  path   = "/second"
  text   = "of \${module.first.path}: \${module.first.revisions["h1"]}"
}
output "all" { value = module.second }
`;
    await engine.apply("", using(text, { "./files": files }));
    expect(engine.hosts.files.get("h1:/first")).toBe("usual");
    expect(engine.hosts.files.get("h1:/second")).toMatch(/^of \/first: \w+$/);
    expect(Object.keys(engine.state().outputs.all!.value as object)).toEqual(["path", "revisions"]);
    expect(await plan(text, { "./files": files })).toEqual({
      'module.first.test_file.web__a["h1"]': "none",
      'module.first.test_file.web__b["h1"]': "none",
      'module.second.test_file.web__a["h1"]': "none",
      'module.second.test_file.web__b["h1"]': "none",
    });
  });

  test.each([
    [
      "of the wrong type",
      'text = "x"\n hosts = 5',
      'Variable "hosts" cannot have this value: The value from module "m": set of string required, but have number.\nIn module.m.',
    ],
    [
      "null where that may not be",
      "text = null",
      'Variable "text" must not be null: It is declared with nullable = false.\nIn module.m.',
    ],
  ])("%s", async (_, setting, problem) => {
    const text = `module "m" {\n source = "./files"\n ${setting}\n path = "/x"\n}`;
    const strict = files.replace('  default  = "usual"\n', "");
    expect(await engine.problems("", using(text, { "./files": strict }))).toEqual([problem]);
  });

  test("are checked in each instance, also where nothing uses them", async () => {
    const checked = `variable "n" {
  validation {
    condition     = var.n < 2
    error_message = "Not \${var.n}."
  }
}`;
    const text = 'module "m" {\n source = "./checked"\n for_each = { a = 1, b = 2 }\n n = each.value\n}';
    expect(await engine.problems("", using(text, { "./checked": checked }))).toEqual([
      'Variable "n" has an invalid value: Not 2.\nIn module.m["b"].',
    ]);
  });

  test("with conditions, whose values come from resources", async () => {
    const text = `module "first" {
      source = "./m"
      given  = "x"
    }
    module "second" {
      source = "./m"
      given  = module.first.out
    }`;
    const module = `variable "given" {
      validation {
        condition     = var.given != "q" && var.given != "r"
        error_message = "is \${var.given}"
      }
    }
    resource "test_file" "one" {
      path    = "/\${var.given}"
      content = var.given
      ssh {
        address = "h1"
      }
    }
    output "out" {
      value = test_file.one.revision
    }`;
    const planned = await engine.plan("", using(text, { "./m": module }));
    expect(actionsOf(planned)).toEqual({
      "module.first.test_file.one": "create create",
      "module.second.test_file.one": "create create",
    });
  });

  test("sensitive ones stay so on their way", async () => {
    const inner = `variable "s" { sensitive = true }
output "out" { value = "<\${var.s}>" }
output "length" { value = nonsensitive(length(var.s)) }`;
    const text = `module "m" {\n source = "./inner"\n s = "t0ps3cret"\n}
output "shown" { value = module.m.out }`;
    expect(await engine.problems("", using(text, { "./inner": inner }))).toEqual([
      expect.stringMatching(/^Output "shown" would show something sensitive/),
    ]);
    const fine = text.replace('"shown" { value = module.m.out }', '"shown" {\n value = module.m.length\n}');
    expect((await engine.plan("", using(fine, { "./inner": inner }))).outputs).toMatchObject([
      { name: "shown", sensitive: false },
    ]);
  });

  test("path.module is where the module is", async () => {
    const where = 'output "where" { value = "${path.module} ${path.root}" }';
    const outer =
      'module "in" {\n source = "../b"\n}\noutput "both" { value = [path.module, module.in.where] }';
    const text = 'module "a" {\n source = "./a"\n}\noutput "o" { value = module.a.both }';
    await engine.apply("", using(text, { "./a": outer, "../b": where }));
    expect(engine.state().outputs.o!.value).toEqual(["a", "b ."]);
  });

  test.each([
    ["no such output", "module.m.nothing", 'There is no output of module "m" "nothing"'],
    ["no such instance", 'module.k["z"].path', "module.k has no such instance"],
  ])("%s", async (_, expression, problem) => {
    const text = `module "m" {\n source = "./files"\n path = "/m"\n}
module "k" {\n source = "./files"\n for_each = toset(["y"])\n path = "/k"\n}
output "o" { value = ${expression} }`;
    const problems = await engine.problems("", using(text, { "./files": files }));
    expect(problems).toEqual([expect.stringContaining(problem)]);
  });
});

describe("dependencies", () => {
  const chain = `
module "a" {
  source = "./files"
  count  = 2
  path   = "/a\${count.index}"
}
${file("r", 'secret = module.a[1].revisions["h1"]')}
module "b" {
  source     = "./files"
  path       = "/b"
  depends_on = [test_file.r]
}
`;

  test("are stored without the keys of modules, looking through outputs and calls", async () => {
    await engine.apply("", using(chain, { "./files": files }));
    const stored = engine
      .state()
      .resources.map(({ module = "", name, instances }) => [
        `${module}.${name}`,
        instances[0]!.dependencies ?? [],
      ]);
    expect(Object.fromEntries(stored)).toEqual({
      "module.a[0].web__a": [],
      "module.a[0].web__b": ["module.a.test_file.web__a"],
      "module.a[1].web__a": [],
      "module.a[1].web__b": ["module.a.test_file.web__a"],
      ".r": ["module.a.test_file.web__a"],
      "module.b.web__a": ["module.a.test_file.web__a", "test_file.r"],
      "module.b.web__b": ["module.a.test_file.web__a", "module.b.test_file.web__a", "test_file.r"],
    });
  });

  test("order what is made, and what ends", async () => {
    await engine.apply("", using(chain, { "./files": files }));
    const place = (what: string) => engine.hosts.log.indexOf(what);
    expect(place("write h1:/a1")).toBeLessThan(place("write h1:/r"));
    expect(place("write h1:/r")).toBeLessThan(place("write h1:/b"));
    await engine.apply("", { ...using("", {}) });
    expect(place("remove h1:/b.b")).toBeLessThan(place("remove h1:/b"));
    expect(place("remove h1:/b")).toBeLessThan(place("remove h1:/r"));
    expect(place("remove h1:/r")).toBeLessThan(place("remove h1:/a1"));
    expect(place("remove h1:/b.b")).toBeGreaterThan(-1);
    expect(engine.state().resources).toEqual([]);
  });

  test("are the reason of what follows from them", async () => {
    const text = `
module "a" {
  source = "./files"
  path   = "/a"
  text   = "TEXT"
}
resource "test_action" "run" {
  name     = "run"
  triggers = [module.a.revisions]
  ssh {
    address = "h1"
  }
}`;
    await engine.apply("", using(text, { "./files": files }));
    const { changes } = await engine.plan("", using(text.replace("TEXT", "other"), { "./files": files }));
    const action = changes.find(({ address }) => address === "test_action.run");
    expect(action?.decision.reasons).toMatchObject([
      { kind: "triggers", dependencies: ['module.a.test_file.web__a["h1"]'] },
    ]);
  });

  test("in a cycle through modules are refused", async () => {
    const pass = 'variable "in" {}\noutput "out" { value = var.in }';
    const text = `module "a" {\n source = "./pass"\n in = module.b.out\n}
module "b" {\n source = "./pass"\n in = module.a.out\n}`;
    expect(await engine.problems("", using(text, { "./pass": pass }))).toEqual([
      expect.stringContaining("Values refer to each other in a cycle: "),
    ]);
    const each = `module "a" {\n source = "./pass"\n in = 1\n for_each = module.b.out\n}
module "b" {\n source = "./pass"\n in = 1\n for_each = module.a.out\n}`;
    expect(await engine.problems("", using(each, { "./pass": pass }))).toContainEqual(
      expect.stringContaining("Modules depend on each other in a cycle"),
    );
  });
});

describe("a failure", () => {
  test("holds back its own module's instance and host only", async () => {
    const text = `module "m" {\n source = "./files"\n for_each = toset(["x", "y"])\n hosts = ["h1", "h2"]\n path = "/\${each.key}"\n}`;
    engine.hosts.failing.set("h1:/x", "wholly");
    const { failed, notDone } = await engine.apply("", using(text, { "./files": files }));
    expect(failed.map(({ address }) => address)).toEqual(['module.m["x"].test_file.web__a["h1"]']);
    expect(notDone).toEqual(['module.m["x"].test_file.web__b["h1"]']);
  });
});

describe("what is selected", () => {
  const text = `module "m" {\n source = "./files"\n for_each = toset(["x", "y"])\n path = "/\${each.key}"\n}\n${file("r")}`;
  const [xa, xb, ya, yb] = ["x", "y"].flatMap((key) =>
    ["a", "b"].map((name) => `module.m["${key}"].test_file.web__${name}["h1"]`),
  );
  test.each([
    [{ target: ["module.m"] }, [xa, xb, ya, yb]],
    [{ target: ['module.m["x"]'] }, [xa, xb]],
    [{ target: ['module.m["x"].test_file.web__b'] }, [xa, xb]],
    [{ target: ['module.m["y"].test_file.web__a["h1"]'] }, [ya]],
    [{ target: ["module.m.test_file.web__a"] }, [xa, ya]],
    [{ circuit: ["web"] }, [xa, xb, ya, yb]],
    [{ circuit: ['module.m["y"].web'] }, [ya, yb]],
    [{ step: ["a"] }, [xa, ya]],
  ])("%o", async (selection, expected) => {
    const { changes } = await engine.plan("", { ...using(text, { "./files": files }), ...selection });
    expect(changes.map(({ address }) => address).sort()).toEqual([...expected].sort());
  });

  test("with what is stored, when it is to be destroyed", async () => {
    await engine.apply("", using(text, { "./files": files }));
    const options = { ...using(text, { "./files": files }), mode: "destroy" as const };
    const addresses = async (target: string) => {
      const { changes } = await engine.plan("", { ...options, target: [target] });
      return changes.map(({ address }) => address);
    };
    expect(await addresses('module.m["x"].test_file.web__a')).toEqual([xb, xa]);
    expect(await addresses('module.m["y"].test_file.web__b')).toEqual([yb]);
  });

  test("to be replaced", async () => {
    await engine.apply("", using(text, { "./files": files }));
    const actions = actionsOf(
      await engine.plan("", { ...using(text, { "./files": files }), replace: [ya!] }),
    );
    expect(actions[ya!]).toBe("replace requested");
  });
});

describe("what moves", () => {
  const call = (name: string, meta = "", path = "/x") =>
    `module "${name}" {\n source = "./files"\n ${meta}\n path = "${path}"\n}\n`;
  const move = (from: string, to: string) => `moved {\n from = ${from}\n to = ${to}\n}\n`;
  const each = 'for_each = toset(["k"])';

  test.each([
    ["a module", call("a"), call("b") + move("module.a", "module.b")],
    ["with all of its instances", call("a", each), call("b", each) + move("module.a", "module.b")],
    ["to a key", call("a"), call("a", each) + move("module.a", 'module.a["k"]')],
    ["from a key", call("a", each), call("b") + move('module.a["k"]', "module.b")],
    ["twice", call("a"), call("c") + move("module.b", "module.c") + move("module.a", "module.b")],
  ])("%s", async (_, before, after) => {
    await engine.apply("", using(before, { "./files": files }));
    const moved = await engine.plan("", using(after, { "./files": files }));
    expect(moved.changes.map(({ decision, movedFrom }) => [decision.action, movedFrom?.slice(0, 8)])).toEqual(
      [
        ["none", "module.a"],
        ["none", "module.a"],
      ],
    );
    await engine.apply("", using(after, { "./files": files }));
    expect(engine.hosts.log).toEqual([]);
    const again = await engine.plan("", using(after, { "./files": files }));
    expect(again.changes.map(({ decision, movedFrom }) => [decision.action, movedFrom])).toEqual([
      ["none", undefined],
      ["none", undefined],
    ]);
  });

  test("into a module, out of one, and within one", async () => {
    await engine.apply("", using(file("in"), {}));
    const inside = { "./one": file("in") };
    const text = `module "m" {\n source = "./one"\n}\n${move("test_file.in", "module.m.test_file.in")}`;
    expect(await plan(text, inside)).toEqual({ "module.m.test_file.in": "none" });
    await engine.apply("", using(text, inside));
    const renamed = { "./one": file("in").replace('"in"', '"new"') + move("test_file.in", "test_file.new") };
    const same = 'module "m" {\n source = "./one"\n}\n';
    expect(await plan(same, renamed)).toEqual({ "module.m.test_file.new": "none" });
    await engine.apply("", using(same, renamed));
    expect(
      await plan(file("in").replace('"in"', '"out"') + move("module.m.test_file.new", "test_file.out"), {}),
    ).toEqual({
      "test_file.out": "none",
    });
  });

  test.each([
    ["a module that gets a count", call("a"), call("a", "count = 1")],
    ["a module that loses it", call("a", "count = 2", "/x${count.index}"), call("a", "", "/x0")],
    ["a resource that gets one", file("r"), file("r", "count = 1")],
    ["a resource that loses it", file("r", "count = 1"), file("r")],
  ])("by itself: %s", async (_, before, after) => {
    await engine.apply("", using(before, { "./files": files }));
    const { changes } = await engine.plan("", using(after, { "./files": files }));
    const staying = changes.filter(({ decision }) => decision.action !== "delete");
    expect(staying.map(({ decision, movedFrom }) => [decision.action, movedFrom !== undefined])).toEqual(
      staying.map(() => ["none", true]),
    );
    expect(staying.length).toBeGreaterThan(0);
    await engine.apply("", using(after, { "./files": files }));
    expect(engine.hosts.log.filter((what) => what.startsWith("write"))).toEqual([]);
  });

  test("not where each has a key of its own", async () => {
    await engine.apply("", using(file("r", "count = 2").replace('"/r"', '"/r${count.index}"'), {}));
    const actions = await plan(file("r", "count = 2").replace('"/r"', '"/r${count.index}"'), {});
    expect(actions).toEqual({ "test_file.r[0]": "none", "test_file.r[1]": "none" });
  });

  test("a module is no resource", async () => {
    await engine.apply("", using(call("a"), { "./files": files }));
    const text = move("module.a", "test_file.x");
    expect(await engine.problems("", using(text, {}))).toEqual([
      expect.stringContaining("A module cannot become a resource"),
    ]);
  });

  test.each(["module.a", "module.a.test_file.web__a", 'module.a["k"].test_file.web__a["h1"]'])(
    "removed and kept: %s",
    async (from) => {
      await engine.apply("", using(call("a", each), { "./files": files }));
      const text = `removed {\n from = ${from}\n lifecycle {\n destroy = false\n }\n}`;
      await engine.apply("", using(text, {}));
      expect(engine.hosts.files.has("h1:/x")).toBe(true);
      expect(engine.hosts.files.has("h1:/x.b")).toBe(from === "module.a");
      expect(engine.state().resources).toEqual([]);
    },
  );
});

test("states say which module an instance is in", async () => {
  const text = 'module "m" {\n source = "./files"\n for_each = toset(["x"])\n path = "/x"\n}';
  await engine.apply("", using(text, { "./files": files }));
  expect(engine.state().resources.map(({ module, name }) => [module, name])).toEqual([
    ['module.m["x"]', "web__a"],
    ['module.m["x"]', "web__b"],
  ]);
});
