/**
 * Parts of a fleet, batches of it, plans in files, renamed steps: through the command, seen on the hosts.
 */
import { mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { describeLab, labHosts } from "../lab/for-tests.ts";
import { bundledProgram } from "./bundled.ts";
import { fleetBlocks } from "./interrupted-circuit.ts";

const program = bundledProgram();

describeLab(
  "a fleet",
  () => {
    const lab = labHosts(2);
    const directory = mkdtempSync(join(tmpdir(), "conn3x-fleet-"));
    afterAll(() => rmSync(directory, { recursive: true, force: true }));

    const write = (text: string, { step = "note", settings = "", run = "true" } = {}) =>
      writeFileSync(
        join(directory, "main.circuit.hcl"),
        `circuit "web" {
${fleetBlocks(lab.lab, lab.hosts)}
${settings}
  step "${step}" {
    file {
      path    = "/srv/note"
      content = "${text}\\n"
    }
  }
  step "check" {
    command {
      run      = "${run}"
      triggers = { note = "${text}" }
    }
  }
}
`,
      );
    const run = async (status: number, ...args: string[]): Promise<string> => {
      const outcome = await program.run(directory, args);
      expect(outcome.status, outcome.output).toBe(status);
      return outcome.output;
    };
    const notes = () => Promise.all(lab.hosts.map((host) => host.must("cat /srv/note 2>/dev/null || true")));

    test("-limit leaves the other host as it is", async () => {
      const [one] = lab.hosts;
      write("one");
      await run(0, "apply", "-auto-approve", `-limit=${one.name}`);
      expect(await notes()).toEqual(["one\n", ""]);
      await run(0, "apply", "-auto-approve");
      expect(await notes()).toEqual(["one\n", "one\n"]);
    });

    test("a saved plan is applied as it was made, by its owner only, and once", async () => {
      write("two");
      await run(0, "plan", "-out=saved");
      expect(statSync(join(directory, "saved")).mode & 0o777).toBe(0o600);
      await run(0, "apply", "saved");
      expect(await notes()).toEqual(["two\n", "two\n"]);
      expect(await run(1, "apply", "saved")).toContain("Saved plan is stale");
    });

    test("a rollout whose first batch fails leaves the other host as it was", async () => {
      const settings = "  rollout {\n    batch = 1\n  }";
      write("three", { settings, run: "false" });
      expect(await run(1, "apply", "-auto-approve")).toContain("rollout stopped");
      expect(await notes()).toEqual(["three\n", "two\n"]);
      write("three", { settings });
      await run(0, "apply", "-auto-approve");
      expect(await notes()).toEqual(["three\n", "three\n"]);
    });

    test("a step that was renamed with a moved block keeps what it has made", async () => {
      const before = await Promise.all(lab.hosts.map((host) => host.must("stat -c '%i %Y' /srv/note")));
      write("three", {
        step: "remark",
        settings: "  moved {\n    from = step.note\n    to   = step.remark\n  }",
      });
      await run(0, "apply", "-auto-approve");
      expect(await Promise.all(lab.hosts.map((host) => host.must("stat -c '%i %Y' /srv/note")))).toEqual(
        before,
      );
      await run(0, "plan", "-detailed-exitcode");
      await run(0, "destroy", "-auto-approve");
      expect(await notes()).toEqual(["", ""]);
    });
  },
  300_000,
);
