import { describe, expect, test } from "vitest";
import { compileFiles } from "../../compiler/testing/compile-files.ts";
import { providerSchema } from "../../core/create-provider.ts";
import { SourceFile } from "../../diagnostics/source.ts";
import type { PlannedChange } from "../../engine/plan.ts";
import { kinds } from "../../resources/index.ts";
import { parseJson } from "../../values/json/json-text.ts";
import { unmarkDeep } from "../../values/marks.ts";
import { at, formatPath } from "../../values/path.ts";
import { toPlain } from "../../values/plain.ts";
import { isUnknown, type Value } from "../../values/value.ts";
import { createProviderLog } from "../provider/provider-log.ts";
import { capturedEngines, capturedPlan } from "../testing/captured.ts";
import { buildPlan } from "./build-plan.ts";
import { knownConfiguration } from "./known-configuration.ts";
import { subjectsOf } from "./subjects.ts";

const restart = 'conn3x_command_action.web__restart["web1"]';
const kept = 'conn3x_directory.web__kept["web1"]';
const note = 'conn3x_file.web__note["web1"]';
const page = (key: string) => `conn3x_link.web__page["web1/${key}"]`;

/** Address, action, the kinds of reasons. */
const shown = ({ address, decision: { action, reasons } }: PlannedChange) => [
  address,
  action,
  ...reasons.map(({ kind }) => kind),
];
const plain = (value: Value | undefined) => value && toPlain(unmarkDeep(value).value);

describe.each(capturedEngines)("%s", (engine) => {
  test("what ends comes first, the rest as it is configured, each with its reason", () => {
    const { changes, mode, outputs, stateChanged } = capturedPlan(engine, "replace");
    expect(changes.map(shown)).toEqual([
      [kept, "delete", "removed"],
      [note, "replace", "cannot_update"],
      [page("b"), "none"],
      [restart, "replace", "cannot_update"],
      ["terraform_data.seen", "update", "config"],
    ]);
    expect([mode, stateChanged]).toEqual(["normal", false]);
    expect(
      outputs.map(({ name, before, after, sensitive }) => [name, plain(before), sensitive, after === before]),
    ).toEqual([
      ["secret", "x", true, true],
      ["seen", expect.stringMatching(/^[0-9a-f]{16}$/), false, false],
    ]);
    expect(isUnknown(outputs[1]!.after!)).toBe(true);
  });

  test("circuit, member, role and host of each, and what is imported, forgotten and replaced", () => {
    const { changes } = capturedPlan(engine, "replace");
    const by = new Map(changes.map((change) => [change.address, change]));
    expect(by.get(page("b"))).toMatchObject({
      circuit: "web",
      member: "page",
      role: "step",
      host: "web1",
      importing: "web/web1:/srv/page-b",
    });
    expect(by.get(restart)).toMatchObject({
      circuit: "web",
      member: "restart",
      role: "handler",
      host: "web1",
    });
    expect(by.get("terraform_data.seen")).toMatchObject({ circuit: undefined, host: undefined });
    expect(by.get(kept)?.decision.keeps).toBe("forgotten");
    expect(by.get(note)?.decision.requiresReplace.map(formatPath)).toEqual(["path"]);
    expect(by.get(note)?.prior).toMatchObject({ schemaVersion: 0, tainted: false });
  });

  test("objects have their schema's types, unknowns and marks", () => {
    const change = capturedPlan(engine, "replace").changes.find(({ address }) => address === note)!;
    expect(toPlain(unmarkDeep(change.before).value)).toMatchObject({
      path: "/srv/note",
      mode: expect.any(String),
      validate: null,
    });
    const after = unmarkDeep(change.after);
    expect(toPlain(after.value)).toMatchObject({ path: "/srv/note2", content: "edited" });
    expect(after.paths.map(({ path }) => formatPath(path))).toEqual(
      // The digest of what is sensitive is so, too.
      expect.arrayContaining(["content", "sha256"]),
    );
    const revision = (after.value.data as ReadonlyMap<string, Value>).get("revision")!;
    expect(isUnknown(revision)).toBe(true);
    // A decision shows no sensitive value.
    for (const { path, after: shownAfter } of change.decision.edits)
      if (formatPath(path) === "content") expect(shownAfter && unmarkDeep(shownAfter).paths).not.toEqual([]);
  });

  test("a refresh has what it found: drift, what is gone, and the rest as stored", () => {
    const { changes, stateChanged } = capturedPlan(engine, "drift");
    expect(changes.map(shown)).toEqual([
      [kept, "none"],
      [note, "none", "drift"],
      [page("a"), "none", "gone"],
      [restart, "none"],
      ["terraform_data.seen", "none"],
    ]);
    expect(stateChanged).toBe(true);
    expect(plain(changes[0]?.after)).toMatchObject({ path: "/srv/kept", on_remove: "keep" });
  });

  test("what is only to be destroyed goes last step first, because of that", () => {
    expect(capturedPlan(engine, "destroy").changes.map(shown)).toEqual(
      ["terraform_data.seen", restart, page("b"), note, kept].map((address) => [
        address,
        "delete",
        "destroy",
      ]),
    );
  });
});

test("what is gone because its host is elsewhere now says so", () => {
  const object = (address: string) => ({ path: "/srv/a", ssh: { address, bastion: [] } });
  const reasonAt = (address: string) => {
    const parts = { address: "conn3x_file.a", mode: "managed", type: "conn3x_file", name: "a" };
    const drift = { actions: ["delete"], before: object("10.0.1.5"), after: null };
    const change = { actions: ["create"], before: null, after: object(address) };
    const plan = {
      resource_drift: [{ ...parts, change: drift }],
      resource_changes: [{ ...parts, change }],
    };
    const configuration = compileFiles([new SourceFile("main.tf", "")], { kinds, directory: "." });
    const { loaded } = knownConfiguration(configuration, []);
    const { changes } = buildPlan(parseJson(JSON.stringify(plan)), {
      configured: loaded,
      configuration,
      schema: providerSchema,
      mode: "normal",
      log: createProviderLog(),
      subjects: subjectsOf(configuration),
    });
    return changes[0]!.decision.reasons;
  };
  expect(reasonAt("10.0.1.6")).toEqual([{ kind: "config", paths: [at("ssh", "address")] }]);
  expect(reasonAt("10.0.1.5")).toEqual([{ kind: "gone" }]);
});
