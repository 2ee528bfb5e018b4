import pico from "picocolors";
import { describe, expect, it } from "vitest";
import { at } from "../values/path.ts";
import { errorDiagnostic, warningDiagnostic } from "./diagnostic.ts";
import { renderDiagnostic } from "./render.ts";
import { SourceFile, type SourceRange } from "./source.ts";

const plain = { colors: pico.createColors(false), width: 78 };
const coloured = { colors: pico.createColors(true), width: 78 };

/** The range is what stands between `«` and `»`, which are not part of the text. */
function range(name: string, marked: string): SourceRange {
  const start = marked.indexOf("«");
  const end = marked.indexOf("»") - 1;
  return { file: new SourceFile(name, marked.replace("«", "").replace("»", "")), start, end };
}

const web = range("main.circuit.hcl", 'circuit "web" {\n  step "a" {\n    «fil» {}\n  }\n}\n');

describe("renderDiagnostic", () => {
  it("shows what, where and why", () => {
    const diagnostic = errorDiagnostic(
      "Unknown step kind",
      'There is no step kind "fil". Did you mean "file"?',
      {
        range: web,
      },
    );
    expect(renderDiagnostic(diagnostic, plain)).toBe(`
Error: Unknown step kind

  on main.circuit.hcl line 3, in circuit "web", step "a":
    3:     fil {}
           ^^^

There is no step kind "fil". Did you mean "file"?
`);
  });

  it("draws OpenTofu's box and underlines the range where there are colours", () => {
    const text = renderDiagnostic(errorDiagnostic("Bad", "Because.", { range: web }), coloured);
    const red = (rule: string) => `\x1b[31m${rule}\x1b[39m`;
    expect(text.split("\n")).toEqual([
      red("╷"),
      `${red("│")} \x1b[1m\x1b[31mError: \x1b[39m\x1b[22m\x1b[1mBad\x1b[22m`,
      `${red("│")} `,
      `${red("│")}   on main.circuit.hcl line 3, in circuit "web", step "a":`,
      `${red("│")}     3:     \x1b[4mfil\x1b[24m {}`,
      `${red("│")} `,
      `${red("│")} Because.`,
      red("╵"),
      "",
    ]);
  });

  it("never breaks a line that starts with four spaces", () => {
    const key = `    [host]:22 ssh-ed25519 ${"A".repeat(60)} ${"B".repeat(60)}`;
    const text = renderDiagnostic(
      errorDiagnostic("Unknown key", `Add this line:\n${key}\nThen go on.`),
      plain,
    );
    expect(text).toContain(`Add this line:\n${key}\nThen go on.\n`);
  });

  it("names instance, attribute, step and host", () => {
    const diagnostic = errorDiagnostic("The disk is full", "", {
      address: 'conn3x_file.web__config["web1"]',
      attribute: at("content"),
      host: "web1",
    });
    expect(renderDiagnostic(diagnostic, plain)).toBe(`
Error: The disk is full

  with conn3x_file.web__config["web1"].content (step config), on host web1
`);
  });

  it("says handler for an action, and nothing for a resource that no circuit made", () => {
    const handler = warningDiagnostic("W", "", { address: 'conn3x_service_action.web__reload["a"]' });
    expect(renderDiagnostic(handler, plain)).toContain(
      '  with conn3x_service_action.web__reload["a"] (handler reload)\n',
    );
    const own = warningDiagnostic("W", "", { address: "conn3x_file.motd" });
    expect(renderDiagnostic(own, plain)).toContain("  with conn3x_file.motd\n");
  });

  it("cuts a wide line around the range", () => {
    const place = range("a.tf", `x = "${"a".repeat(200)}«bcd»${"e".repeat(200)}"\n`);
    const lines = renderDiagnostic(errorDiagnostic("Wide", "", { range: place }), plain).split("\n");
    const source = lines[4]!;
    expect(source.length).toBeLessThanOrEqual(78);
    expect(source).toMatch(/^ {4}1: …a+bcde+…$/);
    expect(lines[5]!.indexOf("^^^")).toBe(source.indexOf("bcd"));
  });

  it("puts the pointer under wide characters where a terminal shows them", () => {
    const place = range("a.tf", 'x = "日本" «+» 1\n');
    const lines = renderDiagnostic(errorDiagnostic("Wide", "", { range: place }), plain).split("\n");
    // 4 + `x = "日本" ` is 11 columns though 9 characters.
    expect(lines[5]).toBe(`${" ".repeat(7 + 11)}^`);
  });

  it("shows the first lines of a long range", () => {
    const place = range("a.tf", "«a {\n  b\n  c\n  d\n  e\n}»\n");
    expect(renderDiagnostic(errorDiagnostic("Long", "", { range: place }), plain)).toBe(`
Error: Long

  on a.tf line 1, in a:
    1: a {
       ^^^
    2:   b
         ^
    3:   c
         ^
    4:   d
         ^
       …
`);
  });

  it("wraps sentences and leaves indented lines alone", () => {
    const long = `${"word ".repeat(20).trim()}.\n  ${"x".repeat(90)}`;
    const lines = renderDiagnostic(errorDiagnostic("W", long), plain).split("\n");
    expect(lines[3]).toBe("word ".repeat(15).trim());
    expect(lines[4]).toBe(`${"word ".repeat(5).trim()}.`);
    expect(lines[5]).toBe(`  ${"x".repeat(90)}`);
  });

  it("lets no text steer the terminal", () => {
    const text = renderDiagnostic(errorDiagnostic("Answer \x1b[2J", "said\x07 \u202eabc"), plain);
    expect(text).toBe("\nError: Answer ␛[2J\n\nsaid␇ �abc\n");
  });

  it("hides no character, and moves none", () => {
    const place = range("main.tf", 'a = «"x\u200fy\u2028z\u061c\u200b\ufeff"»\n');
    const lines = renderDiagnostic(errorDiagnostic("Odd", "", { range: place }), plain).split("\n");
    expect(lines[4]).toBe('    1: a = "x�y�z���"');
  });

  it("piles no marks up", () => {
    const place = range("main.tf", `a = «"x${"\u0301".repeat(3000)}"»\n`);
    const lines = renderDiagnostic(errorDiagnostic("Marks", "", { range: place }), plain).split("\n");
    expect(lines[4]).toBe(`    1: a = "x${"\u0301".repeat(30)}�"`);
    const thai = errorDiagnostic("Thai", "ที่นี่ नमस्ते שָׁלוֹם");
    expect(renderDiagnostic(thai, plain)).toContain("ที่นี่ नमस्ते שָׁלוֹם");
  });

  it("leaves out the middle of endless names", () => {
    const name = "n".repeat(10_000);
    const place = range("main.tf", `step "${name}" {\n  «${name}» = 1\n}\n`);
    const problem = errorDiagnostic(`Unknown argument "${name}"`, `"${name}" is none.`, { range: place });
    for (const width of [1, 20, 78, 500]) {
      const text = renderDiagnostic(problem, { ...plain, width });
      expect(text.length).toBeLessThan(4500);
      expect(text).toContain(`Unknown argument "nnn`);
      expect(text).toMatch(/n…n+"\s+is\s+none/);
      expect(text).not.toContain("……");
    }
  });

  it("shows keys and addresses whole", () => {
    const key = "A".repeat(1400);
    expect(renderDiagnostic(errorDiagnostic("Key", `It is ${key}.`), plain)).toContain(key);
  });
});
