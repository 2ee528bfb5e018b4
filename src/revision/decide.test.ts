import { describe, expect, test } from "vitest";
import {
  bool,
  dynamic,
  oneOf,
  type ResourceSchema,
  schemaType,
  string,
  stringMap,
} from "../schema/schema.ts";
import { formatPath } from "../values/path.ts";
import { fromPlain, type PlainObject } from "../values/plain.ts";
import { isUnknown, nullValue, Unknown, type Value } from "../values/value.ts";
import { type DecidingKind, decide } from "./decide.ts";

const text = { describe: "" };
const schema: ResourceSchema = {
  version: 0,
  describe: "",
  attributes: {
    path: string({ ...text, required: true, identity: true }),
    content: string({ ...text, optional: true, observed: true }),
    mode: string({
      ...text,
      optional: true,
      computed: true,
      observed: true,
      equivalent: (a, b) => Number(a) === Number(b),
    }),
    sha256: string({ ...text, computed: true, observed: true }),
    on_remove: oneOf(["delete", "keep"], { ...text, optional: true, hostEffect: false }),
    revision: string({ ...text, computed: true }),
  },
  blocks: {
    ssh: {
      describe: "",
      blocks: {},
      attributes: {
        address: string({ ...text, optional: true }),
        user: string({ ...text, optional: true, hostEffect: false }),
        become: bool({ ...text, optional: true, hostEffect: false }),
      },
    },
  },
};

/** A step like `file`: its hash follows from its content. */
const step: DecidingKind = {
  type: "conn3x_test",
  role: "step",
  schema,
  plan: (diff) => {
    if (diff.isKnown("content")) diff.setNew("sha256", `hash of ${diff.get("content")}`);
    else diff.setNewComputed("sha256");
  },
};

const object = (plain: PlainObject): Value => fromPlain(plain, schemaType(schema));
const none = nullValue(schemaType(schema));
const ssh = { address: "10.0.0.1", user: "deploy", become: true };
const configured: PlainObject = { path: "/a", content: "new", ssh };
const stored: PlainObject = {
  path: "/a",
  content: "new",
  mode: "0644",
  sha256: "hash of new",
  revision: "00000000000000aa",
  ssh,
};

const decided = (config: PlainObject, prior: PlainObject | undefined, applied = prior, kind = step) => {
  const { planned, decision } = decide(kind, {
    config: object(config),
    prior: prior === undefined ? none : object(prior),
    lastApplied: applied === undefined ? none : object(applied),
  });
  const field = (name: string) => (planned.data as ReadonlyMap<string, Value>).get(name)!;
  const revision = field("revision");
  return {
    action: decision.action,
    reasons: decision.reasons.map(({ kind, paths }) => [kind, ...(paths ?? []).map(formatPath)]),
    revision: isUnknown(revision) ? "unknown" : revision.data,
    field: (name: string) => (isUnknown(field(name)) ? "unknown" : field(name).data),
    requiresReplace: decision.requiresReplace.map(formatPath),
    drift: decision.drift.map(({ path }) => formatPath(path)),
  };
};

describe("revision", () => {
  test("C2: is unknown without a prior object", () => {
    const result = decided(configured, undefined);
    expect(result).toMatchObject({ action: "create", reasons: [["create"]], revision: "unknown" });
    expect(result.field("sha256")).toBe("hash of new");
    expect(result.field("mode")).toBe("unknown");
  });

  test("C2: stays when nothing differs", () => {
    expect(decided(configured, stored)).toMatchObject({
      action: "none",
      reasons: [],
      revision: "00000000000000aa",
    });
  });

  test("C2, C4: is unknown when a setting and what is computed from it differ", () => {
    const result = decided({ ...configured, content: "newer" }, stored);
    expect(result).toMatchObject({ action: "update", reasons: [["config", "content"]], revision: "unknown" });
    expect(result.field("sha256")).toBe("hash of newer");
    expect(result.field("mode")).toBe("0644");
  });

  test.each([
    ["on_remove", { ...configured, on_remove: "keep" }, "on_remove"],
    ["the login user", { ...configured, ssh: { ...ssh, user: "root" } }, "ssh.user"],
    ["become", { ...configured, ssh: { ...ssh, become: false } }, "ssh.become"],
  ])("C3: stays when only %s differs, which is still recorded", (_, config, path) => {
    expect(decided(config, stored)).toMatchObject({
      action: "update",
      reasons: [["config", path]],
      revision: "00000000000000aa",
    });
  });

  test("one that an edited state has lost is made with the next change, whatever that is", () => {
    const lost = { ...stored, revision: null };
    expect(decided({ ...configured, on_remove: "keep" }, lost).revision).toBe("unknown");
    expect(decided(configured, lost)).toMatchObject({ action: "none", revision: null });
  });

  test("C3: an ssh block that came and sets only how to log in changes nothing on the host", () => {
    const without = { ...stored, ssh: null };
    expect(decided({ ...configured, ssh: { user: "deploy" } }, without).revision).toBe("00000000000000aa");
    expect(decided(configured, without).revision).toBe("unknown");
  });

  test("C3: is unknown when the address differs", () => {
    const config = { ...configured, ssh: { ...ssh, address: "10.0.0.2" } };
    expect(decided(config, stored)).toMatchObject({ action: "update", revision: "unknown" });
  });

  test("C11: putting back a hand edit makes it unknown, and is called drift", () => {
    const edited = { ...stored, content: "by hand", sha256: "hash of by hand" };
    expect(decided(configured, edited, stored)).toMatchObject({
      action: "update",
      reasons: [["drift", "content", "sha256"]],
      revision: "unknown",
    });
  });

  test("an edit that the host already shows makes it unknown: an interrupted run may have lost its handler", () => {
    const found = { ...stored, content: "newer", sha256: "hash of newer" };
    expect(decided({ ...configured, content: "newer" }, found, stored)).toMatchObject({
      action: "update",
      reasons: [["config", "content"]],
      revision: "unknown",
    });
  });

  test("edits and drift of one instance are told apart", () => {
    const edited = { ...stored, mode: "0600" };
    const result = decided({ ...configured, content: "newer", mode: "0644" }, edited, {
      ...stored,
      mode: "0644",
    });
    expect(result.reasons).toEqual([
      ["config", "content"],
      ["drift", "mode"],
    ]);
  });
});

describe("what is computed from something outside of the configuration, such as a local file", () => {
  const outside: ResourceSchema = {
    ...schema,
    attributes: {
      ...schema.attributes,
      source: string({ ...text, optional: true }),
      sha256: string({ ...text, computed: true, observed: true, follows: ["content", "source"] }),
    },
  };
  const holding = (hash: string): DecidingKind => ({
    ...step,
    schema: outside,
    plan: (diff) => {
      if (!diff.isTheirs("source")) diff.setNew("sha256", hash);
    },
  });
  const value = (plain: PlainObject) =>
    fromPlain({ path: "/a", mode: "0644", ssh, ...plain }, schemaType(outside));
  const before = { source: "s", sha256: "one", revision: "00000000000000aa" };
  /** @param found the hash that is on the host; `one` is what was applied */
  const ask = (found: string, wanted: string, config: PlainObject = { source: "s" }) => {
    const { planned, decision } = decide(holding(wanted), {
      config: value(config),
      prior: value({ ...before, sha256: found }),
      lastApplied: value(before),
    });
    const revision = (planned.data as ReadonlyMap<string, Value>).get("revision")!;
    return [
      decision.action,
      isUnknown(revision) ? "renewed" : "kept",
      ...decision.reasons.map(({ kind, paths = [] }) => [kind, ...paths.map(formatPath)].join(" ")),
    ];
  };

  test.each([
    ["C4, X8: differs: it is an edit of the setting that names it", "one", "two", ["config source"]],
    ["is the same: nothing is done", "one", "one", []],
    ["C11: was changed on the host: it is drift", "other", "one", ["drift sha256"]],
    ["X8: both: each is said", "other", "two", ["config source", "drift sha256"]],
    ["differs, and the host has it already: a handler may have been lost", "two", "two", ["config source"]],
  ])("%s", (_, found, wanted, reasons) => {
    const expected = reasons.length === 0 ? ["none", "kept"] : ["update", "renewed", ...reasons];
    expect(ask(found, wanted)).toEqual(expected);
  });

  test("an edited setting says enough", () => {
    expect(ask("one", "two", { source: "t" })).toEqual(["update", "renewed", "config source"]);
  });
});

describe("settings left to the host", () => {
  test("are kept as found, whatever they were", () => {
    const found = { ...stored, mode: "0600" };
    const result = decided(configured, found, stored);
    expect(result).toMatchObject({ action: "none", drift: ["mode"], revision: "00000000000000aa" });
    expect(result.field("mode")).toBe("0600");
  });

  test("another spelling of the same value is no change", () => {
    const result = decided({ ...configured, mode: "644" }, stored);
    expect(result).toMatchObject({ action: "none", revision: "00000000000000aa" });
  });
});

describe("X1: answers", () => {
  test("a kind that answers nothing itself: no change, or an update of what differs, whatever its revision is", () => {
    expect(decided(configured, stored).action).toBe("none");
    expect(decided(configured, { ...stored, revision: "another" }).action).toBe("none");
    expect(decided({ ...configured, content: "newer" }, stored).action).toBe("update");
  });

  test("X8: an identity attribute that differs replaces, and is the reason", () => {
    expect(decided({ ...configured, path: "/b" }, stored)).toMatchObject({
      action: "replace",
      reasons: [["identity", "path"]],
      requiresReplace: ["path"],
      revision: "unknown",
    });
  });

  test("X2: an unknown input is at least an update, even if the kind says that nothing is to be done", () => {
    const quiet: DecidingKind = { ...step, changed: () => "none" };
    const config = { ...configured, content: new Unknown() };
    const result = decided(config, stored, stored, quiet);
    expect(result).toMatchObject({
      action: "update",
      reasons: [["unknown_input", "content"]],
      revision: "unknown",
    });
    expect(result.field("sha256")).toBe("unknown");
  });

  test("X1, X2: a kind may answer for itself and is given what was edited", () => {
    const asked: string[] = [];
    const kind: DecidingKind = {
      ...step,
      changed: ({ changes, old, new: now }) => {
        asked.push(...changes.map(({ path }) => formatPath(path)), String(old.content), String(now.content));
        return "none";
      },
    };
    expect(decided({ ...configured, content: "newer" }, stored, stored, kind).action).toBe("none");
    expect(asked).toEqual(["content", "new", "newer"]);
  });

  test("X2: a kind is asked with the saved value where the new one is not known, and answers an update at least", () => {
    const asked: unknown[] = [];
    const kind: DecidingKind = {
      ...step,
      changed: ({ changes, new: now }) => {
        asked.push(now.content, changes[0]?.unknown, changes[0]?.after instanceof Unknown);
        return "none";
      },
    };
    const config = { ...configured, content: new Unknown() };
    expect(decided(config, stored, stored, kind).action).toBe("update");
    expect(asked).toEqual(["new", true, true]);
  });

  test("X1: an answer that is none of the three is an error which names the kind", () => {
    const kind: DecidingKind = { ...step, changed: () => "perhaps" as "none" };
    expect(() => decided(configured, stored, stored, kind)).toThrow(
      'conn3x_test answered "perhaps": it is none, update or replace',
    );
  });

  test("X4: a kind may answer by what it depends on, and says so as its reason", () => {
    const dependencies = [
      { address: "a.b", action: "replace" },
      { address: "a.c", action: "update" },
    ] as const;
    const answering = (answer: "update" | "replace"): DecidingKind => ({
      ...step,
      changed: (question) => (question.dependencies === dependencies ? answer : "none"),
    });
    const ask = (answer: "update" | "replace") =>
      decide(answering(answer), {
        config: object(configured),
        prior: object(stored),
        lastApplied: object(stored),
        dependencies,
      });
    for (const answer of ["update", "replace"] as const) {
      const { decision, planned } = ask(answer);
      expect(decision).toMatchObject({
        action: answer,
        reasons: [
          { kind: "dependency_replaced", dependencies: ["a.b"] },
          { kind: "dependency_updated", dependencies: ["a.c"] },
        ],
        edits: [],
      });
      expect(isUnknown((planned.data as ReadonlyMap<string, Value>).get("revision")!)).toBe(true);
    }
    expect(decided(configured, stored, stored, answering("update")).action).toBe("none");
  });
});

describe("a step with triggers", () => {
  const schema: ResourceSchema = {
    version: 0,
    describe: "",
    attributes: {
      run: string({ ...text, required: true }),
      triggers: stringMap({ ...text, optional: true }),
      revision: string({ ...text, computed: true }),
    },
    blocks: {},
  };
  const value = (plain: PlainObject) => fromPlain(plain, schemaType(schema));
  const prior = value({ run: "app", triggers: { conf: "aa" }, revision: "00000000000000bb" });

  test.each([
    ["another one", { run: "app", triggers: { conf: "cc" } }, [["triggers", 'triggers["conf"]']]],
    [
      "one that is not known yet",
      { run: "app", triggers: { conf: new Unknown() } },
      [["triggers", 'triggers["conf"]']],
    ],
    ["all not known yet", { run: "app", triggers: new Unknown() }, [["triggers", "triggers"]]],
    ["none any more", { run: "app", triggers: null }, [["triggers", "triggers"]]],
    [
      "one beside an edit",
      { run: "other", triggers: { conf: "cc" } },
      [
        ["config", "run"],
        ["triggers", 'triggers["conf"]'],
      ],
    ],
    [
      "one beside an input that is not known yet",
      { run: new Unknown(), triggers: { conf: "cc" } },
      [
        ["triggers", 'triggers["conf"]'],
        ["unknown_input", "run"],
      ],
    ],
  ])("is updated for %s", (_, config, reasons) => {
    const { decision } = decide(
      { type: "conn3x_step", role: "step", schema },
      {
        config: value(config),
        prior,
        lastApplied: prior,
      },
    );
    expect(decision.action).toBe("update");
    expect(decision.reasons.map(({ kind, paths }) => [kind, ...(paths ?? []).map(formatPath)])).toEqual(
      reasons,
    );
  });
});

describe("actions", () => {
  const actionSchema: ResourceSchema = {
    version: 0,
    describe: "",
    attributes: {
      name: string({ ...text, required: true, hostEffect: false }),
      triggers: dynamic({ ...text, optional: true }),
      revision: string({ ...text, computed: true }),
    },
    blocks: {},
  };
  const action: DecidingKind = {
    type: "conn3x_action",
    role: "action",
    schema: actionSchema,
    plan: (diff) => {
      if (!diff.creating && diff.hasChange("triggers")) diff.forceReplace("triggers");
    },
  };
  const value = (plain: PlainObject) => fromPlain(plain, schemaType(actionSchema));
  const prior = value({ name: "nginx", triggers: ["aa"], revision: "00000000000000bb" });

  test.each([
    ["triggers changed", { name: "nginx", triggers: ["cc"] }, "replace", ["triggers"]],
    ["triggers unknown", { name: "nginx", triggers: [new Unknown()] }, "replace", ["triggers"]],
    ["only the name changed", { name: "apache2", triggers: ["aa"] }, "update", []],
    ["nothing changed", { name: "nginx", triggers: ["aa"] }, "none", []],
  ] as const)("C9: %s", (_, config, expected, paths) => {
    const { decision, planned } = decide(action, { config: value(config), prior, lastApplied: prior });
    expect(decision.action).toBe(expected);
    expect(decision.requiresReplace.map(formatPath)).toEqual(paths);
    const revision = (planned.data as ReadonlyMap<string, Value>).get("revision")!;
    expect(isUnknown(revision)).toBe(expected === "replace");
  });
});
