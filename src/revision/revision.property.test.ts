/**
 * When a revision stays (C2 to C4, C9, C11, C13), for any configured, stored, observed and last applied object. What is
 * expected is worked out here by itself, from plain objects.
 */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  bool,
  dynamic,
  number,
  type ResourceSchema,
  schemaType,
  string,
  stringMap,
} from "../schema/schema.ts";
import { fromPlain, type PlainObject, toPlain } from "../values/plain.ts";
import { isUnknown, nullValue, Unknown, type Value } from "../values/value.ts";
import { type DecidingKind, decide } from "./decide.ts";

const text = { describe: "" };
const ssh = {
  ...text,
  blocks: {},
  attributes: {
    address: string({ ...text, optional: true }),
    port: number({ ...text, optional: true }),
    user: string({ ...text, optional: true, hostEffect: false }),
    become: bool({ ...text, optional: true, hostEffect: false }),
  },
};
const schema: ResourceSchema = {
  version: 0,
  describe: "",
  attributes: {
    path: string({ ...text, required: true, identity: true }),
    content: string({ ...text, optional: true, observed: true }),
    mode: string({ ...text, optional: true, computed: true, observed: true }),
    hash: string({ ...text, computed: true, observed: true }),
    triggers: stringMap({ ...text, optional: true }),
    on_remove: string({ ...text, optional: true, hostEffect: false }),
    timeout: string({ ...text, optional: true, hostEffect: false }),
    revision: string({ ...text, computed: true }),
  },
  blocks: { ssh },
};
const step: DecidingKind = {
  type: "conn3x_test",
  role: "step",
  schema,
  plan: (diff) => {
    if (diff.isKnown("content")) diff.setNew("hash", `hash of ${diff.get("content")}`);
    else diff.setNewComputed("hash");
  },
};

/** What a person writes. */
interface Configured {
  readonly content: string | null;
  readonly mode: string | null;
  readonly triggers: { readonly [name: string]: string } | null;
  readonly on_remove: string | null;
  readonly timeout: string | null;
  readonly ssh: {
    readonly address: string;
    readonly port: number | null;
    readonly user: string | null;
    readonly become: boolean | null;
  };
}
const word = fc.constantFrom("x", "y");
const orNone = <T>(some: fc.Arbitrary<T>) => fc.option(some, { nil: null });
const configured: fc.Arbitrary<Configured> = fc.record({
  content: orNone(word),
  mode: orNone(word),
  triggers: orNone(fc.dictionary(word, word, { maxKeys: 2 })),
  on_remove: orNone(word),
  timeout: orNone(word),
  ssh: fc.record({
    address: word,
    port: orNone(fc.constantFrom(22, 23)),
    user: orNone(word),
    become: orNone(fc.boolean()),
  }),
});

const type = schemaType(schema);
const object = (plain: PlainObject): Value =>
  fromPlain({ path: "/a", hash: null, revision: null, ...plain }, type);
const plainOf = (config: Configured): PlainObject => ({ ...config, ssh: { ...config.ssh } });
/** The object that an apply of a configuration leaves, where a mode that is not configured comes from the host. */
const applied = (config: Configured, mode: string): PlainObject => ({
  ...plainOf(config),
  mode: config.mode ?? mode,
  hash: `hash of ${config.content}`,
  revision: "r",
});

const decided = (config: PlainObject, prior: PlainObject, last: PlainObject, kind = step) => {
  const { planned, decision } = decide(kind, {
    config: object(config),
    prior: object(prior),
    lastApplied: object(last),
  });
  const revision = (planned.data as ReadonlyMap<string, Value>).get("revision")!;
  return { action: decision.action, isKept: !isUnknown(revision), decision };
};

/** Settings that have an effect on the host (C3), as one text. */
const effect = (
  { content, triggers, ssh }: Pick<Configured, "content" | "triggers" | "ssh">,
  mode: unknown,
): string =>
  JSON.stringify([
    content,
    mode,
    Object.entries(triggers ?? {}).sort(),
    triggers === null,
    ssh.address,
    ssh.port,
  ]);

describe("a step's revision", () => {
  test("C2, C3, C4: stays exactly when nothing that touches the host differs", () => {
    fc.assert(
      fc.property(configured, configured, word, (before, now, found) => {
        const prior = applied(before, found);
        const mode = now.mode ?? prior.mode;
        const isSame = effect(before, prior.mode) === effect(now, mode);
        expect(decided(plainOf(now), prior, prior).isKept).toBe(isSame);
      }),
      { numRuns: 300 },
    );
  });

  test("C3: settings that change nothing on the host are an update that keeps it", () => {
    fc.assert(
      fc.property(
        configured,
        word,
        orNone(word),
        orNone(word),
        orNone(word),
        (before, found, on_remove, timeout, user) => {
          const prior = applied(before, found);
          const now = { ...before, on_remove, timeout, ssh: { ...before.ssh, user } };
          const isSame =
            on_remove === before.on_remove && timeout === before.timeout && user === before.ssh.user;
          const { action, isKept } = decided(plainOf(now), prior, prior);
          expect([action, isKept]).toEqual([isSame ? "none" : "update", true]);
        },
      ),
    );
  });

  test("C11, X9: drift that is put back makes it unknown, and is no edit", () => {
    fc.assert(
      fc.property(configured, word, orNone(word), word, (config, found, content, mode) => {
        const last = applied({ ...config, mode: config.mode ?? found }, found);
        const prior = { ...last, content, mode, hash: `hash of ${content}` };
        const hasDrifted = content !== last.content || mode !== last.mode;
        const { action, isKept, decision } = decided(
          plainOf({ ...config, mode: config.mode ?? found }),
          prior,
          last,
        );
        expect([action, isKept]).toEqual(hasDrifted ? ["update", false] : ["none", true]);
        expect(decision.edits).toEqual([]);
        expect(decision.reasons.map(({ kind }) => kind)).toEqual(hasDrifted ? ["drift"] : []);
      }),
    );
  });

  test("an edit that the host shows already makes it unknown, as long as it was not applied", () => {
    fc.assert(
      fc.property(configured, configured, word, (before, now, found) => {
        const last = applied(before, found);
        const prior = { ...applied(now, found), mode: now.mode ?? last.mode! };
        const isSame = effect(before, last.mode) === effect(now, prior.mode);
        expect(decided(plainOf(now), prior, last).isKept).toBe(isSame);
      }),
      { numRuns: 300 },
    );
  });

  test("X8: whatever is done has a reason, and nothing has one that is left as it is", () => {
    const input = fc.constantFrom("content", "mode", "triggers", "nothing");
    fc.assert(
      fc.property(configured, configured, configured, word, input, (before, now, seen, found, unknown) => {
        const last = applied(before, found);
        const prior = { ...applied({ ...before, content: seen.content, mode: seen.mode }, found) };
        const config = unknown === "nothing" ? plainOf(now) : { ...plainOf(now), [unknown]: new Unknown() };
        const { action, decision } = decided(config, prior, last);
        expect(decision.reasons.length > 0).toBe(action !== "none");
      }),
      { numRuns: 300 },
    );
  });

  test("C13, X2: an unknown input makes it unknown", () => {
    fc.assert(
      fc.property(configured, word, fc.constantFrom("content", "triggers"), (config, found, name) => {
        const prior = applied(config, found);
        const { action, isKept } = decided({ ...plainOf(config), [name]: new Unknown() }, prior, prior);
        expect([action, isKept]).toEqual(["update", false]);
      }),
    );
  });

  test("C2: is unknown while there is no prior object", () => {
    fc.assert(
      fc.property(configured, (config) => {
        const { planned } = decide(step, {
          config: object(plainOf(config)),
          prior: nullValue(type),
          lastApplied: nullValue(type),
        });
        expect(isUnknown((planned.data as ReadonlyMap<string, Value>).get("revision")!)).toBe(true);
      }),
    );
  });

  test("X10: what the configuration leaves to the provider is what was found, and nothing else", () => {
    fc.assert(
      fc.property(configured, word, word, (config, found, changed) => {
        const last = applied({ ...config, mode: null }, found);
        const prior = { ...last, mode: changed };
        const { planned } = decide(step, {
          config: object(plainOf({ ...config, mode: null })),
          prior: object(prior),
          lastApplied: object(last),
        });
        expect((toPlain(planned) as PlainObject).mode).toBe(changed);
      }),
    );
  });
});

describe("an action's revision", () => {
  const handler: ResourceSchema = {
    version: 0,
    describe: "",
    attributes: {
      name: string({ ...text, required: true }),
      action: string({ ...text, required: true }),
      triggers: dynamic({ ...text, optional: true }),
      revision: string({ ...text, computed: true }),
    },
    blocks: { ssh },
  };
  const kind: DecidingKind = {
    type: "conn3x_test_action",
    role: "action",
    schema: handler,
    plan: (diff) => {
      if (diff.hasChange("triggers")) diff.forceReplace("triggers");
    },
  };
  const settings = fc.record({ name: word, action: word, triggers: fc.array(word, { maxLength: 2 }) });

  test("C9: changed triggers replace it, anything else updates it in place and keeps it", () => {
    fc.assert(
      fc.property(settings, settings, (before, now) => {
        const of = (plain: PlainObject) =>
          fromPlain({ ssh: null, revision: null, ...plain }, schemaType(handler));
        const prior = of({ ...before, revision: "r" });
        const { planned, decision } = decide(kind, { config: of({ ...now }), prior, lastApplied: prior });
        const isRun = JSON.stringify(before.triggers) !== JSON.stringify(now.triggers);
        const isSame = !isRun && before.name === now.name && before.action === now.action;
        expect(decision.action).toBe(isRun ? "replace" : isSame ? "none" : "update");
        const revision = (planned.data as ReadonlyMap<string, Value>).get("revision")!;
        expect(isUnknown(revision)).toBe(isRun);
      }),
    );
  });
});
