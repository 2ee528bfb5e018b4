/**
 * Hosts come and go, in every form in which they are written and wherever their secrets are: whatever is edited is applied
 * and then there is nothing to do. Only a host whose secret was removed along with it refuses, and the advice helps.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeEach, describe, expect, test } from "vitest";
import { compileFiles } from "../../src/compiler/testing/compile-files.ts";
import { SourceFile } from "../../src/diagnostics/source.ts";
import { type Run, type RunOptions, startRun } from "../../src/engine/run.ts";
import { type MemoryHosts, memoryHosts, memoryKinds } from "../../src/engine/testing/memory-hosts.ts";
import {
  type Change,
  changes,
  type Edited,
  type Form,
  filesOf,
  forms,
  isPossible,
  refusing,
  type Secret,
  type Stage,
  secrets,
} from "./host-changes.ts";

const stage: Stage = {
  password: "S3CRET",
  kind: (step) => `thing {\n      name    = "${step}"\n      content = "x"\n    }`,
  ssh: 'user = "one"',
  isOurs: true,
  resource: (name, value) => ({
    text: `resource "conn3x_thing" "${name}" {\n  name = "${name}"\n  content = "${value}"\n  ssh {\n    address = "own"\n  }\n}\n`,
    value: value === "any" ? `conn3x_thing.${name}.revision` : `conn3x_thing.${name}.content`,
  }),
};

let folder: string;
let fleet: MemoryHosts;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "conn3x-host-changes-"));
  return () => rmSync(folder, { recursive: true });
});

function start(edited: Edited, more: Partial<RunOptions> = {}): Promise<Run> {
  const { "main.circuit.hcl": main, ...modules } = filesOf(edited, stage);
  const compile = (name: string, text: string, more = {}) =>
    compileFiles([new SourceFile(name, text)], { directory: ".", kinds: memoryKinds, ...more });
  const called = Object.entries(modules).map(
    ([path, text]) => [`./${path.split("/")[0]}`, compile(path, text, { isModule: true })] as const,
  );
  return startRun({
    configuration: compile("main.circuit.hcl", main!, { modules: new Map(called) }),
    provider: fleet.provider(),
    variables: [],
    statePath: join(folder, "terraform.tfstate"),
    mode: "normal",
    refresh: true,
    lockTimeout: 0,
    events: () => undefined,
    parallelism: 4,
    ...more,
  });
}

/** Applies. @returns what was wrong */
async function apply(edited: Edited, more: Partial<RunOptions> = {}): Promise<readonly string[]> {
  const run = await start(edited, more);
  const outcome = run.plan === undefined ? undefined : await run.apply();
  await run.close();
  return [...run.diagnostics, ...(outcome?.diagnostics ?? [])].map(
    ({ severity, summary, detail }) => `${severity} ${summary}: ${detail}`,
  );
}

/** What there is on each host of the circuit. */
const things = () =>
  Object.fromEntries(
    [...fleet.hosts].flatMap(([address, one]) =>
      address === "own" ? [] : [[address, [...one.things.keys()].sort()]],
    ),
  );

const expectedThings = ({ hosts = {}, steps }: Edited) =>
  Object.fromEntries(
    ["a1", "a2", "a3"].map((one) => [one, Object.values(hosts).includes(one) ? [...steps] : []]),
  );

/** Something was to be done that is not a resource of the hosts' own. */
const isCircuits = (address: string): boolean => address.includes(".c__");

const cells = (Object.keys(forms) as Form[]).flatMap((form) =>
  (Object.keys(secrets) as Secret[])
    .filter((secret) => isPossible({ form, secret }, stage))
    .map((secret) => [form, secret] as const),
);

describe.each(cells)("hosts as %s, secret of %s", (form, secret) => {
  test.each(Object.keys(changes) as Change[])("%s", async (change) => {
    fleet = memoryHosts(["a1", "a2", "a3", "own"]);
    if (secret !== "none")
      for (const address of ["a1", "a2", "a3"]) fleet.hosts.get(address)!.password = stage.password;
    const before: Edited = { hosts: { h1: "a1", h2: "a2" }, form, secret, steps: ["s1", "s2"] };
    expect(await apply(before)).toEqual([]);
    expect(things()).toEqual(expectedThings(before));

    const after = changes[change](before, stage);
    const refused = refusing(before, after, change);
    const said = await apply(after);
    if (refused.length > 0) {
      for (const host of refused) {
        const advice = `run "conn3x destroy -circuit=c -limit=${host}`;
        expect(said.filter((text) => text.includes(advice)).length, said.join("\n")).toBeGreaterThan(0);
        expect(await apply(before, { mode: "destroy", circuit: ["c"], limit: [host] })).toEqual([]);
      }
      expect(await apply(after)).toEqual([]);
    } else if (change !== "a host is renamed") expect(said).toEqual([]);
    else expect(said.filter((text) => text.startsWith("error"))).toEqual([]);
    expect(things()).toEqual(expectedThings(after));

    const again = await start(after);
    const pending = again.plan!.changes.filter(
      ({ address, decision }) => decision.action !== "none" && isCircuits(address),
    );
    await again.close();
    expect(pending.map(({ address }) => address)).toEqual([]);
  });
});
