import { describe, expect, test } from "vitest";
import { compileFiles } from "../../compiler/testing/compile-files.ts";
import { SourceFile } from "../../diagnostics/source.ts";
import { foreignBlocks } from "./foreign-blocks.ts";

const compiled = (text: string) =>
  compileFiles([new SourceFile("main.tf", text)], { directory: ".", kinds: new Map() });

/** What is said of the blocks, each with the text that it points to. */
function said(text: string, isCalled = false): readonly string[] {
  return foreignBlocks(compiled(text), isCalled).map(
    ({ range, why }) => `${range.file.text.slice(range.start, range.end)}: ${why}`,
  );
}

describe("backends", () => {
  test.each(["local", "http", "pg"])("%s is one of this engine's", (type) => {
    expect(said(`terraform {\n  backend "${type}" {}\n}`)).toEqual([]);
  });

  test("another one is pointed to, and named", () => {
    expect(said('terraform {\n  backend "s3" {\n    bucket = "b"\n  }\n}')).toEqual([
      'backend "s3": The embedded engine does not have the backend "s3" in this version.',
    ]);
  });

  test("is known beside a block that is not for this engine", () => {
    const text = 'terraform {\n  backend "http" {}\n  encryption {}\n}';
    expect(said(text)).toEqual([expect.stringContaining('"encryption"')]);
    expect(compiled(text).backend?.type).toBe("http");
  });
});

test("only the root module configures the provider", () => {
  const text = 'provider "conn3x" {}';
  expect(said(text)).toEqual([]);
  expect(said(text, true)).toEqual([
    'provider "conn3x": Only the root module may configure the provider here.',
  ]);
});
