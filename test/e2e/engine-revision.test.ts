/**
 * Revisions and handlers, row by row (C1 to C13), proved by what hosts show: when the service was started again, what
 * commands have run, what is in files. The rows that the main job proves as well are not all repeated here.
 */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { describeLab, labHosts } from "../lab/for-tests.ts";
import type { LabHost } from "../lab/host.ts";
import { bundledProgram } from "./bundled.ts";
import { fleetBlocks } from "./interrupted-circuit.ts";

const program = bundledProgram();

/** What differs from one apply to the next. */
interface Settings {
  readonly config?: string;
  readonly tools?: readonly string[];
  readonly tool?: string;
  readonly onRemove?: "keep" | "delete";
  readonly user?: string;
  readonly action?: "restart" | "reload";
  readonly handler?: boolean;
}

const circuit = (blocks: string, settings: Settings): string => {
  const { config = "one", tools = ["a", "b"], tool = "x", onRemove = "delete" } = settings;
  const { action = "restart", handler = true } = settings;
  const notify = handler ? "\n    notify = [handler.again]" : "";
  return `circuit "web" {
${blocks}
  step "place" {
    directory {
      path = "/srv/rev"
    }
  }
  step "tools" {
    for_each = toset(${JSON.stringify(tools)})
    file {
      path    = "/srv/rev/tool-\${each.key}"
      content = "${tool}"
    }${notify}
  }
  step "config" {
    file {
      path      = "/etc/lab-web/config"
      content   = "${config}\\n"
      on_remove = "${onRemove}"
    }${notify}
  }
  step "count" {
    command {
      run      = "echo ran >>/srv/rev/count"
      triggers = { config = step.config.revision }
    }
  }
  step "last" {
    command {
      run      = "sleep \${host.name == keys(local.order)[0] ? 0 : 1}; date +%s.%N >/srv/rev/last"
      triggers = { config = step.config.revision }
    }
  }
${handler ? `  handler "again" {\n    service {\n      name   = "lab-web"\n      action = "${action}"\n    }\n  }\n` : ""}}
`;
};

interface StoredInstance {
  readonly index_key: string;
  readonly attributes: { readonly revision: string; readonly triggers?: unknown };
}

describeLab(
  "revisions and handlers",
  () => {
    const lab = labHosts(2);
    const directory = mkdtempSync(join(tmpdir(), "conn3x-revision-"));
    afterAll(() => rmSync(directory, { recursive: true, force: true }));

    const write = (settings: Settings): void => {
      const order = lab.hosts.map(({ name }) => `${name} = true`).join(", ");
      const blocks = fleetBlocks(lab.lab, lab.hosts).replace('"deploy"', `"${settings.user ?? "deploy"}"`);
      writeFileSync(
        join(directory, "main.circuit.hcl"),
        `locals {\n  order = { ${order} }\n}\n${circuit(blocks, settings)}`,
      );
    };
    const run = async (status: number, ...args: string[]): Promise<string> => {
      const outcome = await program.run(directory, args);
      expect(outcome.status, outcome.output).toBe(status);
      return outcome.output;
    };
    const apply = (settings: Settings) => {
      write(settings);
      return run(0, "apply", "-auto-approve");
    };
    const expectNothingLeft = () => run(0, "plan", "-detailed-exitcode");
    const stored = (name: string): ReadonlyMap<string, StoredInstance> => {
      const { resources } = JSON.parse(readFileSync(join(directory, "terraform.tfstate"), "utf8"));
      const { instances } = resources.find((resource: { name: string }) => resource.name === `web__${name}`);
      return new Map(instances.map((instance: StoredInstance) => [instance.index_key, instance]));
    };
    const revisions = (name: string) =>
      Object.fromEntries([...stored(name)].map(([key, { attributes }]) => [key, attributes.revision]));
    const invocation = (host: LabHost) => host.must("systemctl show -p InvocationID --value lab-web");
    const count = async (host: LabHost) => Number(await host.must("wc -l </srv/rev/count"));
    /** Whether the service was started again on each host while something was done. */
    const restarts = async (work: () => Promise<unknown>): Promise<readonly boolean[]> => {
      const before = await Promise.all(lab.hosts.map(invocation));
      await work();
      const after = await Promise.all(lab.hosts.map(invocation));
      return after.map((id, i) => id !== before[i]);
    };

    test("C1, C6, C7: the first apply gives every instance a revision, and the handler those of its host", async () => {
      expect(await restarts(() => apply({}))).toEqual([true, true]);
      const all = ["tools", "config", "count", "again"].flatMap((name) => Object.values(revisions(name)));
      expect(all).toHaveLength(10);
      for (const revision of all) expect(revision).toMatch(/^[0-9a-f]{16}$/);
      expect(new Set(all).size).toBe(10);
      const [tools, config] = [revisions("tools"), revisions("config")];
      for (const { name } of lab.hosts) {
        const { value } = stored("again").get(name)!.attributes.triggers as { value: readonly unknown[] };
        const ofHost = Object.entries(tools).filter(([key]) => key.startsWith(`${name}/`));
        expect(value).toEqual([Object.fromEntries(ofHost), config[name]]);
      }
      expect(await Promise.all(lab.hosts.map(count))).toEqual([1, 1]);
      await expectNothingLeft();
    });

    test("C8: a handler waits for every step on every host", async () => {
      const times = async (path: string) =>
        Promise.all(lab.hosts.map(async (host) => Number(await host.must(`cat ${path}`))));
      const served = await Promise.all(
        lab.hosts.map(async (host) => Number(await host.must("stat -c %.Y /run/lab-web/served"))),
      );
      expect(Math.min(...served)).toBeGreaterThan(Math.max(...(await times("/srv/rev/last"))));
    });

    test("C2, C5: what is not changed keeps its revision, what is gets a new one", async () => {
      const before = { tools: revisions("tools"), config: revisions("config") };
      expect(await restarts(() => apply({ config: "two" }))).toEqual([true, true]);
      expect(revisions("tools")).toEqual(before.tools);
      for (const [key, revision] of Object.entries(revisions("config")))
        expect(revision).not.toBe(before.config[key]);
      for (const host of lab.hosts) expect(await host.must("cat /run/lab-web/served")).toBe("two\n");
    });

    test("C4: new content plans a new hash", async () => {
      write({ config: "three" });
      expect(await run(2, "plan", "-detailed-exitcode", "-format=resources")).toMatch(/~ sha256 +=/);
      await apply({ config: "two" });
    });

    test("C3: settings that change nothing on the host change no revision and run no handler", async () => {
      const before = revisions("config");
      expect(await restarts(() => apply({ config: "two", onRemove: "keep" }))).toEqual([false, false]);
      expect(revisions("config")).toEqual(before);
      expect(await restarts(() => apply({ config: "two", onRemove: "keep", user: "root" }))).toEqual([
        false,
        false,
      ]);
      expect(revisions("config")).toEqual(before);
      await apply({ config: "two" });
      await expectNothingLeft();
    });

    test("C7: a step's own instances notify together, on their host only", async () => {
      const [one] = lab.hosts;
      await one.must("echo by hand >/srv/rev/tool-b");
      expect(await restarts(() => apply({ config: "two" }))).toEqual([true, false]);
      expect(await restarts(() => apply({ config: "two", tools: ["a", "b", "c"] }))).toEqual([true, true]);
      expect(await restarts(() => apply({ config: "two", tools: ["a", "b"] }))).toEqual([true, true]);
      await expectNothingLeft();
    });

    test("C9: another action alone is recorded and not run; a handler that is new runs", async () => {
      const log = () => Promise.all(lab.hosts.map((host) => host.must("cat /run/lab-web/log")));
      const before = await log();
      expect(await restarts(() => apply({ config: "two", action: "reload" }))).toEqual([false, false]);
      expect(await log()).toEqual(before);
      const reloaded = await restarts(() => apply({ config: "four", action: "reload" }));
      expect(reloaded).toEqual([false, false]);
      for (const host of lab.hosts) expect(await host.must("cat /run/lab-web/served")).toBe("four\n");
      await apply({ config: "two", action: "reload" });
      expect(await restarts(() => apply({ config: "two", handler: false }))).toEqual([false, false]);
      expect(await restarts(() => apply({ config: "two" }))).toEqual([true, true]);
    });

    test("C10: a service that was stopped by hand is no drift of its handler", async () => {
      const [one] = lab.hosts;
      await one.must("systemctl stop lab-web");
      await expectNothingLeft();
      await one.must("systemctl start lab-web");
    });

    test("C11, C13: a hand edit is put back, and runs the handler and the command on that host only", async () => {
      const [one, two] = lab.hosts;
      const before = await Promise.all(lab.hosts.map(count));
      await one.must("echo by hand >>/etc/lab-web/config");
      expect(await restarts(() => apply({ config: "two" }))).toEqual([true, false]);
      expect(await count(one)).toBe(before[0]! + 1);
      expect(await count(two)).toBe(before[1]!);
      expect(await one.must("cat /etc/lab-web/config")).toBe("two\n");
      await expectNothingLeft();
    });

    test("C12: without a refresh nothing is read, and a host that does not answer keeps what is stored", async () => {
      const [one, two] = lab.hosts;
      await one.must("echo by hand >>/etc/lab-web/config");
      await run(0, "plan", "-detailed-exitcode", "-refresh=false");
      await one.must("echo two >/etc/lab-web/config");
      await two.stop();
      try {
        const before = readFileSync(join(directory, "terraform.tfstate"), "utf8");
        const output = await run(3, "plan", "-detailed-exitcode");
        expect(output).toContain(two.name);
        expect(output).toMatch(/Warning/);
        write({ config: "five" });
        expect(await program.run(directory, ["apply", "-auto-approve"])).toMatchObject({ status: 1 });
        expect(await one.must("cat /run/lab-web/served")).toBe("five\n");
        expect(revisions("config")[two.name]).toBe(
          JSON.parse(before)
            .resources.find(({ name }: { name: string }) => name === "web__config")
            .instances.find(({ index_key }: StoredInstance) => index_key === two.name).attributes.revision,
        );
      } finally {
        await two.start();
      }
      expect(await restarts(() => run(0, "apply", "-auto-approve"))).toEqual([false, true]);
      expect(await two.must("cat /run/lab-web/served")).toBe("five\n");
    });
  },
  600_000,
);
