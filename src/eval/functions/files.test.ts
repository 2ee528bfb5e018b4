import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { homedir, tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { showValue } from "../../values/show.ts";
import { evaluate } from "../evaluate.ts";
import { scopeOf } from "../scope.ts";
import { parsed } from "../testing.ts";
import { functionTable } from "./table.ts";

let directory = "";
beforeAll(() => {
  directory = mkdtempSync(join(tmpdir(), "conn3x-files-"));
  mkdirSync(join(directory, "sub", "deeper"), { recursive: true });
  const files: Readonly<Record<string, string | Buffer>> = {
    "a.txt": "hällo\n",
    "bin.dat": Buffer.from([0xff, 0xfe, 0x00]),
    "sub/b.txt": "b",
    "sub/c.conf": "c",
    "sub/deeper/d.txt": "d",
    "t.tftpl": "Hello ${name}!%{ for p in ports } ${p}%{ endfor }\n",
    "list.tftpl": "${[for x in xs : upper(x)]}",
    "broken.tftpl": "line one\n${nope.x}\n",
    "syntax.tftpl": "${",
    "outer.tftpl": 'outer ${templatefile("inner.tftpl", { x = x })}',
    "inner.tftpl": "inner ${x}",
    "endless.tftpl": '${templatefile("endless.tftpl", {})}',
  };
  for (const [name, content] of Object.entries(files)) writeFileSync(join(directory, name), content);
});
afterAll(() => rmSync(directory, { recursive: true }));

function shown(text: string): string {
  const outcome = evaluate(parsed(text), scopeOf({}, functionTable({ baseDirectory: directory })));
  return outcome.diagnostics[0]?.detail ?? showValue(outcome.value);
}

describe("files", () => {
  it.each([
    ['file("a.txt") == "hällo\\n"', "true"],
    ['file("./sub/../a.txt") == "hällo\\n"', "true"],
    ['filebase64("bin.dat")', '"//4A"'],
    // By md5sum, sha1sum, sha256sum and sha512sum.
    ['filemd5("sub/b.txt")', '"92eb5ffee6ae2fec3ad71c777531578f"'],
    ['filesha1("sub/b.txt")', '"e9d71f5ee7c92d6dc9e92ffdad17b8bd49418f98"'],
    ['filesha256("sub/b.txt")', '"3e23e8160039594a33894f6564e1b1348bbd7a0088d42c4acb73eeaed59c009d"'],
    ['filebase64sha256("sub/b.txt") == base64sha256("b")', "true"],
    ['filesha512("a.txt") == sha512(file("a.txt"))', "true"],
    ['fileexists("a.txt")', "true"],
    ['fileexists("nope")', "false"],
    ['fileset(".", "**/*.txt")', 'toset([\n  "a.txt",\n  "sub/b.txt",\n  "sub/deeper/d.txt",\n])'],
    ['fileset("sub", "*")', 'toset([\n  "b.txt",\n  "c.conf",\n])'],
    ['fileset(".", "sub/{b,c}.*")', 'toset([\n  "sub/b.txt",\n  "sub/c.conf",\n])'],
    ['fileset(".", "?.[!x]xt")', "toset([])"],
    ['fileset(".", "[a-b].t?t")', 'toset([\n  "a.txt",\n])'],
    ['fileset("nowhere", "*")', "toset([])"],
  ])("%s is %s", (text, result) => {
    expect(shown(text)).toBe(result);
  });

  it("are found from the base directory", () => {
    expect(shown('abspath("x/../y")')).toBe(JSON.stringify(join(directory, "y")));
    expect(shown('pathexpand("~/x")')).toBe(JSON.stringify(`${homedir()}/x`));
  });

  it("say what is wrong with them", () => {
    expect(shown('file("nope")')).toContain('Invalid value for "path" parameter: no file exists at "nope"');
    expect(shown('file("bin.dat")')).toContain('contents of "bin.dat" are not valid UTF-8');
    expect(shown('file("sub")')).toContain('"sub" is a directory');
    expect(shown('fileexists("sub")')).toContain('"sub" is a directory');
    expect(shown('fileset(".", "[")')).toContain("syntax error in pattern");
  });
});

describe("templates", () => {
  it.each([
    ['templatefile("t.tftpl", { name = "x", ports = [80, 443] }) == "Hello x! 80 443\\n"', "true"],
    ['templatefile("list.tftpl", { xs = ["a"] })', '[\n  "A",\n]'],
    ['templatefile("outer.tftpl", { x = 1 })', '"outer inner 1"'],
    ['templatestring("$${a}-$${upper(b)}", { a = 1, b = "x" })', '"1-X"'],
    ['templatefile("t.tftpl", { name = sensitive("x"), ports = [] })', "(sensitive value)"],
    ['templatefile("inner.tftpl", tomap({ x = "y" }))', '"inner y"'],
  ])("%s is %s", (text, result) => {
    expect(shown(text)).toBe(result);
  });

  it.each([
    [
      'templatefile("broken.tftpl", {})',
      'broken.tftpl:2,3: Unknown variable; There is no variable named "nope"',
    ],
    ['templatefile("syntax.tftpl", {})', "syntax.tftpl:1,"],
    ['templatefile("t.tftpl", { "a b" = 1 })', 'invalid template variable name "a b"'],
    ['templatefile("t.tftpl", [])', "invalid vars value: must be a map"],
    ['templatefile("endless.tftpl", {})', "nested more than 50 levels deep"],
  ])("%s fails", (text, part) => {
    expect(shown(text)).toContain(part);
  });

  it("says once that templates are nested too deeply", () => {
    expect(shown('templatefile("endless.tftpl", {})')).toBe(
      'Invalid value for "path" parameter: templates are nested more than 50 levels deep.',
    );
  });
});
