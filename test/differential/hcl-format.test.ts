/**
 * Our formatter against the real one: `tofu fmt`, or `terraform fmt` where only that is installed.
 */
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { expect, test } from "vitest";
import { formatText } from "../../src/hcl/format/format.ts";
import { printBody } from "../../src/hcl/print/print.ts";
import type { Body } from "../../src/hcl/tree.ts";
import { bodies } from "./hcl-trees.ts";

const environment = { ...process.env, TF_CLI_CONFIG_FILE: "/dev/null", CHECKPOINT_DISABLE: "1" };

const command = ["tofu", "terraform"].find(
  (name) => spawnSync(name, ["version"], { env: environment }).status === 0,
);

/** The real one drops labels with "$" or "%". */
const losesLabels = ({ items }: Body): boolean =>
  items.some(
    (item) =>
      item.kind === "block" &&
      (item.labels.some(({ value }) => /[$%]/.test(value)) || losesLabels(item.body)),
  );

/** Canonical text with its white space changed where that has no meaning: outside of texts, on lines of plain code. */
const disturbed = fc
  .tuple(
    fc.array(
      bodies.filter((body) => !losesLabels(body)),
      { minLength: 5, maxLength: 8 },
    ),
    fc.infiniteStream(fc.nat(5)),
  )
  .map(([trees, choices]) => {
    const next = (): number => choices.next().value as number;
    return trees
      .map((body, index) => `b${index} {\n${printBody(body)}}\n`)
      .join("\n")
      .split("\n")
      .map((line) => {
        if (/["<]|EOT/.test(line)) return line;
        const spaced = line.replace(/ (?==|\?|:|\+|&)|(?<=[=,[({]) /g, () =>
          " ".repeat([1, 1, 2, 4, 1, 3][next()]!),
        );
        return next() === 0 && line !== "" ? `\t${spaced}` : spaced;
      })
      .join("\n");
  });

/** The real one drops the key of `b[true]` and `b[null]`. */
const losesKey = (text: string): boolean => /\[(?:true|false|null)\]/.test(text);

/** What the real one makes of texts, all in one run. */
function formatReally(texts: readonly string[]): string[] {
  const directory = mkdtempSync(join(tmpdir(), "hcl-format-"));
  try {
    const files = texts.map((_, index) => join(directory, `${index}.tf`));
    files.forEach((file, index) => {
      writeFileSync(file, texts[index]!);
    });
    const { status, stderr } = spawnSync(command!, ["fmt", directory], {
      env: environment,
      encoding: "utf8",
    });
    expect(stderr).toBe("");
    expect(status).toBe(0);
    return files.map((file) => readFileSync(file, "utf8"));
  } finally {
    rmSync(directory, { recursive: true });
  }
}

const name = `generated files, by ${command ?? "nobody: neither tofu nor terraform is installed"}`;

test.skipIf(command === undefined)(name, { timeout: 60_000 }, () => {
  const texts = fc.sample(disturbed, 150).filter((text) => !losesKey(text));
  const wanted = formatReally(texts);
  texts.forEach((text, index) => {
    expect(formatText(text)).toBe(wanted[index]);
  });
});
