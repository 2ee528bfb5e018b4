/** Who owns a setting (D1 to D6), for any drift, any edits and any `drift` block. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { kinds } from "../resources/index.ts";
import { bool, type ResourceSchema, schemaType, string, stringList } from "../schema/schema.ts";
import { fromPlain, type PlainObject, toPlain } from "../values/plain.ts";
import { isUnknown, nullValue, type Value } from "../values/value.ts";
import { decide } from "./decide.ts";
import { checkIgnored } from "./ownership.ts";

const text = { describe: "" };
const schema: ResourceSchema = {
  version: 0,
  describe: "",
  attributes: {
    path: string({ ...text, required: true, identity: true }),
    mode: string({ ...text, optional: true, observed: true }),
    owner: string({ ...text, optional: true, observed: true }),
    group: string({ ...text, optional: true, observed: true }),
    on_remove: string({ ...text, optional: true, hostEffect: false }),
    force: bool({ ...text, optional: true }),
    revision: string({ ...text, computed: true }),
  },
  blocks: {
    drift: {
      ...text,
      hostEffect: false,
      blocks: {},
      attributes: {
        mode: string({ ...text, optional: true }),
        ignore: stringList({ ...text, optional: true }),
      },
    },
  },
};
const kind = { type: "conn3x_test", role: "step", schema } as const;
const names = ["mode", "owner", "group"] as const;
const object = (plain: PlainObject): Value => fromPlain(plain, schemaType(schema));

interface Settings {
  readonly mode: string;
  readonly owner: string;
  readonly group: string;
}
const word = fc.constantFrom("x", "y", "z");
const settings: fc.Arbitrary<Settings> = fc.record({ mode: word, owner: word, group: word });
const ignored = fc.subarray([...names]);

/** @param before the block that was applied; by default the one that is configured */
function decided(
  config: Settings,
  observed: Settings,
  applied: Settings,
  drift: PlainObject | null,
  before = drift,
) {
  const rest = { path: "/a", on_remove: null, force: null };
  const given = [config, observed, applied].map((one, i) =>
    object({ ...rest, ...one, drift: i === 0 ? drift : before, revision: i === 0 ? null : "r" }),
  );
  const copies = given.map((value) => JSON.stringify(toPlain(value)));
  const [configured, prior, lastApplied] = given;
  const { planned, decision, diagnostics } = decide(kind, {
    config: configured!,
    prior: prior!,
    lastApplied: lastApplied!,
  });
  // D6: works on copies.
  expect(given.map((value) => JSON.stringify(toPlain(value)))).toEqual(copies);
  const fields = planned.data as ReadonlyMap<string, Value>;
  return {
    action: decision.action,
    planned: Object.fromEntries(names.map((name) => [name, fields.get(name)!.data])),
    revision: isUnknown(fields.get("revision")!) ? "unknown" : fields.get("revision")!.data,
    warned: diagnostics.map(({ attribute }) => attribute![0]),
  };
}

const differing = (a: Settings, b: Settings) => names.filter((name) => a[name] !== b[name]);

describe("ownership", () => {
  test("D1: without a block, and with mode = enabled, drift is put back", () => {
    fc.assert(
      fc.property(settings, settings, fc.boolean(), (config, observed, hasBlock) => {
        const block = hasBlock ? { mode: "enabled", ignore: null } : null;
        const found = decided(config, observed, config, block);
        expect(found.planned).toEqual(config);
        expect(found.action).toBe(differing(config, observed).length === 0 ? "none" : "update");
        expect(found.warned).toEqual([]);
      }),
    );
  });

  test("D1: with mode = warn drift is said and left, edits are carried out", () => {
    fc.assert(
      fc.property(settings, settings, settings, (config, observed, applied) => {
        const found = decided(config, observed, applied, { mode: "warn", ignore: null });
        const edited = differing(config, applied);
        const left = differing(applied, observed).filter((name) => !edited.includes(name));
        const expected = Object.fromEntries(
          names.map((name) => [name, left.includes(name) ? observed[name] : config[name]]),
        );
        expect(found.planned).toEqual(expected);
        expect(found.warned).toEqual(left.map((attribute) => ({ attribute })));
        if (edited.length === 0) expect(found.action).toBe("none");
      }),
    );
  });

  test("D2: what is ignored is seeded from the configuration when the object is made", () => {
    fc.assert(
      fc.property(settings, ignored, (config, ignore) => {
        const none = nullValue(schemaType(schema));
        const configured = object({
          path: "/a",
          on_remove: null,
          force: null,
          revision: null,
          ...config,
          drift: { mode: null, ignore },
        });
        const { planned } = decide(kind, { config: configured, prior: none, lastApplied: none });
        expect(toPlain(planned)).toMatchObject(config);
      }),
    );
  });

  test("D2, D6: drift confined to what is ignored never causes an update, and keeps the revision", () => {
    fc.assert(
      fc.property(settings, settings, ignored, (config, other, ignore) => {
        const observed = { ...config, ...Object.fromEntries(ignore.map((name) => [name, other[name]])) };
        const found = decided(config, observed, config, { mode: null, ignore });
        expect([found.action, found.revision]).toEqual(["none", "r"]);
      }),
    );
  });

  test("D3: an update of something else leaves what is ignored as it was observed", () => {
    fc.assert(
      fc.property(settings, settings, settings, ignored, (config, observed, applied, ignore) => {
        const found = decided(config, observed, applied, { mode: null, ignore });
        for (const name of names)
          expect(found.planned[name]).toBe(ignore.includes(name) ? observed[name] : config[name]);
      }),
    );
  });
});

describe("D4: what can be left to somebody else", () => {
  const check = (of: ResourceSchema, ...ignore: string[]) => {
    const drift = of.blocks.drift;
    if (drift === undefined) return [];
    return checkIgnored(of, fromPlain({ mode: null, ignore }, schemaType(drift)));
  };

  test.each(
    [...kinds.values()]
      .filter(({ schema: { blocks } }) => blocks.drift)
      .map(({ type, schema }) => [type, schema] as const),
  )("%s: a configurable setting that is observed and is no identity, and nothing else", (_, of) => {
    for (const [name, attribute] of Object.entries(of.attributes)) {
      const able =
        attribute.observed === true &&
        attribute.identity !== true &&
        (attribute.required === true || attribute.optional === true);
      const found = check(of, name);
      // Flags allow it; a kind may still have a reason of its own, which it gives.
      if (!able) expect(found, name).toHaveLength(1);
      for (const { detail } of found) expect(detail).toContain(`"${name}"`);
    }
    expect(check(of, "nothing_of_that_name")).toHaveLength(1);
  });

  test("D4: each is refused by its name and reason", () => {
    const seen = {
      ...schema.attributes,
      place: string({ ...text, required: true, identity: true, observed: true }),
      found: string({ ...text, computed: true, observed: true }),
    };
    const all: ResourceSchema = { ...schema, attributes: seen };
    // Each of these breaks one rule only.
    expect(["place", "found", "force"].map((name) => check(all, name)[0]?.detail.split(":")[0])).toEqual([
      expect.stringMatching(/^"place" says which object it is/),
      expect.stringMatching(/^"found" is found out, not configured/),
      expect.stringMatching(/^"force" is not read from the host/),
    ]);
    const problems = check(schema, "path", "mode", "on_remove", "revision", "moode");
    expect(problems.map(({ severity }) => severity)).toEqual(["error", "error", "error", "error"]);
    expect(problems.map(({ detail }) => detail.split(" ")[0])).toEqual([
      '"path"',
      '"on_remove"',
      '"revision"',
      '"moode"',
    ]);
    expect(problems[3]!.detail).toContain('Did you mean "mode"?');
  });
});
