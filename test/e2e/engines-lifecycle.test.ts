/**
 * `lifecycle` on a real host, with each engine: equal plans, and what the host shows. What is replaced are files as an
 * SSH server's: they are never away while something else is done.
 */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { findEngines } from "../engines/engine.ts";
import { describeLab, labHosts } from "../lab/for-tests.ts";
import type { LabHost } from "../lab/host.ts";
import type { Lab } from "../lab/lab.ts";
import { conn3x } from "./conn3x.ts";
import { planIn } from "./engines-story.ts";

interface Wishes {
  readonly version?: string;
  /** Environment of the job. */
  readonly a?: string;
  readonly b?: string;
  readonly guarded?: string;
}

const circuit = (
  lab: Lab,
  host: LabHost,
  { version = "1", a = "1", b = "1", guarded = "g" }: Wishes,
): string => `
circuit "web" {
  hosts = {
    web1 = { address = "${host.address}", host_key = "${host.hostKey}" }
  }
  ssh {
    user             = "deploy"
    private_key_file = "${lab.keyFile}"
    agent            = false
    become           = true
  }

  step "place" {
    directory {
      path = "/srv/life"
    }
  }

  step "config" {
    file {
      path    = "/srv/life/sshd_config.${version}"
      content = "PermitRootLogin no\\n"
    }
    lifecycle {
      create_before_destroy = true
    }
  }

  step "witness" {
    command {
      run      = "{ cd /srv/life && echo sshd_config.*; } >>/srv/seen"
      triggers = { config = step.config.path }
    }
  }

  step "job" {
    command {
      run         = "echo $A $B >>/srv/jobs"
      environment = { A = "${a}", B = "${b}" }
    }
    lifecycle {
      ignore_changes       = [environment["B"]]
      replace_triggered_by = [step.config]
    }
  }

  step "guarded" {
    file {
      path    = "/srv/${guarded}"
      content = "x"
    }
    lifecycle {
      prevent_destroy = true
    }
  }
}
`;

const config = 'conn3x_file.web__config["web1"]';
const witness = 'conn3x_command.web__witness["web1"]';

interface Chapter {
  readonly name: string;
  readonly wishes: Wishes;
  readonly options?: readonly string[];
}

const moved: Wishes = { version: "2" };
const chapters: readonly Chapter[] = [
  { name: "create", wishes: {} },
  { name: "nothing to do", wishes: {} },
  { name: "another path", wishes: moved },
  { name: "an element that is ignored", wishes: { ...moved, b: "2" } },
  { name: "one that is not", wishes: { ...moved, a: "2", b: "2" } },
  { name: "several are asked for", wishes: moved, options: [`-replace=${config}`, `-replace=${witness}`] },
  { name: "what must not be destroyed", wishes: { ...moved, guarded: "other" } },
];

interface Record {
  readonly plan: readonly string[];
  readonly statuses: readonly number[];
  readonly host: string;
}

/** That an object takes the place of itself is known to the embedded engine when it plans, to others when they apply. */
const withoutKept = (line: string): string => line.replace(/; the old one is kept on the host \(.*\)$/, "");

async function live(
  lab: Lab,
  host: LabHost,
  engine: readonly string[],
): Promise<ReadonlyMap<string, Record>> {
  const directory = mkdtempSync(join(tmpdir(), "conn3x-lifecycle-"));
  const records = new Map<string, Record>();
  try {
    for (const { name, wishes, options = [] } of chapters) {
      writeFileSync(join(directory, "main.circuit.hcl"), circuit(lab, host, wishes));
      const applied = await conn3x(
        directory,
        "apply",
        "-auto-approve",
        "-format=resources",
        "-expand",
        ...options,
        ...engine,
      );
      const { plan, planStatus } = planIn(applied.output);
      records.set(name, {
        plan: plan.map(withoutKept),
        statuses: [planStatus, applied.status],
        host: await host.must(
          "ls /srv/life; cat /srv/seen /srv/jobs; ls /srv/g* /srv/other 2>/dev/null || true",
        ),
      });
    }
    return records;
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

describeLab("lifecycle", () => {
  const lab = labHosts(1);
  const engines = [{ name: "embedded", options: [] as readonly string[] }].concat(
    findEngines().map(({ name, program }) => ({ name, options: [`-engine=${program}`] })),
  );
  const records = new Map<string, ReadonlyMap<string, Record>>();
  beforeAll(async () => {
    const [host] = lab.hosts;
    for (const { name, options } of engines) {
      records.set(name, await live(lab.lab, host!, options));
      await host!.reset();
    }
  }, 600_000);

  describe.each(engines.map(({ name }) => name))("%s", (name) => {
    const of = (chapter: string) => records.get(name)!.get(chapter)!;

    test("U2: creates the new object, does what depends on it, and deletes the old one", () => {
      const { plan, host, statuses } = of("another path");
      expect(statuses).toEqual([2, 0]);
      expect(plan).toContain('+/- resource "conn3x_file" "web__config" {');
      // While the witness ran both were there.
      expect(host.split("\n").slice(0, 3)).toEqual([
        "sshd_config.2",
        "sshd_config.1",
        "sshd_config.1 sshd_config.2",
      ]);
    });

    test("what is written at its old path is not deleted afterwards", () => {
      const { statuses, host } = of("several are asked for");
      expect(statuses).toEqual([2, 0]);
      expect(host.split("\n")[0]).toBe("sshd_config.2");
    });

    test("what is ignored changes nothing, and what is not does", () => {
      expect(of("an element that is ignored").statuses).toEqual([0, 0]);
      expect(of("one that is not").statuses).toEqual([2, 0]);
    });

    test("what triggers a replacement runs a command again", () => {
      expect(of("another path").host.match(/^1 1$/gm)).toHaveLength(2);
    });

    test("what must not be destroyed stops the run", () => {
      expect(of("what must not be destroyed").statuses).toEqual([1, 1]);
      expect(of("what must not be destroyed").host).toContain("/srv/g\n");
    });

    test("plans and hosts are those of the embedded engine", () => {
      for (const [chapter, record] of records.get("embedded")!)
        expect([chapter, of(chapter)]).toEqual([chapter, record]);
    });
  });
});
