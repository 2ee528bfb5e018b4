import {
  appendFileSync,
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { pushState } from "./edit.ts";
import { foldInterval } from "./file-backend.ts";
import { openStore } from "./open-store.ts";
import type { StateInstance } from "./state.ts";
import { journalPath, type StateStore } from "./store.ts";

let folder: string;
let path: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "conn3x-store-"));
  path = join(folder, "terraform.tfstate");
});
afterEach(() => rmSync(folder, { recursive: true }));

const instance = (key: string, attributes = "{}"): StateInstance => ({
  key,
  tainted: false,
  schemaVersion: 0,
  attributes,
  sensitivePaths: "[]",
  private: new Uint8Array([1, 2]),
  dependencies: ["conn3x_file.b"],
  createBeforeDestroy: false,
});

async function open(): Promise<StateStore> {
  const { store, problem } = await openStore(path);
  if (problem !== undefined) throw new Error(`${problem.summary}: ${problem.detail}`);
  return store;
}

const keys = (store: StateStore): unknown[] => [
  ...(store.state.resources.get("conn3x_file.a")?.instances.keys() ?? []),
];

/** A state with one instance `old`, written and closed. */
async function written(): Promise<void> {
  const store = await open();
  store.put("conn3x_file", "a", instance("old"));
  expect(await store.close()).toEqual([]);
}

test("nothing is written as long as nothing changes", async () => {
  const store = await open();
  expect(await store.close()).toEqual([]);
  expect(existsSync(path)).toBe(false);
});

test("closing writes the state, keeps what was there as a backup and leaves no journal", async () => {
  await written();
  const before = readFileSync(path, "utf8");
  const store = await open();
  store.put("conn3x_file", "a", instance("h1", '{"n":9007199254740993}'));
  store.remove("conn3x_file.a", "old");
  await store.close();
  const after = readFileSync(path, "utf8");
  expect(JSON.parse(after)).toMatchObject({ version: 4, serial: 2, lineage: JSON.parse(before).lineage });
  expect(after).toContain("9007199254740993");
  expect(readFileSync(`${path}.backup`, "utf8")).toBe(before);
  expect(existsSync(journalPath(path))).toBe(false);
  expect(keys(await open())).toEqual(["h1"]);
});

test("a new state file, its journal and its backup are for their owner only", async () => {
  const umask = process.umask(0o022);
  try {
    await written();
    const store = await open();
    store.put("conn3x_file", "a", instance("h1"));
    expect(statSync(journalPath(path)).mode & 0o777).toBe(0o600);
    await store.close();
  } finally {
    process.umask(umask);
  }
  expect([path, `${path}.backup`].map((one) => statSync(one).mode & 0o777)).toEqual([0o600, 0o600]);
});

test("the mode of the state file is kept", async () => {
  writeFileSync(path, "", { mode: 0o640 });
  await written();
  expect(statSync(path).mode & 0o777).toBe(0o640);
});

test("a backup is no more readable than the state", async () => {
  await written();
  chmodSync(path, 0o600);
  writeFileSync(`${path}.backup`, "", { mode: 0o644 });
  const store = await open();
  store.put("conn3x_file", "a", instance("h1"));
  await store.close();
  expect(statSync(`${path}.backup`).mode & 0o777).toBe(0o600);
  rmSync(`${path}.backup`);
  await pushState({ path, operation: "state push", lockTimeout: 0 }, readFileSync(path, "utf8"), true);
  expect(statSync(`${path}.backup`).mode & 0o777).toBe(0o600);
});

describe("after a killed process", () => {
  test("what was completed is taken in on the next start", async () => {
    await written();
    const killed = await open();
    killed.put("conn3x_file", "a", instance("h1", '{"n":9007199254740993}'));
    killed.put("conn3x_file", "a", instance("h2"));
    killed.remove("conn3x_file.a", "old");
    killed.setOutputs(new Map([["o", { value: "9007199254740993", type: '"number"', sensitive: true }]]));
    const next = await open();
    expect(keys(next)).toEqual(["h1", "h2"]);
    expect(next.state.get("conn3x_file.a", "h1")).toEqual(instance("h1", '{"n":9007199254740993}'));
    expect(next.state.outputs.get("o")).toEqual({
      value: "9007199254740993",
      type: '"number"',
      sensitive: true,
    });
    expect(existsSync(journalPath(path))).toBe(false);
    expect(JSON.parse(readFileSync(path, "utf8"))).toMatchObject({ serial: 2 });
  });

  test("in its very first run the lineage is the one it had chosen", async () => {
    const killed = await open();
    killed.put("conn3x_file", "a", instance("h1"));
    const { lineage } = JSON.parse(readFileSync(journalPath(path), "utf8").split("\n")[0]!).journal;
    await open();
    expect(JSON.parse(readFileSync(path, "utf8"))).toMatchObject({ lineage, serial: 1 });
  });

  test("half a last line does not count, and nothing runs into it", async () => {
    await written();
    const killed = await open();
    killed.put("conn3x_file", "a", instance("h1"));
    appendFileSync(journalPath(path), '{"put":{"type":"conn3x_fi');
    expect(keys(await open())).toEqual(["old", "h1"]);
  });

  test("after the state was replaced, but before the journal was removed, nothing is taken in twice", async () => {
    await written();
    const store = await open();
    store.put("conn3x_file", "a", instance("h1"));
    const begun = readFileSync(journalPath(path), "utf8");
    await store.close();
    const state = readFileSync(path, "utf8");
    const folded = JSON.stringify({
      folded: (await import("node:crypto")).createHash("sha256").update(state).digest("hex"),
    });
    writeFileSync(journalPath(path), `${begun}${folded}\n`);
    await open();
    expect(readFileSync(path, "utf8")).toBe(state);
    expect(existsSync(journalPath(path))).toBe(false);
  });

  test("a journal that another engine's run made stale is refused, and nothing is touched", async () => {
    await written();
    const killed = await open();
    killed.put("conn3x_file", "a", instance("h1"));
    const other = readFileSync(path, "utf8").replace('"serial": 1', '"serial": 2');
    writeFileSync(path, other);
    const journal = readFileSync(journalPath(path), "utf8");
    const { problem } = await openStore(path);
    expect(problem?.summary).toBe("State journal does not fit the state");
    expect(problem?.detail).toContain("serial 1");
    expect(readFileSync(path, "utf8")).toBe(other);
    expect(readFileSync(journalPath(path), "utf8")).toBe(journal);
  });

  test("a damaged line in the middle is refused", async () => {
    await written();
    const killed = await open();
    killed.put("conn3x_file", "a", instance("h1"));
    appendFileSync(journalPath(path), "garbage\n");
    killed.put("conn3x_file", "a", instance("h2"));
    expect((await openStore(path)).problem?.summary).toBe("State journal is damaged");
  });
});

describe("what was begun", () => {
  const begunKeys = (store: StateStore): unknown[] => [
    ...(store.begun.resources.get("conn3x_file.a")?.instances.keys() ?? []),
  ];

  test("and not ended is known to all later runs until one of them ends it", async () => {
    await written();
    const killed = await open();
    killed.begin("conn3x_file", "a", instance("h1"));
    killed.begin("conn3x_file", "a", instance("h2"));
    killed.put("conn3x_file", "a", instance("h2"));
    const planning = await open();
    expect([keys(planning), begunKeys(planning)]).toEqual([["old", "h2"], ["h1"]]);
    await planning.close();
    const applying = await open();
    expect(applying.begun.resources.get("conn3x_file.a")?.instances.get("h1")).toEqual(instance("h1"));
    applying.put("conn3x_file", "a", instance("h1"));
    await applying.close();
    const last = await open();
    expect([keys(last), begunKeys(last)]).toEqual([["h1", "h2", "old"], []]);
    expect(existsSync(journalPath(path))).toBe(false);
  });

  test("ends with a word that nothing was made", async () => {
    const store = await open();
    store.begin("conn3x_file", "a", instance("h1"));
    store.settle("conn3x_file.a", "h1");
    await store.close();
    expect(existsSync(journalPath(path))).toBe(false);
    expect(existsSync(path)).toBe(false);
  });

  test("outlives the writing of the state file during the run", async () => {
    const killed = await open();
    killed.begin("conn3x_file", "a", instance("h1"));
    killed.begin("conn3x_file", "a", instance("h2"));
    killed.put("conn3x_file", "a", instance("h2"));
    await vi.waitFor(() => expect(existsSync(path)).toBe(true), 2 * foldInterval);
    const next = await open();
    expect([keys(next), begunKeys(next)]).toEqual([["h2"], ["h1"]]);
  });

  test("holds whoever writes the state meanwhile, unless he has made it", async () => {
    await written();
    const killed = await open();
    killed.begin("conn3x_file", "a", instance("h1"));
    killed.begin("conn3x_file", "a", instance("old"));
    writeFileSync(path, readFileSync(path, "utf8").replace('"serial": 1', '"serial": 2'));
    const next = await open();
    expect([keys(next), begunKeys(next)]).toEqual([["old"], ["h1"]]);
  });
});

test("a state that another program wrote during the run is not overwritten", async () => {
  await written();
  const store = await open();
  store.put("conn3x_file", "a", instance("h1"));
  const other = readFileSync(path, "utf8").replace('"serial": 1', '"serial": 2');
  writeFileSync(path, other);
  const problems = await store.close();
  expect(problems.map(({ summary }) => summary)).toEqual(["State cannot be saved"]);
  expect(readFileSync(path, "utf8")).toBe(other);
  expect(existsSync(journalPath(path))).toBe(true);
});

test("what is durable is in the journal", async () => {
  const store = await open();
  store.put("conn3x_file", "a", instance("h1"));
  await Promise.all([store.durable(), store.durable()]);
  expect(readFileSync(journalPath(path), "utf8").trimEnd().split("\n")).toHaveLength(2);
  await store.close();
});

test("while work goes on the state file is brought up to date now and then", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  try {
    await written();
    const store = await open();
    store.put("conn3x_file", "a", instance("h1"));
    vi.advanceTimersByTime(foldInterval);
    store.put("conn3x_file", "a", instance("h2"));
    const serial = () => JSON.parse(readFileSync(path, "utf8")).serial;
    while (serial() === 1) await new Promise((resolve) => setImmediate(resolve));
    expect(serial()).toBe(2);
    // A process killed now has lost neither what is folded in nor what came while that was done.
    expect(keys(await open())).toEqual(["h1", "h2", "old"]);
  } finally {
    vi.useRealTimers();
  }
});

test("when nothing can be written that is said, and what is on disk stays", async () => {
  await written();
  const before = readFileSync(path, "utf8");
  const store = await open();
  // In the place of what is written first.
  mkdirSync(`${path}.backup`);
  mkdirSync(journalPath(path));
  store.put("conn3x_file", "a", instance("h1", '{"ssh":{"address":"10.0.0.1"}}'));
  expect(store.problem?.summary).toBe("State cannot be saved");
  store.remove("conn3x_file.a", "old");
  const said = await store.close();
  expect(said.map(({ summary }) => summary)).toEqual([
    "State cannot be saved",
    "Something was done and is recorded nowhere",
  ]);
  expect(said[1]!.detail).toContain('    conn3x_file.a["h1"] on 10.0.0.1: made\n    conn3x_file.a["old"]');
  expect(readFileSync(path, "utf8")).toBe(before);
});

test("what could not be recorded at once and is in the end is not said to be missing", async () => {
  await written();
  const store = await open();
  mkdirSync(`${path}.backup`);
  mkdirSync(journalPath(path));
  store.put("conn3x_file", "a", instance("h1"));
  rmSync(journalPath(path), { recursive: true });
  expect((await store.close()).map(({ summary }) => summary)).toEqual(["State cannot be saved"]);
  rmSync(`${path}.backup`, { recursive: true });
  expect([...keys(await open())].sort()).toEqual(["h1", "old"]);
});

describe("when the state file cannot be written", () => {
  const backup = () => `${path}.backup`;

  /** A store whose state file could not be brought up to date while work went on. */
  async function unfolded(): Promise<StateStore> {
    await written();
    const store = await open();
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    try {
      mkdirSync(backup());
      store.put("conn3x_file", "a", instance("h1"));
      vi.advanceTimersByTime(foldInterval);
    } finally {
      vi.useRealTimers();
    }
    await vi.waitFor(() => expect(store.problem?.summary).toBe("State cannot be saved"));
    return store;
  }

  test("what was under way is recorded all the same", async () => {
    const store = await unfolded();
    store.begin("conn3x_file", "a", instance("h3"));
    store.put("conn3x_file", "a", instance("h2"));
    store.remove("conn3x_file.a", "old");
    await store.durable();
    await store.close();
    rmdirSync(backup());
    const next = await open();
    expect(keys(next)).toEqual(["h1", "h2"]);
    expect(next.begun.has("conn3x_file.a", "h3")).toBe(true);
  });

  test("and then can, nothing is lost, and what was there before is kept", async () => {
    const store = await unfolded();
    const old = readFileSync(path, "utf8");
    rmdirSync(backup());
    store.put("conn3x_file", "a", instance("h2"));
    await store.close();
    expect(keys(await open())).toEqual(["h1", "h2", "old"]);
    expect(readFileSync(`${path}.backup`, "utf8")).toBe(old);
  });
});
