/**
 * @module Every kind through its whole life on a host: create, nothing to do, drift, repair, edit, removal.
 */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createProvider } from "../../core/create-provider.ts";
import { hasErrors } from "../../diagnostics/diagnostic.ts";
import type { Decision, ReasonKind } from "../../revision/decision.ts";
import { isConfigurable, schemaType } from "../../schema/schema.ts";
import { createSessionPool } from "../../ssh/session-pool.ts";
import { valuesEqual } from "../../values/equal.ts";
import { formatPath } from "../../values/path.ts";
import { fromPlain, type PlainObject, toPlain } from "../../values/plain.ts";
import { isNull, Unknown, type Value } from "../../values/value.ts";
import { asConfigured, type ContractProvider, createDriver, inProcess, type Stored } from "./harness.ts";
import type { LifeCase } from "./life-case.ts";

/** A host that the suite may use, and somebody independent of the product who can look at it. */
export interface Stage {
  /** Settings of the `ssh` block that reach it. */
  readonly ssh: PlainObject;
  /** Runs POSIX sh there. @returns its exit status */
  readonly shell: (script: string) => Promise<number>;
  /** Makes an empty directory there, of the test's own. @returns its absolute path */
  readonly makeRoot: () => Promise<string>;
}

const openInProcess = (): ContractProvider => inProcess(createProvider({ sessions: createSessionPool() }));

const field = (value: Value, name: string) => toPlain((value.data as ReadonlyMap<string, Value>).get(name)!);

/**
 * @param stage gives the host; called in tests and hooks only
 * @param cases rows of the tables
 * @param open gives the provider. Default: the core in this process
 */
export function lifecycleSuite(
  stage: () => Stage,
  cases: readonly LifeCase[],
  open: () => ContractProvider | Promise<ContractProvider> = openInProcess,
): void {
  let provider: ContractProvider;
  beforeAll(async () => {
    provider = await open();
  });
  const expectReason = ({ reasons }: Decision, kind: ReasonKind): void => {
    if (provider.givesReasons) expect(reasons).toMatchObject([{ kind }]);
  };
  afterAll(() => provider.close());

  describe.each(cases.map((row) => [[row.type, row.title].join(" ").trim(), row] as const))(
    "%s",
    (_, row) => {
      let root: string;
      const settings = (): PlainObject => ({ ...row.settings(root), ssh: stage().ssh });
      const edited = (): PlainObject => ({ ...row.edited?.(root), ssh: stage().ssh });
      /** Whether the host shows the object; a kind that changes nothing there is never seen. */
      const isProven = async () => row.proof !== undefined && (await stage().shell(row.proof(root))) === 0;
      const provable = row.proof !== undefined;
      const driver = () => createDriver(provider, row.type);
      const created = () => driver().apply(undefined, settings());

      beforeAll(async () => {
        root = await stage().makeRoot();
        expect(await stage().shell(row.prepare?.(root) ?? "true")).toBe(0);
      });

      test("create, nothing to do, drift, repair, nothing to do, edit, removal", async () => {
        const made = await created();
        expect(made.diagnostics).toEqual([]);
        expect(await isProven()).toBe(provable);
        const revision = field(made.state, "revision");
        expect(revision).toMatch(/^[0-9a-f]{16}$/);

        const quiet = await driver().read(made);
        expect(valuesEqual(quiet.state, made.state)).toBe(true);
        expect((await driver().apply(quiet, settings())).decision).toMatchObject({
          action: "none",
          drift: [],
        });

        const repaired = row.drift === undefined ? quiet : await driftAndRepair(row.drift, quiet);
        const changed = row.edited === undefined ? repaired : await edit(repaired);
        expect(await isProven()).toBe(provable && row.edited === undefined);

        const removed = await driver().apply(changed, undefined);
        expect(removed.diagnostics).toEqual([]);
        expect(isNull((await driver().read(changed)).state)).toBe(!row.staysWhenRemoved);
        expect(await isProven()).toBe(false);
      });

      async function edit(stored: Stored): Promise<Stored> {
        const changed = await driver().apply(stored, edited());
        expect(changed.diagnostics).toEqual([]);
        expect(changed.decision).toMatchObject({ action: "update", drift: [] });
        expectReason(changed.decision, row.editedBecause ?? "config");
        return changed;
      }

      async function driftAndRepair(drift: NonNullable<LifeCase["drift"]>, stored: Stored): Promise<Stored> {
        expect(await stage().shell(drift.script(root))).toBe(0);
        const drifted = await driver().read(stored);
        const repaired = await driver().apply(drifted, settings());
        expect(repaired.diagnostics).toEqual([]);
        expect(repaired.decision.action).toBe("update");
        expectReason(repaired.decision, "drift");
        if (provider.givesReasons)
          expect(repaired.decision.drift.map(({ path }) => formatPath(path))).toEqual(drift.paths);
        expect(await isProven()).toBe(provable);
        expect(field(repaired.state, "revision")).not.toBe(field(stored.state, "revision"));
        expect((await driver().apply(await driver().read(repaired), settings())).decision.action).toBe(
          "none",
        );
        return repaired;
      }

      const { drift, vanish } = row;
      test.skipIf(drift === undefined)("drift that goes away leaves no trace", async () => {
        const made = await created();
        await stage().shell(drift!.script(root));
        const drifted = await driver().read(made);
        const provider2 = createDriver(provider, row.type);
        await provider2.apply(made, settings());
        // The repair was made from a state that knew nothing of the drift: apply converges from what it finds.
        await stage().shell(drift!.script(root));
        const again = await driver().read(drifted);
        expectReason((await driver().plan(again, settings())).decision, "drift");
        await driver().apply(again, settings());
        const back = await driver().read(again);
        expect((await driver().plan(back, settings())).decision.action).toBe("none");
        expect(back.private).toEqual(made.private);
      });

      test.skipIf(vanish === undefined)("what vanished from the host is gone, and made again", async () => {
        const made = await created();
        expect(await stage().shell(vanish!(root))).toBe(0);
        expect(isNull((await driver().read(made)).state)).toBe(true);
        await created();
        expect(await isProven()).toBe(provable);
      });

      test.skipIf(row.staysWhenRemoved)(
        "removal keeps what was there before, unless told otherwise",
        async () => {
          const made = await created();
          const adopted = await created();
          expect((await driver().apply(adopted, undefined)).diagnostics).toEqual([]);
          expect(await isProven()).toBe(provable);
          const reported = await driver().apply(adopted, { ...settings(), on_remove: "delete" });
          expect(field(reported.state, "revision")).toBe(field(adopted.state, "revision"));
          await driver().apply(reported, undefined);
          expect(isNull((await driver().read(made)).state)).toBe(true);
        },
      );

      /** Everything that can be configured, one by one and all at once, as not known yet. */
      const unknownOnes = (config: PlainObject): readonly PlainObject[] => {
        const { attributes } = provider.schema.resources.get(row.type)!;
        const names = Object.keys(attributes).filter(
          (name) => isConfigurable(attributes[name]!) && name !== row.known,
        );
        const set = names.filter((name) => (config[name] ?? null) !== null);
        const without = (some: readonly string[]) => ({
          ...config,
          ...Object.fromEntries(some.map((name) => [name, new Unknown()])),
        });
        const ssh = { ...stage().ssh, address: new Unknown() };
        return [...set.map((name) => without([name])), without(set), { ...config, ssh }];
      };

      test("A1, A2: what is not known yet holds back nothing that is known, and turns out as planned", async () => {
        for (const before of unknownOnes(settings())) {
          expect(await driver().planTwice(undefined, before, settings())).toBe("create");
          if (row.known === undefined) continue;
          const { planned } = await driver().plan(undefined, before);
          expect(field(planned, row.known)).toEqual(settings()[row.known]);
        }
        const made = await created();
        for (const before of unknownOnes(settings())) await driver().planTwice(made, before, settings());
        for (const before of row.edited === undefined ? [] : unknownOnes(edited()))
          await driver().planTwice(made, before, edited());
        if (row.known === undefined) return;
        const renamed = { ...settings(), [row.known]: new Unknown() };
        await driver().planTwice(made, renamed, settings());
      });

      test("A3: what was not known is applied", async () => {
        const known = row.known === undefined ? {} : { [row.known]: settings()[row.known]! };
        const unknown = Object.fromEntries(
          Object.keys(row.settings(root)).map((name) => [name, new Unknown()]),
        );
        const made = await driver().apply(undefined, settings(), { ...unknown, ...known, ssh: stage().ssh });
        expect(made.diagnostics).toEqual([]);
        if (!row.staysWhenRemoved) expect(await isProven()).toBe(provable);
        expect((await driver().plan(await driver().read(made), settings())).decision.action).toBe("none");
      });

      test("E1, E4, E7, E8: whatever is configured, and no longer is", async () => {
        const { attributes, blocks } = provider.schema.resources.get(row.type)!;
        const names = Object.keys(attributes).filter((name) => isConfigurable(attributes[name]!));
        const unknown = Object.fromEntries(names.map((name) => [name, new Unknown()]));
        const { ssh } = stage();
        const through = { ...ssh, bastion: [{ address: new Unknown() }, { address: "b", user: "x" }] };
        for (const way of [ssh, { ...ssh, address: new Unknown() }, through])
          await driver().plan(undefined, { ...unknown, ssh: way });
        const made = await created();
        await driver().plan(made, { ...settings(), ssh: through });
        if (blocks.drift !== undefined) {
          const watched = await driver().apply(made, { ...settings(), drift: { mode: "warn", ignore: [] } });
          expect(watched.diagnostics).toEqual([]);
          await driver().plan(watched, settings());
        }
        const tells = await driver().apply(made, { ...settings(), when: true });
        expect(tells.diagnostics).toEqual([]);
        for (const name of [...Object.keys(row.settings(root)), "when"]) {
          const { [name]: _, ...rest }: PlainObject = { ...settings(), when: true };
          if (await isValid(rest)) await driver().plan(tells, rest);
        }
      });

      const isValid = async (plain: PlainObject): Promise<boolean> => {
        const schema = provider.schema.resources.get(row.type)!;
        if (Object.entries(schema.attributes).some(([name, { required }]) => required && !(name in plain)))
          return false;
        const config = fromPlain(asConfigured(schema, plain), schemaType(schema));
        return !hasErrors(await provider.validate(row.type, config));
      };

      test.skipIf(row.another === undefined)("E10, E11: another object takes its place", async () => {
        // What an earlier test left would count as somebody else's.
        await stage().shell(row.vanish?.(root) ?? "true");
        const made = await created();
        const another = { ...row.another!(root), ssh: stage().ssh };
        const tells = provider.givesReasons;
        const before = (await driver().plan(made, another)).requiresReplace.map(formatPath);
        const by = row.anotherBy ?? row.known!;
        expect(before).toEqual([by]);
        const later = { ...another, [by]: new Unknown() };
        for (const known of [another, { ...another, [by]: settings()[by]! }])
          expect(await driver().planTwice(made, later, known)).toBe("create");
        const replaced = await driver().apply(made, another);
        expect(replaced.diagnostics).toEqual([]);
        expect(replaced.decision.action).toBe("replace");
        expect(field(replaced.state, "revision")).not.toBe(field(made.state, "revision"));
        expect((await driver().plan(await driver().read(replaced), another)).decision.action).toBe("none");
        if (!row.staysWhenRemoved) expect(await isProven()).toBe(false);
        await driver().apply(replaced, undefined);
        if (row.staysWhenRemoved) return;

        // What was there before is not ours to delete, however it ends.
        await created();
        const adopted = await created();
        const instead = await driver().apply(adopted, another);
        expect(instead.decision).toMatchObject({
          action: "replace",
          ...(tells && { keeps: "there_before" }),
        });
        expect(await isProven()).toBe(provable);
        await driver().apply(instead, undefined);
        await driver().apply(made, undefined);
      });

      test("R6: what fails keeps what is stored", async () => {
        const made = await driver().apply(undefined, settings());
        const down = { ...stage().ssh, port: 1, connect_timeout: 2 };
        const schema = provider.schema.resources.get(row.type)!;
        const plain = {
          ...(toPlain(made.state) as PlainObject),
          ssh: asConfigured(schema.blocks.ssh!, down),
        };
        const removing = "on_remove" in schema.attributes ? { on_remove: "delete" } : {};
        const state = fromPlain({ ...plain, ...removing }, schemaType(schema));
        const stored = { ...made, state };
        const removed = await driver().apply(stored, undefined);
        if (removed.diagnostics.length > 0) expect(removed.state).toEqual(state);
        if (row.edited === undefined || row.editedRunsNothing) return;
        const changed = await driver().apply(stored, { ...row.edited(root), ssh: down });
        expect(changed.diagnostics).toMatchObject([{ severity: "error", summary: "Host does not answer" }]);
        expect(changed.state).toEqual(state);
      });

      test("planning and reading change nothing on the host", async () => {
        const list = `ls -laiRc '${root}'`;
        const untouched = async (work: () => Promise<unknown>) => {
          expect(await stage().shell(`${list} >'${root}.before'`)).toBe(0);
          await work();
          expect(await stage().shell(`${list} | cmp - '${root}.before'`)).toBe(0);
        };
        await untouched(() => driver().plan(undefined, settings()));
        const made = await created();
        await untouched(async () => driver().plan(await driver().read(made), edited()));
      });

      test("a host that does not answer keeps what is stored, with a warning", async () => {
        const made = await created();
        const elsewhere = { ...stage().ssh, port: 1, connect_timeout: 2 };
        const schema = provider.schema.resources.get(row.type)!;
        const plain = toPlain(made.state) as PlainObject;
        const ssh = asConfigured(schema.blocks.ssh!, elsewhere);
        const moved: Stored = {
          state: fromPlain({ ...plain, ssh }, schemaType(schema)),
          private: made.private,
        };
        const read = await driver().read(moved);
        expect(read.state).toEqual(moved.state);
        const warning = { severity: "warning", summary: "Host does not answer" };
        expect(read.diagnostics).toMatchObject(row.isNeverRead ? [] : [warning]);
        const failed = await driver().apply(undefined, { ...settings(), ssh: elsewhere });
        expect(isNull(failed.state)).toBe(true);
        expect(failed.diagnostics).toMatchObject([{ severity: "error", summary: "Host does not answer" }]);
      });
    },
  );
}
