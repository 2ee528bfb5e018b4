/** A file with more names than one: a plan says so, and what becomes of the other names is the circuit's to say. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { describeLab, labHosts } from "../lab/for-tests.ts";
import { bundledProgram } from "./bundled.ts";
import { fleetBlocks } from "./interrupted-circuit.ts";

const program = bundledProgram();

describeLab("a file with two names", () => {
  const lab = labHosts(1);
  let directory: string;
  beforeEach(async () => {
    directory = mkdtempSync(join(tmpdir(), "conn3x-names-"));
    await lab.hosts[0].must("mkdir -p /srv/n; cd /srv/n; rm -f *; echo old >a; ln a b");
  });
  afterEach(() => rmSync(directory, { recursive: true, force: true }));

  const write = (body: string) =>
    writeFileSync(
      join(directory, "main.circuit.hcl"),
      `circuit "names" {\n${fleetBlocks(lab.lab, lab.hosts)}  step "a" {\n    ${body}\n  }\n}\n`,
    );
  const flat = (text: string) => text.replace(/[\s│]+/g, " ");

  test.each([
    ["file", 'content = "new\\n"'],
    ["line", 'regexp = "old"\n line = "new"'],
  ])("loses one to a new file, which a plan tells (%s)", async (kind, settings) => {
    write(`${kind} {\n path = "/srv/n/a"\n ${settings}\n }`);
    const plan = await program.run(directory, ["plan"]);
    expect(flat(plan.output)).toContain("/srv/n/a is one of 2 hard links to the same file");
    await program.run(directory, ["apply", "-auto-approve"]);
    expect(await lab.hosts[0].must("cd /srv/n; cat a b; stat -c %h a")).toBe("new\nold\n1\n");
  });

  test.each([
    ["file", 'content = "new\\n"'],
    ["line", 'regexp = "old"\n line = "new"'],
  ])("keeps both with unsafe_write (%s)", async (kind, settings) => {
    write(`${kind} {\n path = "/srv/n/a"\n ${settings}\n unsafe_write = true\n }`);
    const { status, output } = await program.run(directory, ["apply", "-auto-approve"]);
    expect(status, output).toBe(0);
    expect(output).not.toContain("hard links");
    expect(await lab.hosts[0].must("cd /srv/n; cat a b; stat -c %h a; ls -A")).toBe("new\nnew\n2\na\nb\n");
    expect((await program.run(directory, ["plan", "-detailed-exitcode"])).status).toBe(0);
  });
});
