import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { expect, test } from "vitest";
import type { InstanceKey } from "../../../values/address.ts";
import { openStore } from "../open-store.ts";
import { readState } from "../read-state.ts";
import { journalPath } from "../store.ts";

type Operation = { readonly put: string; readonly n: number } | { readonly remove: string };

const key = fc.constantFrom("a", "b", "h/c", 'd"\n{}');
const operation: fc.Arbitrary<Operation> = fc.oneof(
  fc.record({ put: key, n: fc.nat() }),
  fc.record({ remove: key }),
);

/** What is there after some operations: value of each instance. */
function outcome(operations: readonly Operation[]): Record<string, number> {
  const found: Record<string, number> = {};
  for (const one of operations) {
    if ("put" in one) found[one.put] = one.n;
    else delete found[one.remove];
  }
  return found;
}

async function stored(path: string): Promise<Record<string, number>> {
  const { store, problem } = await openStore(path);
  if (problem !== undefined) throw new Error(problem.detail);
  const instances = store.state.resources.get("conn3x_file.a")?.instances ?? new Map<InstanceKey, never>();
  return Object.fromEntries([...instances].map(([key, { attributes }]) => [key, JSON.parse(attributes).n]));
}

test("wherever a journal was cut off, exactly the completed operations before that are there", async () => {
  const folder = mkdtempSync(join(tmpdir(), "conn3x-journal-"));
  let run = 0;
  try {
    await fc.assert(
      fc.asyncProperty(fc.array(operation, { maxLength: 12 }), fc.nat(), async (operations, cut) => {
        const [working, killed] = [join(folder, `${run}`), join(folder, `${run++}-killed`)];
        for (const directory of [working, killed]) mkdirSync(directory);
        const [path, copy] = [join(working, "terraform.tfstate"), join(killed, "terraform.tfstate")];
        const store = (await openStore(path)).store!;
        for (const one of operations) {
          if ("remove" in one) store.remove("conn3x_file.a", one.remove);
          else
            store.put("conn3x_file", "a", {
              key: one.put,
              tainted: false,
              schemaVersion: 0,
              attributes: JSON.stringify({ n: one.n }),
              sensitivePaths: "[]",
              private: new Uint8Array(),
              dependencies: [],
              createBeforeDestroy: false,
            });
        }
        let done = 0;
        if (existsSync(journalPath(path))) {
          copyFileSync(journalPath(path), journalPath(copy));
          const text = readFileSync(journalPath(path), "utf8");
          const length = cut % (Buffer.byteLength(text) + 1);
          truncateSync(journalPath(copy), length);
          done = Math.max(0, Buffer.from(text).subarray(0, length).toString("utf8").split("\n").length - 2);
        }
        await store.close();
        expect(await stored(path)).toEqual(outcome(operations));
        expect(await stored(copy)).toEqual(outcome(operations.slice(0, done)));
        expect(existsSync(journalPath(copy))).toBe(false);
      }),
      { numRuns: 60 },
    );
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test("a state file that was cut off is refused", () => {
  const text = readFileSync(
    new URL("../../testing/fixtures/opentofu-1.12.tfstate", import.meta.url),
    "utf8",
  ).trimEnd();
  fc.assert(
    fc.property(fc.integer({ min: 1, max: text.length - 1 }), (length) => {
      expect(readState(text.slice(0, length), "terraform.tfstate").problem).toBeDefined();
    }),
  );
});

test("a file that is no state is left as it is", async () => {
  const folder = mkdtempSync(join(tmpdir(), "conn3x-journal-"));
  const path = join(folder, "terraform.tfstate");
  writeFileSync(path, "not a state");
  expect((await openStore(path)).problem?.summary).toBe("Not a state file");
  expect(readFileSync(path, "utf8")).toBe("not a state");
  rmSync(folder, { recursive: true });
});
