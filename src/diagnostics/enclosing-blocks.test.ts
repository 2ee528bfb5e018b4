import { describe, expect, it } from "vitest";
import { enclosingBlocks } from "./enclosing-blocks.ts";
import { SourceFile } from "./source.ts";

/** The offset is that of `§`, which is not part of the text. */
function at(marked: string): string[] {
  const offset = marked.indexOf("§");
  return enclosingBlocks(new SourceFile("a.tf", marked.replace("§", "")), offset);
}

describe("enclosingBlocks", () => {
  it("names the blocks around a place, outermost first", () => {
    expect(at('circuit "web" {\n  step "a" {\n    file {\n      pa§th = 1\n    }\n  }\n}\n')).toEqual([
      'circuit "web"',
      'step "a"',
      "file",
    ]);
  });

  it("counts a block's own header and closing brace as inside it", () => {
    expect(at('variable "x" {}\n§output "y" {\n}\n')).toEqual(['output "y"']);
    expect(at('output "y" {\n§}\n')).toEqual(['output "y"']);
    expect(at('output "y" {\n}§\n')).toEqual([]);
  });

  it("forgets blocks that ended", () => {
    expect(at('circuit "web" {\n  ssh { user = "x" }\n  ho§sts = {}\n}\n')).toEqual(['circuit "web"']);
  });

  it("does not take an object for a block", () => {
    expect(at("locals {\n  a = {\n    b = §1\n  }\n}\n")).toEqual(["locals"]);
  });

  it("is not misled by braces in strings, templates, comments and heredocs", () => {
    expect(
      at(`locals {\n  a = "} \${ f("}", { x = "}" }) } }"\n  # }\n  /* } */\n  // }\n  b = §1\n}\n`),
    ).toEqual(["locals"]);
    expect(at("locals {\n  a = <<-EOT\n    }\n    }}\n  EOT\n  b = §1\n}\n")).toEqual(["locals"]);
    expect(at('locals {\n  a = "$${ %%{"\n}\nvariable "x" {\n  §\n}\n')).toEqual(['variable "x"']);
  });

  it("works on a file that does not parse", () => {
    expect(at('circuit "web" {\n  step "a" {\n    x = "never closed\n    §\n')).toEqual([
      'circuit "web"',
      'step "a"',
    ]);
  });
});
