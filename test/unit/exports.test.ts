/**
 * What the code exports is used by another file: what only tests want belongs to the tests. Values only; types name what
 * they are about.
 */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

const root = join(import.meta.dirname, "../..");

/** Tests look at these from outside, where that says more than a detour. */
const forTests = [
  "openOutput",
  "foldWarnings",
  "sameTriggers",
  "temporaryFamily",
  "planMoves",
  "lockPath",
  "foldInterval",
  "fnv1",
  "isSecretName",
];

const files = ["src", "provider", "test/bench", "test/lab", "scripts"].flatMap((folder) =>
  readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
    .filter(
      (name) =>
        /\.(ts|mjs)$/.test(name) &&
        !/\.test(-helper)?\.ts$|testing\/|^(compiler|core|engine|ssh)\/index\.ts$/.test(name),
    )
    .map((name) => ({ name: join(folder, name), text: readFileSync(join(root, folder, name), "utf8") })),
);

test("every exported value is used by another file", () => {
  const users = new Map<string, Set<string>>();
  for (const { name, text } of files)
    for (const [word] of text.matchAll(/\b[A-Za-z_]\w*\b/g))
      users.set(word, (users.get(word) ?? new Set()).add(name));
  const exported = files
    .filter(({ name }) => name.startsWith("src/") && !/^src\/(api|kind)\/index\.ts$/.test(name))
    .flatMap(({ name, text }) =>
      [...text.matchAll(/^export (?:async )?(?:const|function\*?|class|let) (\w+)/gm)].map(
        ([, word = ""]) => ({ name, word }),
      ),
    );
  const unused = exported.filter(({ word }) => users.get(word)!.size === 1 && !forTests.includes(word));
  expect(unused.map(({ name, word }) => `${name}: ${word}`)).toEqual([]);
  expect(exported.length).toBeGreaterThan(500);
});
