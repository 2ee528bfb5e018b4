/** Purging a directory that several circuits put files into: what goes is told before, whichever engine plans. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { findEngines } from "../engines/engine.ts";
import { describeLab, labHosts } from "../lab/for-tests.ts";
import { bundledProgram } from "./bundled.ts";
import { fleetBlocks } from "./interrupted-circuit.ts";

const program = bundledProgram();
const engines: readonly (readonly [name: string, ...flags: string[]])[] = [
  ["the embedded engine"],
  ...findEngines().map(({ name, program: path }) => [name, `-engine=${path}`] as const),
];

describeLab("a directory with purge", () => {
  const lab = labHosts(1);
  let directory: string;
  beforeAll(async () => {
    directory = mkdtempSync(join(tmpdir(), "conn3x-purge-"));
    const host = fleetBlocks(lab.lab, lab.hosts);
    writeFileSync(
      join(directory, "main.circuit.hcl"),
      `circuit "app" {
${host}
  step "conf" {
    directory {
      path  = "/etc/app.d"
      purge = true
      keep  = ["local"]
    }
    notify = [handler.note]
  }
  step "parts" {
    for_each = toset(["a", "b"])
    file {
      path    = "/etc/app.d/\${host.name}/\${each.key}.conf"
      content = each.value
    }
  }
  handler "note" {
    command {
      run = "echo note >>/run/notes"
    }
  }
}
circuit "other" {
${host}
  step "more" {
    link {
      path   = "/etc/app.d/more"
      target = "/etc/hostname"
    }
  }
}
`,
    );
    await lab.hosts[0]!.must(
      "mkdir -p /etc/app.d/local/x /etc/app.d/old; touch /etc/app.d/old/conf /etc/app.d/local/x/y",
    );
  });
  afterAll(() => rmSync(directory, { recursive: true, force: true }));

  const tree = () => lab.hosts[0]!.must("cd /etc/app.d && find . ! -type d | sort");
  const kept = "./local/x/y\n./more\n./web1/a.conf\n./web1/b.conf\n";
  const flat = (text: string) => text.replace(/[\s│]+/g, " ");

  test("what nobody put there goes with the first apply, which the plan says", async () => {
    const plan = await program.run(directory, ["plan"]);
    expect(flat(plan.output)).toContain(
      "No step put these into /etc/app.d, and purge removes them: old/conf Name in keep",
    );
    const { status, output } = await program.run(directory, ["apply", "-auto-approve"]);
    expect(status, output).toBe(0);
    expect(await tree()).toBe(kept);
  });

  test.each(engines)(
    "with %s: it is drift, is put back, and runs the handler; then nothing is to be done",
    async (_, ...flags) => {
      const host = lab.hosts[0]!;
      const notes = await host.must("wc -l </run/notes");
      await host.must("mkdir /etc/app.d/by-hand; touch /etc/app.d/by-hand/x; ln -s /etc /etc/app.d/etc");
      const drift = await program.run(directory, ["drift", ...flags]);
      expect([drift.status, flat(drift.output)]).toEqual([
        2,
        expect.stringContaining('extra[1]: expected nothing, found "etc"'),
      ]);
      const { status, output } = await program.run(directory, ["apply", "-auto-approve", ...flags]);
      expect(status, output).toBe(0);
      expect(await tree()).toBe(kept);
      await host.must("! [ -e /etc/app.d/by-hand ] && [ -s /etc/passwd ]");
      expect(Number(await host.must("wc -l </run/notes"))).toBe(Number(notes) + 1);
      const again = await program.run(directory, ["plan", "-detailed-exitcode", ...flags]);
      expect(again.status, again.output).toBe(0);
    },
    240_000,
  );
});
