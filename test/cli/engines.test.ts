/**
 * `show -json` and `plan -plan-json` against what real engines print for the same configuration, state and host.
 */
import { chmodSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { bundleProvider } from "../../provider/testing/bundle.ts";
import { findEngines } from "../engines/engine.ts";
import { openWorkspace } from "../engines/workspace.ts";
import { bundleProgram, type Program } from "./program.ts";
import { openSite, type Site } from "./site.ts";

vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 });

let program: Program;
let provider: { readonly directory: string };
let site: Site;

beforeAll(async () => {
  program = await bundleProgram();
  provider = await bundleProvider("provider/main.ts");
  site = await openSite();
  for (const args of [["apply", "-auto-approve"], ["compile"]])
    expect(await conn3x(...args)).toMatchObject({ status: 0, stderr: "" });
});

afterAll(async () => {
  program?.remove();
  if (provider !== undefined) rmSync(provider.directory, { recursive: true, force: true });
  await site?.remove();
});

const conn3x = (...args: readonly string[]) => program.run(args, { cwd: site.directory });

type Json = Record<string, unknown>;

/** Our engine hides the hash of what is sensitive, too: that is the one difference that is meant. */
const parse = (text: string) =>
  JSON.parse(text, (name, value) => (name === "sha256" && value === true ? undefined : value));

/** The members that only one of the two has reason to have. */
const without = (json: Json, ...names: readonly string[]): Json =>
  Object.fromEntries(Object.entries(json).filter(([name]) => !names.includes(name)));

describe.each(findEngines())("$name $version", (engine) => {
  const workspace = () => openWorkspace({ engine, provider, files: {}, directory: site.directory });

  test("the state is shown alike", async () => {
    const ours = parse((await conn3x("show", "-json")).stdout);
    const theirs = (await workspace().state()) as unknown as Json;
    // The one says which engine wrote the state, the other which is showing it.
    expect(without(ours, "terraform_version")).toEqual(without(theirs, "terraform_version"));
  });

  test("outputs are shown alike", async () => {
    for (const args of [[], ["path"], ["-json"], ["-json", "path"], ["-raw", "secret"]]) {
      const ours = await conn3x("output", ...args);
      const theirs = await workspace().run(["output", "-no-color", ...args]);
      expect(ours.stdout, args.join(" ")).toBe(theirs.stdout);
    }
  });

  test("a plan is shown alike", async () => {
    chmodSync(site.path("srv/site/page"), 0o600);
    const variable = "-var=secret=other";
    await conn3x("plan", variable, "-plan-json=ours.json");
    const ours = parse(readFileSync(join(site.directory, "ours.json"), "utf8"));
    const { plan, stderr } = await workspace().plan(variable);
    expect(plan, stderr).toBeDefined();
    const theirs = plan as unknown as Json & { resource_changes: Json[] };
    const byAddress = (changes: readonly Json[]): readonly Json[] =>
      changes
        .map((change) => withoutMarkedNulls(without(change, "conn3x")))
        .sort((a, b) => (String(a.address) < String(b.address) ? -1 : 1));
    expect(byAddress(ours.resource_changes)).toEqual(byAddress(theirs.resource_changes));
    expect(ours.output_changes).toEqual(theirs.output_changes);
    chmodSync(site.path("srv/site/page"), 0o640);
  });
});

/**
 * The engines call a secret of the schema sensitive also where it is null; we say nothing of what has no value, since
 * there is nothing to hide.
 */
function withoutMarkedNulls(entry: Json): Json {
  const change = entry.change as Json;
  const pruned = (mask: unknown, value: unknown): unknown => {
    if (typeof mask !== "object" || mask === null || Array.isArray(mask)) return mask;
    const inner = (value ?? {}) as Json;
    const kept = Object.entries(mask).filter(([name, place]) => place !== true || inner[name] !== null);
    return Object.fromEntries(kept.map(([name, place]) => [name, pruned(place, inner[name])]));
  };
  return {
    ...entry,
    change: {
      ...change,
      before_sensitive: pruned(change.before_sensitive, change.before),
      after_sensitive: pruned(change.after_sensitive, change.after),
    },
  };
}
