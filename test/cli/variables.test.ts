/**
 * What is wrong with values of variables is told where they are written, or with the name of what gave them.
 */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { bundleProgram, type Program } from "./program.ts";

let program: Program;
let directory: string;

beforeAll(async () => {
  program = await bundleProgram();
  directory = mkdtempSync(join(tmpdir(), "conn3x-cli-variables-"));
  put("main.circuit.hcl", configuration);
}, 60_000);

afterAll(() => {
  program.remove();
  rmSync(directory, { recursive: true });
});

const put = (name: string, text: string): void => writeFileSync(join(directory, name), text);

const configuration = `variable "size" {
  type    = number
  default = 1
  validation {
    condition     = var.size != 3
    error_message = "Not three."
  }
}
variable "list" {
  type    = list(object({ a = number }))
  default = []
}
variable "secret" {
  type      = list(string)
  default   = []
  sensitive = true
}
output "secret" {
  value     = length(var.secret, 1)
  sensitive = true
}
`;

interface Reported {
  readonly summary: string;
  readonly detail: string;
  readonly range?: { readonly filename: string; readonly start: { readonly line: number } };
  readonly snippet?: { readonly code: string };
}

/** What the configuration itself has wrong is told whatever the values are. */
const ofConfiguration = "Too many function arguments";

/** `FILE:LINE SUMMARY: DETAIL` of everything but that. */
async function reported(args: readonly string[], env: Readonly<Record<string, string>> = {}) {
  const outcome = await program.run(["validate", "-json", ...args], { cwd: directory, env });
  const diagnostics = JSON.parse(outcome.stdout).diagnostics as readonly Reported[];
  return {
    all: diagnostics.map(({ summary }) => summary),
    texts: diagnostics
      .filter(({ summary }) => summary !== ofConfiguration)
      .map(({ summary, detail, range }) =>
        [range === undefined ? "" : `${range.filename}:${range.start.line} `, summary, ": ", detail].join(""),
      ),
    json: outcome.stdout,
  };
}

describe("a wrong value", () => {
  it("of a variables file is shown there, the part that is wrong", async () => {
    put("bad.tfvars", 'size = "x"\nlist = [\n  { a = 1 },\n  { a = "y" },\n]\n');
    expect((await reported(["-var-file=bad.tfvars"])).texts).toEqual([
      'bad.tfvars:1 Variable "size" cannot have this value: The value from bad.tfvars line 1: a number is required.',
      'bad.tfvars:4 Variable "list" cannot have this value: The value from bad.tfvars line 2 at [1].a: a number is required.',
    ]);
  });

  it("of a variables file in JSON as well", async () => {
    put("bad.json", '{\n  "list": [{ "a": "y" }]\n}\n');
    expect((await reported(["-var-file=bad.json"])).texts).toEqual([
      'bad.json:2 Variable "list" cannot have this value: The value from bad.json line 2 at [0].a: a number is required.',
    ]);
  });

  it("of an option or the environment names it", async () => {
    expect((await reported(["-var", "size=x"], { TF_VAR_list: '[{ a = "y" }]' })).texts).toEqual([
      'main.circuit.hcl:1 Variable "size" cannot have this value: The value from -var: a number is required.',
      'main.circuit.hcl:9 Variable "list" cannot have this value: The value from TF_VAR_list at [0].a: a number is required.',
    ]);
  });

  it.each([
    [["-var", "size=3"], {}, "-var"],
    [[], { TF_VAR_size: "3" }, "TF_VAR_size"],
    [["-var-file=three.tfvars"], {}, "three.tfvars line 2"],
  ])("that misses a condition names where it is from: %j %j", async (args, env, place) => {
    put("three.tfvars", "\nsize = 3\n");
    expect((await reported(args, env)).texts).toEqual([
      `main.circuit.hcl:5 Variable "size" has an invalid value: Not three.\n\nThe value is from ${place}.`,
    ]);
  });

  it("that is secret is not shown, wherever it is from and whatever is wrong with it", async () => {
    put("secret.tfvars", 'secret = { a = "hunter2" }\n');
    const place = 'main.circuit.hcl:13 Variable "secret" cannot have this value';
    const unfit = `${place}: The value from secret.tfvars line 1: it does not fit the declared type.`;
    const ofFile = await reported(["-var-file=secret.tfvars"]);
    expect(ofFile.texts).toEqual([unfit]);
    for (const text of ["[hunter2", "[hunter2]", 'hunter2("x")', "hunter2"]) {
      const ofOption = await reported(["-var", `secret=${text}`]);
      expect(ofOption.texts).toEqual([
        `${place}: The value from -var is no value in HCL's syntax. It is not shown, because the variable is sensitive.`,
      ]);
      expect(ofOption.json).not.toContain("hunter2");
    }
    expect(ofFile.json).not.toContain("hunter2");
  });

  it("is no expression: it refers to nothing and calls nothing", async () => {
    put("refers.tfvars", "list = [var.x, upper(y)]\n");
    const found = (await reported(["-var-file=refers.tfvars"])).texts;
    expect(found.map((text) => text.slice(0, text.indexOf(": ")))).toEqual([
      "refers.tfvars:1 A reference in a variable's value",
      "refers.tfvars:1 A function in a variable's value",
      "refers.tfvars:1 A reference in a variable's value",
    ]);
  });
});

describe("a mistake in a variables file", () => {
  it.each([
    ["a block", "block {\n}\n", ["Block in a variables file"]],
    ["a value", "secret = [,]\n", ["Invalid expression"]],
    ["a line", "secret\n", ["Attribute or block expected"]],
  ])("hides neither the values beside it nor the configuration: %s", async (_, text, summaries) => {
    put("mistaken.tfvars", `${text}size = "x"\n`);
    const { all } = await reported(["-var-file=mistaken.tfvars"]);
    expect(all.toSorted()).toEqual(
      [...summaries, 'Variable "size" cannot have this value', ofConfiguration].toSorted(),
    );
  });

  it("hides nothing when the file cannot be read at all, and what it would give is not guessed", async () => {
    const { all } = await reported(["-var-file=missing.tfvars"], { TF_VAR_size: "x" });
    expect(all).toEqual([
      "Cannot read missing.tfvars",
      'Variable "size" cannot have this value',
      ofConfiguration,
    ]);
    put(
      "strict.circuit.hcl",
      'variable "must" {\n  validation {\n    condition = var.must != ""\n    error_message = "x"\n  }\n  default = ""\n}\n',
    );
    try {
      expect((await reported(["-var-file=missing.tfvars"])).all).toEqual([
        "Cannot read missing.tfvars",
        ofConfiguration,
      ]);
    } finally {
      rmSync(join(directory, "strict.circuit.hcl"));
    }
  });
});
