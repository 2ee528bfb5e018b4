/**
 * Holds `docs/dev` to the code: the rules that comments cite are defined, and the files that the pages name exist.
 */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

const root = join(import.meta.dirname, "../..");
const read = (path: string): string => readFileSync(join(root, path), "utf8");
const filesIn = (folder: string, ending: string): readonly string[] =>
  readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(ending))
    .map((name) => join(folder, name));

const defined = [...read("docs/dev/rules.md").matchAll(/^\| ([A-Z]\d+) \|/gm)].map(([, code]) => code!);

/** `(C3)`, `(C1–C4)`, `(C9, C10)`, `(A1 to A3)`: codes in parentheses in comments of the code. */
function citationsIn(text: string): readonly string[] {
  const code = String.raw`[CXDPUAR]\d{1,2}`;
  const group = new RegExp(String.raw`\((${code}(?:(?:–|, | to | and )${code})*)\)`, "g");
  return [...text.matchAll(group)].flatMap(([, codes = ""]) => codes.split(/–|, | to | and /));
}

test("every rule that the code cites is defined", () => {
  const sources = ["src", "provider"].flatMap((folder) => filesIn(folder, ".ts"));
  const cited = sources.flatMap((file) => citationsIn(read(file)).map((code) => ({ file, code })));
  expect(cited.length).toBeGreaterThan(50);
  expect(cited.filter(({ code }) => !defined.includes(code))).toEqual([]);
});

test("rules are defined once", () => {
  expect(defined.filter((code, i) => defined.indexOf(code) !== i)).toEqual([]);
});

test.each([...filesIn("docs/dev", ".md"), "CONTRIBUTING.md"])("the files that %s names exist", (page) => {
  const named = [
    ...read(page).matchAll(/`((?:src|provider|test|scripts|docs|examples|circuits)\/[\w./-]+)`/g),
  ];
  const missing = named
    .map(([, path]) => path!)
    .filter((path) => !path.includes("KIND") && !existsSync(join(root, path)));
  expect(missing).toEqual([]);
});
