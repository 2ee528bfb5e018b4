/**
 * Commands and options that the documents name exist: whatever is called `conn3x …`, in text and in blocks.
 */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { parseCommandLine } from "../../src/cli/command-line/command-line.ts";
import { commandSet } from "../../src/cli/commands.ts";

const root = join(import.meta.dirname, "../..");
const pages = [
  "README.md",
  "CONTRIBUTING.md",
  "CHANGELOG.md",
  ...list("docs", (name) => name.endsWith(".md")),
  ...list("examples", (name) => name.endsWith("README.md")),
];

function list(folder: string, isMeant: (name: string) => boolean): readonly string[] {
  return readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
    .filter((name) => isMeant(name) && !name.startsWith("reference"))
    .map((name) => join(folder, name));
}

/** Words as a shell takes them, as far as the documents go: single quotes. */
const words = (line: string): readonly string[] =>
  [...line.matchAll(/((?:'[^']*'|[^\s'])+)/g)].map(([word]) => word.replaceAll("'", ""));

/** Where commands stand: in a line of text, or as a line of a block. */
function commandsOf(text: string): readonly string[] {
  const inText = text.replace(/^```[\s\S]*?^```$/gm, "").matchAll(/`conn3x ([^`]+)`/g);
  const inBlocks = text.matchAll(/^(?:\$ )?conn3x (.+)$/gm);
  return [...inText, ...inBlocks].map(([, command]) =>
    command!.replace(/\s+/g, " ").replace("help COMMAND", "help plan"),
  );
}

const options = new Set(
  [...commandSet.globals, ...commandSet.commands.flatMap((command) => command.options)].map(
    ({ name }) => name,
  ),
);
/** Short for `-ask-become-pass`; and options of other programs. */
const others = ["K", "J", "generate-config-out"];

describe.each(pages)("%s", (page) => {
  const text = readFileSync(join(root, page), "utf8");

  test("names commands that there are", () => {
    const unknown = commandsOf(text)
      .filter((command) => !command.startsWith("-") && !command.includes("…"))
      .map((command) => parseCommandLine(words(command), commandSet))
      .flatMap((parsed) => (parsed.kind === "problem" ? parsed.problem.summary : []))
      .filter((summary) => summary.startsWith("Unknown"));
    expect(unknown).toEqual([]);
  });

  test("names options that there are", () => {
    const named = [...text.matchAll(/`-([A-Za-z-]+)(?:[= ][^`]*)?`/g)].map(([, name]) => name!);
    expect(named.filter((name) => !options.has(name) && !others.includes(name))).toEqual([]);
  });
});

test("the README's table has every command", () => {
  const table = readFileSync(join(root, "README.md"), "utf8").split("## Use it")[1]!;
  const rows = [...table.matchAll(/^\| (`conn3x .*?) \|/gm)].map(([, cell]) => cell!);
  const named = rows.flatMap((cell) =>
    [...cell.matchAll(/`(?:conn3x )?([a-z][a-z-]*)[^`]*`/g)].map(([, name]) => name!),
  );
  const first = commandSet.commands.map(({ name }) => name.split(" ")[0]!);
  // What prints the version needs no row.
  expect([...new Set(first)].filter((name) => name !== "version").sort()).toEqual([...named].sort());
});

test("the changelog says each thing once", () => {
  const items = readFileSync(join(root, "CHANGELOG.md"), "utf8")
    .split(/^(?=[-#])/m)
    .map((item) => item.trim());
  expect(items.filter((item, i) => item.startsWith("- ") && items.indexOf(item) !== i)).toEqual([]);
});
