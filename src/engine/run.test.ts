import { existsSync, mkdirSync, readFileSync, rmSync } from "node:fs";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { RunOptions } from "./run.ts";
import { lockPath } from "./state/lock.ts";
import { journalPath } from "./state/store.ts";
import { actionsOf as actions, type TestEngine, testEngine } from "./testing/engine.ts";
import type { FakeHosts } from "./testing/fake-provider.ts";

let engine: TestEngine;
let hosts: FakeHosts;
beforeEach(() => {
  engine = testEngine();
  hosts = engine.hosts;
});
afterEach(() => engine.remove());

const plan = (text: string, more?: Partial<RunOptions>) => engine.plan(text, more);
const apply = (text: string, more?: Partial<RunOptions>) => engine.apply(text, more);
const problems = (text: string) => engine.problems(text);
const state = () => engine.state();
const resource = (name: string) => state().resources.find((one) => one.name === name)!;

/** Two steps and a handler on two hosts, as a circuit compiles. */
const circuit = (content = "one", list = '{ h1 = "h1", h2 = "h2" }') => `
locals {
  hosts = ${list}
}
resource "test_file" "web__a" {
  for_each = local.hosts
  path     = "/a"
  content  = "a"
  ssh {
    address = each.value
  }
}
resource "test_file" "web__b" {
  for_each   = local.hosts
  path       = "/b"
  content    = "${content}"
  depends_on = [test_file.web__a]
  ssh {
    address = each.value
  }
}
resource "test_action" "web__reload" {
  for_each   = local.hosts
  name       = "nginx"
  triggers   = [test_file.web__b[each.key].revision]
  depends_on = [test_file.web__b]
  ssh {
    address = each.value
  }
}
`;

describe("a circuit", () => {
  test("is planned and applied in order, and then there is nothing to do", async () => {
    expect(actions(await plan(circuit()))).toEqual({
      'test_file.web__a["h1"]': "create create",
      'test_file.web__a["h2"]': "create create",
      'test_file.web__b["h1"]': "create create",
      'test_file.web__b["h2"]': "create create",
      'test_action.web__reload["h1"]': "create create",
      'test_action.web__reload["h2"]': "create create",
    });
    expect(existsSync(engine.statePath)).toBe(false);
    expect(existsSync(lockPath(engine.statePath))).toBe(false);
    expect(await apply(circuit())).toMatchObject({ created: 6, failed: [], notDone: [], diagnostics: [] });
    expect(hosts.log).toEqual([
      "write h1:/a",
      "write h2:/a",
      "write h1:/b",
      "write h2:/b",
      "run h1:nginx",
      "run h2:nginx",
    ]);
    expect(new Set(Object.values(actions(await plan(circuit()))))).toEqual(new Set(["none"]));
    const before = readFileSync(engine.statePath, "utf8");
    expect(await apply(circuit())).toMatchObject({ created: 0, updated: 0, replaced: 0, deleted: 0 });
    expect(readFileSync(engine.statePath, "utf8")).toBe(before);
    expect(hosts.logins).toContain("h2");
  });

  test("has a state that OpenTofu takes", async () => {
    await apply(circuit());
    const stored = state();
    expect(stored.resources.map((r) => `${r.type}.${r.name}`)).toEqual([
      "test_action.web__reload",
      "test_file.web__a",
      "test_file.web__b",
    ]);
    expect(stored.resources[0]).toMatchObject({
      mode: "managed",
      provider: 'provider["registry.opentofu.org/conn3x/conn3x"]',
      instances: [
        {
          index_key: "h1",
          schema_version: 0,
          attributes: {
            triggers: {
              value: [resource("web__b").instances[0]!.attributes.revision],
              type: ["tuple", ["string"]],
            },
          },
          private: "Bw==",
          dependencies: ["test_file.web__a", "test_file.web__b"],
        },
        { index_key: "h2" },
      ],
    });
  });

  test("a changed file is updated and its handler runs, in the same order", async () => {
    await apply(circuit());
    const changed = await plan(circuit("two"));
    expect(actions(changed)).toEqual({
      'test_file.web__a["h1"]': "none",
      'test_file.web__a["h2"]': "none",
      'test_file.web__b["h1"]': "update config",
      'test_file.web__b["h2"]': "update config",
      'test_action.web__reload["h1"]': "replace triggers",
      'test_action.web__reload["h2"]': "replace triggers",
    });
    expect(
      changed.changes.find(({ address }) => address === 'test_action.web__reload["h1"]')?.decision.reasons,
    ).toEqual([{ kind: "triggers", dependencies: ['test_file.web__b["h1"]'] }]);
    expect(await apply(circuit("two"))).toMatchObject({ updated: 2, replaced: 2, created: 0, deleted: 0 });
    expect(hosts.log).toEqual([
      "forget h1:nginx",
      "forget h2:nginx",
      "write h1:/b",
      "write h2:/b",
      "run h1:nginx",
      "run h2:nginx",
    ]);
    expect(
      engine.events
        .map((event) => event.kind === "apply_start" && `${event.action} ${event.subject.address}`)
        .filter(Boolean),
    ).toEqual([
      'delete test_action.web__reload["h1"]',
      'delete test_action.web__reload["h2"]',
      'update test_file.web__b["h1"]',
      'update test_file.web__b["h2"]',
      'create test_action.web__reload["h1"]',
      'create test_action.web__reload["h2"]',
    ]);
    expect(new Set(Object.values(actions(await plan(circuit("two")))))).toEqual(new Set(["none"]));
  });

  test("a hand edit is put back, and the handler runs on that host only", async () => {
    await apply(circuit());
    hosts.files.set("h2:/b", "by hand");
    const drifted = await plan(circuit());
    expect(drifted.stateChanged).toBe(true);
    expect(actions(drifted)).toMatchObject({
      'test_file.web__b["h1"]': "none",
      'test_action.web__reload["h1"]': "none",
      'test_action.web__reload["h2"]': "replace triggers",
    });
    await apply(circuit());
    expect(hosts.log).toEqual(["forget h2:nginx", "write h2:/b", "run h2:nginx"]);
  });

  test("without a refresh nothing is read", async () => {
    await apply(circuit());
    hosts.files.set("h2:/b", "by hand");
    const unread = await plan(circuit(), { refresh: false });
    expect(new Set(Object.values(actions(unread)))).toEqual(new Set(["none"]));
    expect(engine.events).toEqual([]);
  });

  test("a file that is gone is made again", async () => {
    await apply(circuit());
    hosts.files.delete("h1:/b");
    expect(actions(await plan(circuit()))['test_file.web__b["h1"]']).toBe("create gone");
    await apply(circuit());
    expect(hosts.log).toEqual(["forget h1:nginx", "write h1:/b", "run h1:nginx"]);
  });

  test("a host that does not answer is one warning, and keeps its state", async () => {
    await apply(circuit());
    hosts.down.add("h2");
    const down = await plan(circuit());
    expect(down.diagnostics.map(({ severity, host }) => `${severity} ${host}`)).toEqual(["warning h2"]);
    expect(new Set(Object.values(actions(down)))).toEqual(new Set(["none"]));
    const unread = new Set(down.changes.flatMap(({ unread, host }) => (unread ? [host] : [])));
    expect(unread).toEqual(new Set(["h2"]));
  });

  test("a host that does not answer when something is first made there is not read", async () => {
    hosts.down.add("h2");
    const { changes } = await plan(circuit());
    const unread = changes.flatMap(({ unread, host }) => (unread ? [host] : []));
    expect(new Set(unread)).toEqual(new Set(["h2"]));
  });

  test("a host that leaves is taken apart in reverse order", async () => {
    await apply(circuit());
    const one = circuit("one", '{ h1 = "h1" }');
    const left = await plan(one);
    expect(
      left.changes.slice(0, 3).map(({ address, decision }) => `${address} ${decision.reasons[0]!.kind}`),
    ).toEqual([
      'test_action.web__reload["h2"] host_removed',
      'test_file.web__b["h2"] host_removed',
      'test_file.web__a["h2"] host_removed',
    ]);
    expect(await apply(one)).toMatchObject({ deleted: 3 });
    expect(hosts.log).toEqual(["forget h2:nginx", "remove h2:/b", "remove h2:/a"]);
    expect(state().resources.map((r) => r.instances.length)).toEqual([1, 1, 1]);
  });

  test("all of it goes with destroy, and so do its outputs", async () => {
    const text = `${circuit()}\noutput "path" { value = test_file.web__a["h1"].path }`;
    await apply(text);
    expect(state().outputs).toEqual({ path: { value: "/a", type: "string" } });
    expect(await apply(text, { mode: "destroy" })).toMatchObject({ deleted: 6 });
    expect(hosts.log).toEqual([
      "forget h1:nginx",
      "forget h2:nginx",
      "remove h1:/b",
      "remove h2:/b",
      "remove h1:/a",
      "remove h2:/a",
    ]);
    expect(state()).toMatchObject({ resources: [], outputs: {} });
  });

  test("a resource that is not configured any more goes too", async () => {
    await apply(circuit());
    const [, first] = circuit().split('resource "test_file" "web__a"');
    const rest = circuit()
      .replace(`resource "test_file" "web__a"${first!.slice(0, first!.indexOf("\nresource"))}`, "")
      .replace("depends_on = [test_file.web__a]", "");
    expect(actions(await plan(rest))['test_file.web__a["h1"]']).toBe("delete removed");
  });
});

describe("failures", () => {
  test("stop the later steps and handlers of their host only", async () => {
    await apply(circuit());
    hosts.failing.set("h1:/b", "wholly");
    const outcome = await apply(circuit("two"));
    expect(outcome).toMatchObject({
      updated: 1,
      replaced: 1,
      failed: [{ address: 'test_file.web__b["h1"]', host: "h1", member: "b", reason: "It failed" }],
      notDone: ['test_action.web__reload["h1"]'],
    });
    expect(hosts.log).toEqual(["forget h1:nginx", "forget h2:nginx", "write h2:/b", "run h2:nginx"]);
    hosts.failing.clear();
    expect(actions(await plan(circuit("two")))).toMatchObject({
      'test_file.web__b["h1"]': "update config",
      'test_action.web__reload["h1"]': "create triggers",
      'test_action.web__reload["h2"]': "none",
    });
    await apply(circuit("two"));
    expect(hosts.log).toEqual(["write h1:/b", "run h1:nginx"]);
  });

  test("of a handler leave it pending", async () => {
    hosts.failing.set("h1:nginx", "wholly");
    expect((await apply(circuit())).failed).toMatchObject([{ address: 'test_action.web__reload["h1"]' }]);
    hosts.failing.clear();
    expect(actions(await plan(circuit()))['test_action.web__reload["h1"]']).toBe("create pending");
  });

  test("of a create that made something leave it tainted", async () => {
    hosts.failing.set("h1:/a", "partly");
    expect(await apply(circuit())).toMatchObject({ created: 3, failed: [{ host: "h1" }] });
    expect(resource("web__a").instances[0]).toMatchObject({
      index_key: "h1",
      status: "tainted",
    });
    expect(actions(await plan(circuit()))['test_file.web__a["h1"]']).toBe("replace last_apply_failed");
    hosts.failing.set("h1:/a", "wholly");
    // The removal of what is there fails, too.
    expect(await apply(circuit())).toMatchObject({ deleted: 0, replaced: 0, failed: [{ host: "h1" }] });
    hosts.failing.clear();
    await apply(circuit());
    expect(hosts.log).toEqual(["remove h1:/a", "write h1:/a", "write h1:/b", "run h1:nginx"]);
    expect(new Set(Object.values(actions(await plan(circuit()))))).toEqual(new Set(["none"]));
  });

  test("of a destroy stop their host, and nothing of it is touched afterwards", async () => {
    await apply(circuit());
    hosts.failing.set("h2:/b", "wholly");
    const one = circuit("two", '{ h1 = "h1" }');
    expect(await apply(one)).toMatchObject({
      deleted: 1,
      updated: 1,
      failed: [{ address: 'test_file.web__b["h2"]' }],
      notDone: ['test_file.web__a["h2"]'],
    });
    expect(resource("web__b").instances).toHaveLength(2);
  });

  test("of a decision touch nothing, not even the state file", async () => {
    await apply(circuit());
    hosts.files.set("h1:/a", "by hand");
    const before = readFileSync(engine.statePath);
    expect(await problems(circuit().replace('"/b"', '"b"'))).toEqual([
      "Path is not absolute: It must start with a slash.\n\nThe same on 1 more host: h2.",
    ]);
    expect(readFileSync(engine.statePath).equals(before)).toBe(true);
    expect(existsSync(lockPath(engine.statePath))).toBe(false);
  });

  test("when the run is stopped what is left is not begun", async () => {
    const stop = new AbortController();
    hosts.beforeApply = (what) => {
      if (what === "h1:/b") stop.abort();
    };
    const outcome = await apply(circuit(), { signal: stop.signal, parallelism: 1 });
    expect(hosts.log).toEqual(["write h1:/a", "write h2:/a", "write h1:/b"]);
    expect(outcome.notDone).toEqual([
      'test_file.web__b["h2"]',
      'test_action.web__reload["h1"]',
      'test_action.web__reload["h2"]',
    ]);
    hosts.beforeApply = () => undefined;
    await apply(circuit());
    expect(hosts.log).toEqual(["write h2:/b", "run h1:nginx", "run h2:nginx"]);
  });
});

test("a killed run goes on where it was", async () => {
  await apply(circuit());
  const run = await engine.start(circuit("two"));
  hosts.log.length = 0;
  hosts.beforeApply = (what) => (what === "h2:/b" ? new Promise<void>(() => undefined) : undefined);
  void run.apply();
  while (!hosts.log.includes("write h1:/b")) await new Promise((resolve) => setImmediate(resolve));
  await new Promise((resolve) => setImmediate(resolve));
  rmSync(lockPath(engine.statePath));
  hosts.beforeApply = () => undefined;
  expect(actions(await plan(circuit("two")))).toEqual({
    'test_file.web__a["h1"]': "none",
    'test_file.web__a["h2"]': "none",
    'test_file.web__b["h1"]': "none",
    'test_file.web__b["h2"]': "update config",
    'test_action.web__reload["h1"]': "create pending",
    'test_action.web__reload["h2"]': "create triggers",
  });
});

describe("a host whose address is edited", () => {
  const moved = circuit("one", '{ h1 = "h9", h2 = "h2" }');

  test("gets everything made at the new one, and what is at the old one is said to be left there", async () => {
    await apply(circuit());
    const planned = await plan(moved);
    expect(actions(planned)).toMatchObject({
      'test_file.web__a["h1"]': "create config",
      'test_file.web__b["h1"]': "create config",
      'test_file.web__a["h2"]': "none",
    });
    expect(planned.diagnostics).toMatchObject([{ severity: "warning", host: "h1" }]);
    expect(planned.diagnostics[0]!.detail).toMatch(/^h1 was at h1 and is at h9 now\. .*stays there/);
    expect(await apply(moved)).toMatchObject({ created: 2, failed: [] });
    expect(hosts.log).toEqual(expect.arrayContaining(["write h9:/a", "write h9:/b", "run h9:nginx"]));
    expect((await plan(moved)).diagnostics).toEqual([]);
  });

  test("keeps what is stored until it is made at the new one", async () => {
    await apply(circuit());
    hosts.failing.set("h9:/a", "wholly");
    await apply(moved);
    expect(actions(await plan(circuit()))).toMatchObject({ 'test_file.web__a["h1"]': "none" });
  });

  test("is destroyed where it was made", async () => {
    await apply(circuit());
    expect(await apply(moved, { mode: "destroy" })).toMatchObject({ deleted: 6 });
    expect(hosts.files).toEqual(new Map());
  });
});

describe("two instances of one object", () => {
  const two = (content: string, address = "h1") => `
    resource "test_file" "a" {
      path    = "/same"
      content = "one"
      ssh {
        address = "h1"
      }
    }
    resource "test_file" "b" {
      path    = "/same"
      content = "${content}"
      ssh {
        address = "${address}"
      }
    }`;

  test("that want different things are refused, and both are named", async () => {
    const [problem] = await problems(two("other"));
    expect(problem).toMatch(
      /^Two instances manage one object: test_file.a \(main.tf:2\) and test_file.b \(main.tf:9\) both manage \/same on h1/,
    );
  });

  test("may agree, and may be on different hosts", async () => {
    await plan(two("one"));
    await plan(two("other", "h2"));
  });
});

describe("a host that changed between plan and apply", () => {
  const changeBeforeApply = async (change: () => void) => {
    await apply(circuit());
    const run = await engine.start(circuit("two"));
    change();
    hosts.log.length = 0;
    const outcome = await run.apply();
    await run.close();
    return outcome;
  };

  test("is left alone, and others go on", async () => {
    const outcome = await changeBeforeApply(() => hosts.files.set("h1:/b", "meanwhile"));
    expect(outcome).toMatchObject({
      updated: 1,
      replaced: 1,
      failed: [{ address: 'test_file.web__b["h1"]', reason: "Host has changed since the plan" }],
      notDone: ['test_action.web__reload["h1"]'],
    });
    expect(outcome.diagnostics[0]!.detail).toContain("content, sha changed");
    expect(hosts.log).toEqual(["forget h2:nginx", "write h2:/b", "run h2:nginx"]);
    expect(actions(await plan(circuit("two")))['test_action.web__reload["h1"]']).toBe("replace triggers");
  });

  test("is worked on when it is already as wanted, and when something else changed there", async () => {
    expect(
      await changeBeforeApply(() => {
        hosts.files.set("h1:/b", "two");
        hosts.files.set("h2:/a", "meanwhile");
      }),
    ).toMatchObject({ updated: 2, replaced: 2, failed: [] });
  });

  test("is left alone when what was to be updated is gone", async () => {
    expect((await changeBeforeApply(() => hosts.files.delete("h1:/b"))).failed).toHaveLength(1);
  });
});

test("when the state cannot be saved any more nothing new is begun", async () => {
  await apply(circuit());
  const run = await engine.start(circuit("two"));
  // A directory stands where the journal would be.
  mkdirSync(journalPath(engine.statePath));
  hosts.log.length = 0;
  const outcome = await run.apply();
  await run.close();
  // The first removal could not be recorded: no file may be written before it is.
  expect(hosts.log.filter((line) => line.startsWith("write"))).toEqual([]);
  expect(outcome.diagnostics.map(({ summary }) => summary)).toContain("State cannot be saved");
  expect(outcome.notDone).toContain('test_file.web__b["h1"]');
});

test("a new instance on a host that does not answer is planned, and fails when it is applied", async () => {
  await apply(circuit());
  hosts.down.add("h2");
  const more = `${circuit()}resource "test_file" "web__c" {
    for_each   = local.hosts
    path       = "/c"
    depends_on = [test_file.web__b]
    ssh {
      address = each.value
    }
  }`;
  expect(actions(await plan(more))['test_file.web__c["h2"]']).toBe("create create");
  expect(await apply(more)).toMatchObject({ created: 1, failed: [{ address: 'test_file.web__c["h2"]' }] });
});

test("only one run at a time works with a state", async () => {
  const first = await engine.start(circuit());
  expect(await problems(circuit())).toEqual([expect.stringContaining("Error acquiring the state lock")]);
  await first.close();
  await apply(circuit());
});
