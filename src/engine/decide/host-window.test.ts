import fc from "fast-check";
import { expect, test } from "vitest";
import { hostWindow } from "./host-window.ts";

test("never are more hosts worked with than may be, everything is done once, and a host's work begins together", async () => {
  const works = fc.array(fc.record({ host: fc.nat(6), turns: fc.nat(3) }), { maxLength: 40 });
  await fc.assert(
    fc.asyncProperty(works, fc.integer({ min: 1, max: 4 }), async (list, size) => {
      const window = hostWindow(size);
      const open = new Map<number, number>();
      const begun = new Map<number, number>();
      let turn = 0;
      let most = 0;
      const done = await Promise.all(
        list.map(({ host, turns }, i) =>
          window.run(`h${host}`, async () => {
            open.set(host, (open.get(host) ?? 0) + 1);
            most = Math.max(most, open.size);
            if (!begun.has(host)) begun.set(host, turn);
            expect(begun.get(host)).toBe(turn);
            for (let n = 0; n <= turns; n++) await new Promise((resolve) => setImmediate(resolve));
            turn++;
            const left = open.get(host)! - 1;
            if (left === 0) open.delete(host);
            else open.set(host, left);
            return i;
          }),
        ),
      );
      expect(done).toEqual(list.map((_, i) => i));
      expect(most).toBeLessThanOrEqual(size);
    }),
    { numRuns: 100 },
  );
});

test("work that fails makes room", async () => {
  const window = hostWindow(1);
  const failing = window.run("a", () => Promise.reject(new Error("no")));
  const next = window.run("b", async () => "b");
  await expect(failing).rejects.toThrow("no");
  expect(await next).toBe("b");
  expect(await window.run(undefined, async () => "none")).toBe("none");
});
