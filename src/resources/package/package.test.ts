import { describe, expect, test } from "vitest";
import { showValues } from "../../schema/schema.ts";
import type { PlainObject } from "../../values/plain.ts";
import { Unknown } from "../../values/value.ts";
import { AnswerError, type Found, type Look } from "../kind.ts";
import type { ScriptOperation } from "../operation.ts";
import { apt } from "./apt/apt.ts";
import type { PackageFacts } from "./facts.ts";
import type { PackageState } from "./manager.ts";
import { packageKind } from "./package.ts";

const want = (settings: PlainObject): PlainObject => ({
  name: null,
  names: null,
  version: null,
  state: null,
  hold: null,
  update_cache: null,
  cache_valid_time: null,
  lock_timeout: null,
  automatic: null,
  allow_removal: null,
  removed_later: null,
  on_remove: null,
  ...settings,
});
const states = {
  installed: { state: "installed", version: "1.0", held: false, providers: [] },
  held: { state: "installed", version: "1.0", held: true, providers: [] },
  absent: { state: "absent", version: null, held: false, providers: [] },
  configured: { state: "configured", version: null, held: false, providers: [] },
  broken: { state: "broken", version: "1.0", held: false, providers: [] },
  automatic: { state: "installed", version: "1.0", held: false, automatic: true, providers: [] },
  provided: { state: "absent", version: null, held: false, automatic: true, providers: ["exim4"] },
} as const satisfies Record<string, PackageState>;
type StateName = keyof typeof states;

const facts = (packages: Readonly<Record<string, PackageState>>, interrupted = false): PackageFacts => ({
  manager: apt,
  interrupted,
  packages: new Map(Object.entries(packages)),
});
const found = (
  packages: Readonly<Record<string, PackageState>>,
  interrupted = false,
): Found<PackageFacts> => ({
  state: "present",
  facts: facts(packages, interrupted),
});
const purposes = (settings: PlainObject, there: Found<PackageFacts>) =>
  packageKind.operate(want(settings), there).map((operation) => (operation as ScriptOperation).purpose);

describe("operate", () => {
  test.each<[PlainObject, StateName, readonly (string | undefined)[]]>([
    [{}, "installed", []],
    [{}, "provided", []],
    [{}, "absent", ["install p"]],
    [{}, "configured", ["install p"]],
    [{}, "broken", ["install p"]],
    [{ update_cache: false }, "absent", ["install p"]],
    [{ version: "1.0" }, "installed", []],
    [{ version: "1.*" }, "installed", []],
    [{ version: "2.0" }, "installed", ["install p"]],
    [{ version: "1.0" }, "provided", ["install p"]],
    [{ state: "absent" }, "installed", ["remove p"]],
    [{ state: "absent" }, "broken", ["remove p"]],
    [{ state: "absent" }, "absent", []],
    [{ state: "absent" }, "provided", []],
    [{ state: "absent" }, "configured", []],
    [{ state: "purged" }, "configured", ["remove p"]],
    [{ state: "purged" }, "absent", []],
    [{ hold: true }, "installed", ["hold p"]],
    [{ hold: true }, "held", []],
    [{ hold: false }, "held", ["release p"]],
    [{ hold: false, version: "2.0" }, "held", ["release p", "install p"]],
    [{ version: "2.0" }, "held", [undefined]],
    [{ state: "absent" }, "held", [undefined]],
    [{ state: "absent", hold: false }, "held", ["release p", "remove p"]],
    [{ automatic: false }, "automatic", ["mark p as wanted"]],
    [{ automatic: null }, "automatic", []],
    [{ automatic: false }, "provided", ["mark exim4 as wanted"]],
    [{ automatic: false, version: "2.0" }, "automatic", ["install p"]],
    [{ hold: true, version: "2.0" }, "held", ["install p", "hold p"]],
    [{ hold: true }, "absent", ["install p", "hold p"]],
  ])("%j where it is %s", (settings, state, expected) => {
    expect(purposes({ name: "p", ...settings }, found({ p: states[state] }))).toEqual(expected);
  });

  test("several at once, only those that are missing", () => {
    const there = found({ a: states.absent, b: states.installed, c: states.absent });
    expect(purposes({ names: ["c", "a", "b"] }, there)).toEqual(["install a, c"]);
  });

  test("what was interrupted is finished first, where there is anything to do", () => {
    const there = found({ p: states.absent }, true);
    expect(purposes({ name: "p" }, there)).toEqual(["finish an interrupted installation", "install p"]);
    expect(purposes({ name: "p" }, found({ p: states.installed }, true))).toEqual([]);
  });

  test("a version is exact, and may be older", () => {
    const operations = packageKind.operate(want({ name: "p", version: "1.0" }), found({ p: states.absent }));
    const { script } = operations.at(-1) as ScriptOperation;
    expect(script.text).toContain('c3x_apt "$@" --allow-downgrades install -- p=1.0\n');
  });

  test("nothing is done with a manager that is not known", () => {
    const why = "cannot be managed: …";
    expect(packageKind.operate(want({ name: "p" }), { state: "unreadable", why })).toMatchObject([
      { do: "refuse" },
    ]);
  });
});

describe("a closer look", () => {
  const { ask } = packageKind.closer!;
  const asks = (settings: PlainObject, state: StateName, look: Look): readonly string[] => {
    const question = ask(facts({ p: states[state] }), want({ name: "p", ...settings }), look);
    if (question === undefined) return [];
    if (question.ask !== "script") throw new Error(question.ask);
    return ["providers", "available", "simulation"].filter((part) =>
      question.script.text.includes(`echo ${part}`),
    );
  };
  const all = ["providers", "available", "simulation"];
  const providers = ["providers", "available"];
  test.each<[PlainObject, StateName, Look, readonly string[]]>([
    // A plan that changes nothing reads, and asks no more where all is there.
    [{}, "installed", "refresh", []],
    [{}, "absent", "refresh", providers],
    [{ state: "absent" }, "installed", "refresh", []],
    [{}, "absent", "plan_check", all],
    [{ version: "2.0" }, "installed", "plan_check", all],
    [{}, "installed", "plan_check", providers],
    [{ state: "absent" }, "installed", "plan_check", ["simulation"]],
    [{ state: "absent" }, "absent", "plan_check", []],
    [{ state: "absent" }, "installed", "act", []],
    [{}, "absent", "in_place", providers],
  ])("%j where it is %s, to %s", (settings, state, look, parts) => {
    expect(asks(settings, state, look)).toEqual(parts);
  });
});

describe("what would happen besides", () => {
  const effects = [
    { does: "remove", name: "x-use1", version: "1" },
    { does: "remove", name: "x-use2", version: "1" },
  ] as const;
  test("is not taken from what was tried for another change", () => {
    const simulation = { of: ["p", "q"], effects };
    const there = { ...facts({ p: states.installed, q: states.provided }), simulation };
    const object = want({ names: ["p", "q"], version: null, state: "present" });
    expect(packageKind.besides!(there, object, { named: new Set() })).toBeUndefined();
    const unknown = {
      ...facts({ p: { ...states.absent, available: [] } }),
      simulation: { of: ["p"], effects },
    };
    expect(packageKind.besides!(unknown, want({ name: "p" }), { named: new Set() })).toBeUndefined();
  });
  const checked = (settings: PlainObject, named: readonly string[] = [], others = false) => {
    const there = { ...facts({ p: states.installed }), simulation: { of: ["p"], effects } };
    const around = { going: { named: new Set(named) }, others };
    const object = want({ name: "p", state: "absent", ...settings });
    return packageKind.planCheck!(object, { state: "present", facts: there }, around);
  };
  test.each<[PlainObject, readonly string[], string | undefined]>([
    [{}, [], '["x-use1", "x-use2"]'],
    [{ allow_removal: ["x-use1"] }, [], '["x-use2"]'],
    [{ allow_removal: ["x-use1"], removed_later: ["x-use2"] }, [], undefined],
    [{ removed_later: new Unknown() }, ["x-use2"], '["x-use1"]'],
    [{ allow_removal: ["*"] }, [], undefined],
  ])("%j, and others take away %j: refused for %s", (settings, named, list) => {
    for (const others of [true, false]) {
      const problems = checked(settings, named, others);
      expect(problems.map(({ severity }) => severity)).toEqual(
        list === undefined ? [] : [others ? "warning" : "error"],
      );
      if (list !== undefined) expect(problems[0]!.detail).toContain(`allow_removal = ${list}`);
    }
  });
});

describe("facts", () => {
  const parse = (answer: string, ...names: readonly string[]) =>
    packageKind.facts.parse(Buffer.from(answer), [names]);

  test("of several objects in one question", () => {
    const answer = "apt\namd64\nwhole\na\tall\tinstall\tinstalled\t1.0\nstatus 1\n";
    const reported = packageKind.facts.parse(Buffer.from(answer), [["a"], ["a", "b"]]);
    expect(reported).toMatchObject([{ state: "present" }, { state: "present" }]);
    expect([...(reported[1] as { facts: PackageFacts }).facts.packages.keys()]).toEqual(["a", "b"]);
    expect(packageKind.facts.ask([["a"], ["a", "b"]]).text).toContain("-- a b 2>/dev/null");
  });
  test("a manager that cannot be used is no absence", () => {
    expect(parse("emerge\n", "a")).toMatchObject([
      { state: "unreadable", why: expect.stringContaining("emerge") },
    ]);
    expect(parse("none\n", "a")).toMatchObject([{ state: "unreadable" }]);
  });
  test("no answer is none", () => {
    expect(() => parse("", "a")).toThrow(AnswerError);
  });
});

describe("observe", () => {
  const observe = (settings: PlainObject, packages: Readonly<Record<string, PackageState>>) =>
    packageKind.observe(facts(packages), want(settings));

  test.each<[PlainObject, StateName, PlainObject]>([
    [{}, "installed", { state: null, version: "1.0", hold: false }],
    [{ version: "1.*" }, "installed", { version: "1.*" }],
    [{ version: "2.0" }, "installed", { version: "1.0" }],
    [{}, "absent", { state: "absent", version: null }],
    [{}, "broken", { state: "broken", version: "1.0" }],
    [{ state: "present" }, "provided", { state: "present", version: null }],
    [{ state: "absent" }, "installed", { state: "present" }],
    [{ state: "purged" }, "configured", { state: "absent" }],
    [{ hold: true }, "held", { hold: true }],
  ])("%j where it is %s", (settings, state, expected) => {
    expect(observe({ name: "p", ...settings }, { p: states[state] })).toMatchObject(expected);
  });

  test("of several, those that are as wanted, in the order they were written", () => {
    const packages = { a: states.installed, b: states.absent, c: states.installed };
    expect(observe({ names: ["c", "b", "a"] }, packages)).toMatchObject({ names: ["c", "a"], state: null });
    expect(observe({ names: ["c", "b", "a"], state: "absent" }, packages)).toMatchObject({ names: ["b"] });
  });
});

describe("plan_check", () => {
  const check = (settings: PlainObject, state: PackageState) =>
    packageKind.planCheck?.(want({ name: "p", ...settings }), found({ p: state }));
  const none = { ...states.absent, available: [] };
  const some = { ...states.absent, available: ["2.0", "1.0"] };

  test.each<[string, PlainObject, PackageState, readonly string[]]>([
    ["lists that are fetched first may have it", {}, none, ["warning"]],
    ["lists that are not fetched will not have it", { update_cache: false }, none, ["error"]],
    ["it is there", {}, some, []],
    ["this version is there", { version: "1.0" }, some, []],
    ["this version is not", { version: "3.0", update_cache: false }, some, ["error"]],
    ["what others may provide is apt's to know", {}, states.absent, []],
    ["it is not to be there", { state: "absent" }, none, []],
  ])("%s", (_, settings, state, severities) => {
    expect(check(settings, state)?.map(({ severity }) => severity)).toEqual(severities);
  });
});

describe("check", () => {
  const { name, names, version } = packageKind.schema.attributes;
  test.each(["curl", "g++", "libc6:i386", "linux-image-6.1.0-13-amd64", "python3.11", "Judy"])(
    "%s is a name",
    (text) => {
      expect(name?.check?.(text, showValues)).toBeUndefined();
    },
  );
  test.each(["", "curl-", "curl=1.0", "cu*", "-y", "a b", "curl;reboot", "libpython3.?"])(
    "%j is none",
    (text) => {
      expect(name?.check?.(text, showValues)).toEqual(expect.any(String));
      expect(names?.check?.([text] as never, showValues)).toEqual(expect.any(String));
    },
  );
  test("a version is one word", () => {
    expect(version?.check?.("1:2.3~rc1+b1-4", showValues)).toBeUndefined();
    expect(version?.check?.("1.0 -y", showValues)).toEqual(expect.any(String));
  });
  test("names in another order are the same", () => {
    expect(names?.equivalent?.(["a", "b"] as never, ["b", "a", "a"] as never)).toBe(true);
    expect(names?.equivalent?.(["a"] as never, ["b"] as never)).toBe(false);
  });
  test.each<[string, PlainObject]>([
    ["Missing name", {}],
    ["Version of several packages", { names: ["a"], version: "1" }],
    ["Version of nothing", { name: "a", version: "1", state: "absent" }],
  ])("%s", (summary, settings) => {
    expect(packageKind.check?.(want(settings))).toMatchObject([{ summary }]);
  });
  test.each<PlainObject>([
    { name: new Unknown(), names: new Unknown(), version: new Unknown(), state: "present" },
    { name: "a", names: new Unknown(), version: "1", state: "present" },
    { name: "a", version: new Unknown(), state: "absent" },
  ])("%j may turn out to be right", (settings) => {
    expect(packageKind.check?.(want(settings))).toEqual([]);
  });
});
