/** What an apply destroys is in the plan, for every kind that can: before anything is done, with what it is. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { describeLab, labHosts } from "../lab/for-tests.ts";
import { bundledProgram } from "./bundled.ts";
import { fleetBlocks } from "./interrupted-circuit.ts";

const program = bundledProgram();

interface Case {
  readonly name: string;
  /** Shell text that makes what is there, in `/srv/d`. */
  readonly there: string;
  readonly step: string;
  /** What the plan says; undefined where nothing is destroyed. */
  readonly said: string | undefined;
}

const link = (more: string) => `link {\n path = "/srv/d/x"\n target = "t"\n ${more}\n }`;
const cases: readonly Case[] = [
  {
    name: "file_by_link",
    there: "echo precious >x",
    step: link("force = true"),
    said: "also removes a file that is in its place",
  },
  {
    name: "directory_by_link",
    there: "mkdir x",
    step: link("force = true"),
    said: "also removes an empty directory that is in its place",
  },
  {
    name: "link_by_link",
    there: "ln -s other x",
    step: link(""),
    said: 'also removes a symbolic link to "other" that is in its place',
  },
  { name: "same_link", there: "ln -s t x", step: link(""), said: undefined },
  { name: "nothing", there: ":", step: link("force = true"), said: undefined },
  {
    name: "file_by_hard_link",
    there: "echo precious >x; echo t >t",
    step: 'link {\n path = "/srv/d/x"\n target = "/srv/d/t"\n kind = "hard"\n force = true\n }',
    said: "also removes a file that is in its place",
  },
  {
    name: "link_by_file",
    there: "echo precious >t; ln -s t x",
    step: 'file {\n path = "/srv/d/x"\n content = "new"\n }',
    said: "also removes a symbolic link that is in its place",
  },
  {
    name: "purged",
    there: "mkdir x; echo precious >x/theirs",
    step: 'directory {\n path = "/srv/d/x"\n purge = true\n }',
    said: "purge removes them: theirs",
  },
];

describeLab("what an apply destroys", () => {
  const lab = labHosts(1);
  let directory: string;
  beforeEach(() => {
    directory = mkdtempSync(join(tmpdir(), "conn3x-destroyed-"));
  });
  afterEach(() => rmSync(directory, { recursive: true, force: true }));

  const write = (steps: string) =>
    writeFileSync(
      join(directory, "main.circuit.hcl"),
      `circuit "d" {\n${fleetBlocks(lab.lab, lab.hosts)}${steps}}\n`,
    );
  const flat = (text: string) => text.replace(/[\s│]+/g, " ");
  const run = async (...args: readonly string[]) => flat((await program.run(directory, args)).output);

  test.each(cases)("$name", async ({ there, step, said }) => {
    await lab.hosts[0].must(`rm -rf /srv/d; mkdir /srv/d; cd /srv/d; ${there}`);
    write(`step "x" {\n ${step}\n }\n`);
    const plan = await run("plan");
    if (said === undefined) expect(plan).not.toContain("removes");
    else expect(plan).toContain(said);
  });

  test("a directory that is removed with what is in it names that", async () => {
    await lab.hosts[0].must("rm -rf /srv/d");
    write('step "x" {\n directory {\n path = "/srv/d/x"\n on_remove = "delete"\n }\n }\n');
    await run("apply", "-auto-approve");
    await lab.hosts[0].must("mkdir /srv/d/x/sub; echo precious >/srv/d/x/sub/theirs");
    write("");
    expect(await run("plan")).toContain("also removes sub also removes sub/theirs");
    write('step "x" {\n directory {\n path = "/srv/d/x"\n on_remove = "delete"\n }\n when = false\n }\n');
    expect(await run("plan")).toContain("also removes sub also removes sub/theirs");
  });
});
