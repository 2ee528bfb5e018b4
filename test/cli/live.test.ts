/**
 * What a person sees on a terminal: through a pseudo-terminal, which script(1) makes.
 */
import { spawnSync } from "node:child_process";
import { afterAll, beforeAll, expect, test } from "vitest";
import { bundleProgram, type Program } from "./program.ts";
import { openSite, type Site } from "./site.ts";

let program: Program;
let site: Site;

beforeAll(async () => {
  program = await bundleProgram();
  site = await openSite();
});

afterAll(async () => {
  program?.remove();
  await site?.remove();
});

const hasScript = spawnSync("script", ["--version"]).status === 0;

test.runIf(hasScript)("an apply shows what each host is at, and leaves only what happened", async () => {
  const slow = site.circuit.replace(
    '  step "page" {',
    '  step "slow" {\n    command {\n      run = "sleep 1"\n    }\n  }\n\n  step "page" {',
  );
  site.write(slow);
  const command = `stty cols 100; ${process.execPath} ${program.file} apply`;
  const { status, stdout } = await program.spawn("script", ["-qefc", command, "/dev/null"], {
    cwd: site.directory,
    input: "yes\n",
    env: { TERM: "xterm" },
  });
  expect(status, stdout).toBe(0);
  expect(stdout).toContain("Enter a value:");
  // Drawn while it ran, with colours, and taken away again.
  expect(stdout).toMatch(/Hosts:\S* 0 done, 1 running of 1; steps: 1 of 5; /);
  expect(stdout).toMatch(/ {2}web1: step slow 0\.\ds/);
  const shown = screen(stdout);
  expect(shown).not.toContain("running of");
  expect(shown).toMatch(/conn3x_file\.web__page\["web1"\]: Created after \d\.\ds\n/);
  expect(shown).not.toContain("Creating...");
  expect(shown).toMatch(/\nApply complete! 5 created, 0 updated, 0 replaced, 0 deleted\.\n/);
});

test.runIf(hasScript)("^C at the question cancels, and says nothing of what would be running", async () => {
  site.write(site.circuit.replace('"hello"', '"other"'));
  const { status, stdout } = await program.spawn(
    "script",
    ["-qefc", `${process.execPath} ${program.file} apply`, "/dev/null"],
    {
      cwd: site.directory,
      env: { TERM: "xterm", NO_COLOR: "1" },
      inputOn: { text: "Enter a value:", input: "\x03" },
    },
  );
  expect(status).toBe(1);
  expect(stdout).toContain("Apply cancelled.");
  expect(stdout).not.toContain("what is running");
});

/** What is left on a terminal that is high enough: the two sequences that a live view needs, and colours. */
function screen(output: string): string {
  const lines = [""];
  let row = 0;
  // The escape character as its picture, so that patterns can be read.
  const text = output.replaceAll("\x1b", "␛").replaceAll("\r\n", "\n");
  for (const [part] of text.matchAll(/␛\[\d*(?:;\d+)*[A-Za-z]|\n|\r|[^␛\n\r]+/g)) {
    const up = /^␛\[(?<rows>\d+)A$/.exec(part)?.groups?.rows;
    if (up !== undefined) row = Math.max(0, row - Number(up));
    else if (part === "␛[J") lines.splice(row, lines.length, "");
    else if (part === "\n") lines[++row] ??= "";
    else if (!part.startsWith("␛") && part !== "\r") lines[row] += part;
  }
  return lines.join("\n");
}
