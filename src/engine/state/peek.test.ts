import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { editState, pushState } from "./edit.ts";
import { headerLine, removeLine, settleLine } from "./journal/journal.ts";
import { openStore } from "./open-store.ts";
import { peekState } from "./peek.ts";
import type { StateInstance } from "./state.ts";
import { journalPath } from "./store.ts";

let folder: string;
let path: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "conn3x-peek-"));
  path = join(folder, "terraform.tfstate");
});
afterEach(() => rmSync(folder, { recursive: true }));

const edit = () => ({ path, operation: "test", lockTimeout: 0 });
const instance: StateInstance = {
  key: "h1",
  tainted: false,
  schemaVersion: 0,
  attributes: '{"path":"/a"}',
  sensitivePaths: "[]",
  private: new Uint8Array(),
  dependencies: [],
  createBeforeDestroy: false,
};
const put = () =>
  editState(edit(), (store) => {
    store.put("conn3x_file", "a", instance);
    return [];
  });
const files = () => readdirSync(folder).map((name) => [name, readFileSync(join(folder, name), "utf8")]);

test("no file is an empty state", async () => {
  expect((await peekState(path)).file?.resources.size).toBe(0);
  expect(files()).toEqual([]);
});

test("an empty file where a state was stored before is an error, which names the backup; alone it is no state", async () => {
  await put();
  await editState(edit(), (store) => {
    store.remove("conn3x_file.a", "h1");
    return [];
  });
  for (const rest of ["", " \n"]) {
    writeFileSync(path, rest);
    const before = files();
    const { problem } = await peekState(path);
    expect(problem?.summary).toBe("State file is empty");
    expect(problem?.detail).toContain(`cp ${path}.backup ${path}`);
    expect((await openStore(path)).problem).toEqual(problem);
    expect((await put())[0]).toEqual(problem);
    expect(files()).toEqual(before);
  }
  rmSync(`${path}.backup`);
  expect((await peekState(path)).file?.resources.size).toBe(0);
  expect((await openStore(path)).problem).toBe(undefined);
});

test("what a cut-off run left in its journal counts, and nothing is written", async () => {
  expect(await put()).toEqual([]);
  const { store } = await openStore(path);
  store!.put("conn3x_file", "b", instance);
  const before = files();
  expect(before.map(([name]) => name)).toContain(".terraform.tfstate.journal");
  const { file } = await peekState(path);
  expect([...file!.resources.keys()].sort()).toEqual(["conn3x_file.a", "conn3x_file.b"]);
  expect(files()).toEqual(before);
  await store!.close();
});

test("a journal that does not fit is refused", async () => {
  await put();
  writeFileSync(journalPath(path), headerLine({ lineage: "x", serial: 7, hash: "y" }) + settled + removed);
  expect((await peekState(path)).problem?.summary).toBe("State journal cannot be read");
});

const settled = settleLine("conn3x_file.a", "x");
const removed = removeLine("conn3x_file.a", "x");

test.each([
  ["from its beginning", "nonsense\n", ["mv ", ".journal.damaged"], "head"],
  [
    "somewhere inside",
    `${headerLine({ lineage: "x", serial: 7, hash: "y" })}${settled}nonsense\n${removed}`,
    ["line 3", "head -n 2 "],
    "xx",
  ],
])("one that is damaged %s is refused with what to do", async (_, text, parts, not) => {
  await put();
  writeFileSync(journalPath(path), text);
  const before = files();
  for (const { problem } of [await peekState(path), await openStore(path)]) {
    expect(problem?.summary).toBe("State journal is damaged");
    for (const part of parts) expect(problem?.detail).toContain(part);
    expect(problem?.detail).not.toContain(not);
  }
  expect(files()).toEqual(before);
});

test("a pushed state takes the stored one's place, which stays as the backup; an older or another one does not", async () => {
  await put();
  const old = readFileSync(path, "utf8");
  const newer = old.replace(/"serial": \d+/, '"serial": 7').replace('"/a"', '"/b"');
  expect(await pushState(edit(), newer, false)).toEqual([]);
  expect(readFileSync(path, "utf8")).toBe(newer);
  expect(readFileSync(`${path}.backup`, "utf8")).toBe(old);
  expect(await pushState(edit(), old, false)).toMatchObject([{ summary: "The given state is older" }]);
  expect(await pushState(edit(), newer.replace(/"lineage": "[^"]+"/, '"lineage": "x"'), false)).toMatchObject(
    [{ summary: "The given state is another one's" }],
  );
  expect(readFileSync(path, "utf8")).toBe(newer);
  expect(await pushState(edit(), old, true)).toEqual([]);
  expect(readFileSync(path, "utf8")).toBe(old);
  expect(readdirSync(folder).sort()).toEqual(["terraform.tfstate", "terraform.tfstate.backup"]);
});
