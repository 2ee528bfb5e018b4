/**
 * What runs when (C1, C5 to C13), for any circuit and any story of edits, hand edits and hosts that do not answer: from
 * the circuit's text through compiler, engine and provider to hosts in memory. What is expected is worked out here from
 * the story alone.
 */
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { expect, test } from "vitest";
import { compileFiles } from "../compiler/testing/compile-files.ts";
import { SourceFile } from "../diagnostics/source.ts";
import { type Run, startRun } from "./run.ts";
import { actionsOf, type StoredState } from "./testing/engine.ts";
import { type MemoryHost, type MemoryHosts, memoryHosts, memoryKinds } from "./testing/memory-hosts.ts";

interface Step {
  /** Keys of its own instances; none: it has one on each host. */
  readonly keys: readonly string[];
  /** Indexes of handlers. */
  readonly notify: readonly number[];
}

/** Steps that make things, one that runs something when one of them changes, and two handlers. */
interface Circuit {
  readonly hosts: readonly string[];
  readonly steps: readonly Step[];
  readonly triggeredBy: number;
}

/** What is edited in its text. */
interface Settings {
  /** Of each step. */
  readonly content: readonly string[];
  readonly onRemove: readonly string[];
  /** Its `when`. */
  readonly on: readonly boolean[];
  /** Of the handlers. */
  readonly action: "restart" | "reload";
  readonly user: string;
}

const handlers = [0, 1];

const instancesOf = ({ keys }: Step, at: number): readonly string[] =>
  keys.length === 0 ? [`t${at}`] : keys.map((key) => `t${at}${key}`);

/** All things that a host has. */
const thingsOf = ({ steps }: Circuit) =>
  steps.flatMap((step, at) => instancesOf(step, at).map((name) => ({ step: at, name })));

function textOf({ hosts, steps, triggeredBy }: Circuit, settings: Settings): string {
  const thing = ({ keys, notify }: Step, at: number): string => `
  step "s${at}" {
    ${keys.length === 0 ? "" : `for_each = toset(${JSON.stringify(keys)})`}
    when = ${settings.on[at]}
    thing {
      name    = "t${at}${keys.length === 0 ? "" : "${each.key}"}"
      content = "${settings.content[at]}"
    }
    on_remove = "${settings.onRemove[at]}"
    notify    = [${notify.map((handler) => `handler.n${handler}`).join(", ")}]
  }`;
  const handler = (at: number): string => `
  handler "n${at}" {
    service {
      name   = "unit${at}"
      action = "${settings.action}"
    }
  }`;
  const { keys } = steps[triggeredBy]!;
  const revisions = (keys.length === 0 ? [""] : keys.map((key) => `["${key}"]`)).map(
    (key) => `step.s${triggeredBy}${key}.revision`,
  );
  return `circuit "c" {
  hosts = { ${hosts.map((host) => `${host} = "${host}"`).join(", ")} }
  ssh {
    user = "${settings.user}"
  }
  ${steps.map(thing).join("")}
  step "last" {
    runner {
      name     = "last"
      triggers = { of = join(",", [${revisions.join(", ")}]) }
    }
  }
  ${handlers.map(handler).join("")}
}
`;
}

const word = fc.constantFrom("x", "y", "z");
const circuits: fc.Arbitrary<Circuit> = fc
  .record({
    hosts: fc.constantFrom<readonly string[]>(["h0"], ["h0", "h1"], ["h0", "h1", "h2"]),
    steps: fc.array(
      fc.record({
        keys: fc.constantFrom<readonly string[]>([], [], ["a"], ["a", "b"]),
        notify: fc.uniqueArray(fc.constantFrom(...handlers), { maxLength: 2 }),
      }),
      { minLength: 1, maxLength: 3 },
    ),
    at: fc.nat(2),
  })
  .map(({ at, ...drawn }) => ({ ...drawn, triggeredBy: at % drawn.steps.length }));

type Happening =
  | { readonly what: "content"; readonly step: number; readonly to: string }
  | { readonly what: "onRemove"; readonly step: number; readonly to: string }
  | { readonly what: "when"; readonly step: number }
  | { readonly what: "action" | "user" }
  /** Somebody edits a thing on a host. */
  | { readonly what: "drift"; readonly host: number; readonly thing: number; readonly to: string };

const happening: fc.Arbitrary<Happening> = fc.oneof(
  fc.record({ what: fc.constant("content" as const), step: fc.nat(2), to: word }),
  fc.record({
    what: fc.constant("onRemove" as const),
    step: fc.nat(2),
    to: fc.constantFrom("keep", "delete"),
  }),
  fc.record({ what: fc.constant("when" as const), step: fc.nat(2) }),
  fc.record({ what: fc.constantFrom("action" as const, "user" as const) }),
  fc.record({ what: fc.constant("drift" as const), host: fc.nat(2), thing: fc.nat(9), to: word }),
);
/** Rounds of things that happen, each followed by an apply. */
const stories = fc.array(fc.array(happening, { maxLength: 3 }), { minLength: 1, maxLength: 4 });

/** A circuit on its hosts, with its state file. */
interface Fleet extends MemoryHosts {
  readonly circuit: Circuit;
  readonly statePath: string;
  settings: Settings;
}

async function withFleet(circuit: Circuit, work: (fleet: Fleet) => Promise<void>): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "conn3x-handlers-"));
  const each = <T>(value: T): readonly T[] => circuit.steps.map(() => value);
  try {
    await work({
      ...memoryHosts(circuit.hosts),
      circuit,
      statePath: join(folder, "terraform.tfstate"),
      settings: {
        content: each("x"),
        onRemove: each("keep"),
        on: each(true),
        action: "restart",
        user: "one",
      },
    });
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function happen(fleet: Fleet, one: Happening): void {
  const { circuit, settings } = fleet;
  const { hosts, steps } = circuit;
  switch (one.what) {
    case "content":
    case "onRemove":
      fleet.settings = {
        ...settings,
        [one.what]: settings[one.what].with(one.step % steps.length, one.to),
      };
      return;
    case "when": {
      const step = one.step % steps.length;
      fleet.settings = { ...settings, on: settings.on.with(step, !settings.on[step]!) };
      return;
    }
    case "action":
      fleet.settings = { ...settings, action: settings.action === "restart" ? "reload" : "restart" };
      return;
    case "user":
      fleet.settings = { ...settings, user: settings.user === "one" ? "two" : "one" };
      return;
    case "drift": {
      const things = thingsOf(circuit);
      const { things: there } = fleet.hosts.get(hosts[one.host % hosts.length]!)!;
      there.set(things[one.thing % things.length]!.name, one.to);
    }
  }
}

function start(fleet: Fleet, refresh = true): Promise<Run> {
  fleet.done.length = 0;
  fleet.looked.length = 0;
  const file = new SourceFile("main.circuit.hcl", textOf(fleet.circuit, fleet.settings));
  return startRun({
    configuration: compileFiles([file], { directory: ".", kinds: memoryKinds }),
    provider: fleet.provider(),
    variables: [],
    statePath: fleet.statePath,
    mode: "normal",
    refresh,
    lockTimeout: 0,
    events: () => undefined,
    parallelism: 4,
  });
}

/** @returns the plan's actions by address */
async function apply(fleet: Fleet): Promise<Readonly<Record<string, string>>> {
  const run = await start(fleet);
  expect(run.diagnostics).toEqual([]);
  expect((await run.apply()).diagnostics).toEqual([]);
  await run.close();
  return actionsOf(run.plan!);
}

/** By address of the instance. */
function revisionsOf({ statePath }: Fleet): ReadonlyMap<string, string> {
  const state = JSON.parse(readFileSync(statePath, "utf8")) as StoredState;
  return new Map(
    state.resources.flatMap(({ type, name, instances }) =>
      instances.map(({ index_key, attributes }) => [
        `${type}.${name}["${index_key}"]`,
        String(attributes.revision),
      ]),
    ),
  );
}

/** What an apply is to do on a host, given what was configured at the last one. */
function expectedOn(host: string, { things }: MemoryHost, fleet: Fleet, last: Settings) {
  const { circuit, settings } = fleet;
  const wanted = (step: number) => settings.content[step]!;
  const changed = thingsOf(circuit).filter(({ name, step }) =>
    settings.on[step] && last.on[step]
      ? things.get(name) !== wanted(step) || last.content[step] !== wanted(step)
      : settings.on[step] !== last.on[step],
  );
  const puts = changed.filter(({ name, step }) => settings.on[step] && things.get(name) !== wanted(step));
  const drops = changed.filter(({ step }) => !settings.on[step] && last.onRemove[step] === "delete");
  const isChanged = (at: number) => changed.some(({ step }) => step === at);
  const units = handlers.filter((handler) =>
    circuit.steps.some(({ notify }, at) => notify.includes(handler) && isChanged(at)),
  );
  const runs = isChanged(circuit.triggeredBy);
  return {
    done: [
      ...puts.map(({ name, step }) => `${host} put ${name} ${wanted(step)}`),
      ...drops.map(({ name }) => `${host} drop ${name}`),
      ...(runs ? [`${host} run last`] : []),
      ...units.map((unit) => `${host} service unit${unit}`),
    ],
    renewed: [
      ...changed.map(({ name, step }) => addressOf(circuit, host, name, step)),
      ...(runs ? [`conn3x_runner.c__last["${host}"]`] : []),
      ...units.map((unit) => `conn3x_service_action.c__n${unit}["${host}"]`),
    ],
  };
}

function addressOf({ steps }: Circuit, host: string, name: string, at: number): string {
  const key = steps[at]!.keys.length === 0 ? host : `${host}/${name.slice(2)}`;
  return `conn3x_thing.c__s${at}["${key}"]`;
}

/** Where in the circuit something is done: steps in order, then handlers in order. */
function placeOf(line: string): number {
  const [, verb, name] = line.split(" ");
  if (verb === "put" || verb === "drop") return Number(name!.slice(1, 2));
  return verb === "run" ? 10 : 20 + Number(name!.at(-1));
}

const everywhere = (fleet: Fleet, last: Settings) => {
  const each = [...fleet.hosts].map(([host, found]) => expectedOn(host, found, fleet, last));
  return {
    done: each.flatMap(({ done }) => done).sort(),
    renewed: each.flatMap(({ renewed }) => renewed).sort(),
  };
};

test("C1, C5, C6, C7, C8, C9, C10, C11, C13: a handler runs where a step that notifies it changed, once, and nowhere else", async () => {
  await fc.assert(
    fc.asyncProperty(circuits, stories, (circuit, story) =>
      withFleet(circuit, async (fleet) => {
        await apply(fleet);
        for (const host of circuit.hosts) {
          expect(fleet.done).toContain(`${host} run last`);
          for (const unit of handlers) {
            const isNotified = circuit.steps.some(({ notify }) => notify.includes(unit));
            expect(fleet.done.includes(`${host} service unit${unit}`)).toBe(isNotified);
          }
        }
        for (const round of story) {
          const before = revisionsOf(fleet);
          const last = fleet.settings;
          for (const one of round) happen(fleet, one);
          const expected = everywhere(fleet, last);
          await apply(fleet);
          expect([...fleet.done].sort()).toEqual(expected.done);
          const places = fleet.done.map(placeOf);
          expect(places).toEqual(places.toSorted((a, b) => a - b));
          const after = revisionsOf(fleet);
          expect(
            [...after]
              .filter(([address, one]) => before.get(address) !== one)
              .map(([name]) => name)
              .sort(),
          ).toEqual(expected.renewed);
          for (const revision of after.values()) expect(revision).toMatch(/^[\da-f]{16}$/);
          expect(new Set(after.values()).size).toBe(after.size);
        }
        expect(new Set(Object.values(await apply(fleet)))).toEqual(new Set(["none"]));
      }),
    ),
    { numRuns: 10 },
  );
}, 60_000);

test("C12: without a refresh nothing is read; a host that does not answer keeps what is stored, with one warning", async () => {
  await fc.assert(
    fc.asyncProperty(circuits, fc.array(happening, { maxLength: 4 }), (circuit, drawn) =>
      withFleet(circuit, async (fleet) => {
        await apply(fleet);
        for (const one of drawn) if (one.what === "drift") happen(fleet, one);
        const blind = await start(fleet, false);
        expect([blind.diagnostics, fleet.looked]).toEqual([[], []]);
        expect(new Set(Object.values(actionsOf(blind.plan!)))).toEqual(new Set(["none"]));
        await blind.close();

        fleet.hosts.get("h0")!.isDown = true;
        const seen = await start(fleet);
        const warnings = seen.plan!.diagnostics.map(({ severity, host }) => `${severity} ${host}`);
        expect([seen.plan !== undefined, new Set(warnings)]).toEqual([true, new Set(["warning h0"])]);
        const expected = [...fleet.hosts].flatMap(([host, found]) =>
          host === "h0" ? [] : expectedOn(host, found, fleet, fleet.settings).renewed,
        );
        const changing = Object.entries(actionsOf(seen.plan!)).filter(([, action]) => action !== "none");
        expect(changing.map(([address]) => address).sort()).toEqual(expected.sort());
        await seen.close();
      }),
    ),
    { numRuns: 10 },
  );
}, 60_000);
