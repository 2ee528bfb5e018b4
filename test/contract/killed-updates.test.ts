/**
 * An update that was cut off after the host had changed: what depends on the change hears of it in the next run.
 */
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { journalPath } from "../../src/engine/state/store.ts";
import { type Embedded, openEmbedded } from "./embedded.ts";

let embedded: Embedded;
beforeEach(async () => {
  embedded = await openEmbedded();
});
afterEach(() => embedded.remove());

const conf = () => join(embedded.host.root, "conf");
const runs = () => readFileSync(join(embedded.host.root, "runs"), "utf8").split("\n").length - 1;
const circuit = (content = "ours") => `
  step "conf" {
    file {
      path    = "${conf()}"
      content = "${content}"
    }
  }
  step "reload" {
    command {
      run      = "echo run >>'${embedded.host.root}/runs'"
      triggers = { conf = step.conf.revision }
    }
  }`;
const isSettled = async (text: string) => {
  const { changes } = await embedded.plan(text);
  expect(changes.map(({ decision: { action } }) => action)).toEqual(["none", "none"]);
  expect(existsSync(journalPath(embedded.statePath))).toBe(false);
};

test("drift was put back: the command runs once", async () => {
  await embedded.apply(circuit());
  expect(runs()).toBe(1);
  writeFileSync(conf(), "by hand");
  await embedded.killAfter(circuit(), /web__conf/);
  expect([readFileSync(conf(), "utf8"), runs()]).toEqual(["ours", 1]);

  const { failed, plan, updated } = await embedded.apply(circuit());
  expect(failed).toEqual([]);
  expect(plan.changes[0]!.decision.reasons).toEqual([{ kind: "last_apply_failed" }]);
  expect(plan.changes[1]!.decision.reasons).toMatchObject([
    { kind: "triggers", dependencies: ['conn3x_file.web__conf["h1"]'] },
  ]);
  expect([updated, runs()]).toEqual([2, 2]);
  await isSettled(circuit());
});

test("an edit, which is taken back before the next run", async () => {
  await embedded.apply(circuit());
  await embedded.killAfter(circuit("newer"), /web__conf/);
  expect(readFileSync(conf(), "utf8")).toBe("newer");
  writeFileSync(conf(), "ours");
  await embedded.apply(circuit());
  expect(runs()).toBe(2);
  await isSettled(circuit());
});

test("twice", async () => {
  await embedded.apply(circuit());
  writeFileSync(conf(), "by hand");
  await embedded.killAfter(circuit(), /web__conf/);
  await embedded.plan(circuit());
  await embedded.killAfter(circuit(), /web__conf/);
  expect(runs()).toBe(1);
  await embedded.apply(circuit());
  expect(runs()).toBe(2);
  await isSettled(circuit());
});

test("a refresh in between settles nothing", async () => {
  await embedded.apply(circuit());
  writeFileSync(conf(), "by hand");
  await embedded.killAfter(circuit(), /web__conf/);
  // Drift in another setting makes the refresh store the object.
  await embedded.apply(circuit(), { mode: "refresh-only" });
  await embedded.apply(circuit());
  expect(runs()).toBe(2);
});

test("what ended with it is open no longer", async () => {
  await embedded.apply(circuit());
  writeFileSync(conf(), "by hand");
  await embedded.killAfter(circuit(), /web__conf/);
  await embedded.apply("");
  expect(existsSync(journalPath(embedded.statePath))).toBe(false);
  await embedded.apply(circuit());
  await isSettled(circuit());
});
