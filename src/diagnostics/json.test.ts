import { describe, expect, it } from "vitest";
import { errorDiagnostic, warningDiagnostic } from "./diagnostic.ts";
import { validateJson } from "./json.ts";
import { SourceFile } from "./source.ts";

describe("validateJson", () => {
  it("has the shape of OpenTofu's", () => {
    // Numbers as a real engine gave them for this text.
    const file = new SourceFile("main.tf", 'locals {\n}\n\nvariable "s" {\n  default = upper("x")\n}\n');
    const start = file.text.indexOf("upper");
    const place = { range: { file, start, end: start + 'upper("x")'.length } };
    expect(
      validateJson([
        errorDiagnostic("Function calls not allowed", "Functions may not be called here.", place),
      ]),
    ).toEqual({
      format_version: "1.0",
      valid: false,
      error_count: 1,
      warning_count: 0,
      diagnostics: [
        {
          severity: "error",
          summary: "Function calls not allowed",
          detail: "Functions may not be called here.",
          range: {
            filename: "main.tf",
            start: { line: 5, column: 13, byte: 39 },
            end: { line: 5, column: 23, byte: 49 },
          },
          snippet: {
            context: 'variable "s"',
            code: '  default = upper("x")',
            start_line: 5,
            highlight_start_offset: 12,
            highlight_end_offset: 22,
            values: [],
          },
        },
      ],
    });
  });

  it("counts warnings and stays valid with them", () => {
    const json = validateJson([warningDiagnostic("W", "")]);
    expect([json.valid, json.error_count, json.warning_count]).toEqual([true, 0, 1]);
  });

  it("counts offsets in bytes and gives the whole lines of a range", () => {
    const file = new SourceFile("a.tf", 'a = "é"\nb = [\n  1]\nc = 2\n');
    const start = file.text.indexOf("[");
    const [diagnostic] = validateJson([
      errorDiagnostic("S", "", { range: { file, start, end: file.text.indexOf("]") + 1 } }),
    ]).diagnostics;
    expect(diagnostic?.snippet).toMatchObject({
      code: "b = [\n  1]",
      start_line: 2,
      highlight_start_offset: 4,
      highlight_end_offset: 10,
      context: null,
    });
    expect(diagnostic?.range?.start.byte).toBe(13);
  });

  it("counts bytes of the file, as OpenTofu does, and columns of the text", () => {
    const text = "a = 1\nb = x\n";
    const file = new SourceFile("a.tf", text, 3);
    const start = text.indexOf("x");
    const [diagnostic] = validateJson([
      errorDiagnostic("S", "", { range: { file, start, end: start + 1 } }),
    ]).diagnostics;
    expect(diagnostic?.range?.start).toEqual({ line: 2, column: 5, byte: 13 });
    expect(diagnostic?.snippet).toMatchObject({
      code: "b = x",
      highlight_start_offset: 4,
      highlight_end_offset: 5,
    });
  });
});
