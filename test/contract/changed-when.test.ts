/**
 * Handlers of commands that say themselves what a change is.
 */
import { readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { type Embedded, openEmbedded } from "./embedded.ts";

let embedded: Embedded;
beforeEach(async () => {
  embedded = await openEmbedded();
});
afterEach(() => embedded.remove());

const lines = (name: string) => {
  try {
    return readFileSync(join(embedded.host.root, name), "utf8").split("\n").length - 1;
  } catch {
    return 0;
  }
};
const circuit = ({ trigger = "a", said = "unchanged", handled = "handled", more = "" } = {}) => `
  step "migrate" {
    command {
      run          = "echo run >>'${embedded.host.root}/runs'; echo ${said}"
      triggers     = { version = "${trigger}" }
      changed_when = "^changed"
    }
    notify = [handler.restart]
  }
  ${more}
  handler "restart" {
    command { run = "echo run >>'${embedded.host.root}/${handled}'" }
  }`;
const isSettled = async (text: string) => {
  const { changes } = await embedded.plan(text);
  expect(new Set(changes.map(({ decision: { action } }) => action))).toEqual(new Set(["none"]));
};
const handlerEvents = () =>
  embedded.events.flatMap((event) =>
    event.kind === "apply_complete" && event.subject.address.includes("_action.") ? [event.action] : [],
  );

describe("a handler that was planned to run", () => {
  beforeEach(async () => {
    await embedded.apply(circuit());
    expect([lines("runs"), lines("handled")]).toEqual([1, 1]);
  });

  test("does not when the command says that nothing changed", async () => {
    const { plan, failed, replaced, updated } = await embedded.apply(circuit({ trigger: "b" }));
    expect(plan.changes.map(({ decision: { action } }) => action)).toEqual(["update", "replace"]);
    // The handler's line says "Updated", and so it is counted.
    expect([failed, updated, replaced]).toEqual([[], 2, 0]);
    expect([lines("runs"), lines("handled")]).toEqual([2, 1]);
    expect(handlerEvents()).toEqual(["delete", "update"]);
    await isSettled(circuit({ trigger: "b" }));
    // And what changes later runs it as ever.
    await embedded.apply(circuit({ trigger: "c", said: "changed" }));
    expect([lines("runs"), lines("handled")]).toEqual([3, 2]);
  });

  test("does when it says that something did", async () => {
    await embedded.apply(circuit({ trigger: "b", said: "changed" }));
    expect([lines("runs"), lines("handled")]).toEqual([2, 2]);
    expect(handlerEvents()).toEqual(["delete", "create"]);
  });

  test("does when another step changed as well", async () => {
    const more = (content: string) => `step "conf" {
      file {
        path    = "${embedded.host.root}/conf"
        content = "${content}"
      }
      notify = [handler.restart]
    }`;
    await embedded.apply(circuit({ more: more("one") }));
    const before = lines("handled");
    await embedded.apply(circuit({ trigger: "b", more: more("two") }));
    expect(lines("handled")).toBe(before + 1);
  });

  test("takes over its new settings although it is not run", async () => {
    await embedded.apply(circuit({ trigger: "b", handled: "elsewhere" }));
    expect([lines("handled"), lines("elsewhere")]).toEqual([1, 0]);
    await isSettled(circuit({ trigger: "b", handled: "elsewhere" }));
  });

  test("does in the next run when the command failed in this one", async () => {
    const failing = circuit({ trigger: "b", said: "changed; exit 3" });
    expect((await embedded.apply(failing)).failed).toHaveLength(1);
    expect(lines("handled")).toBe(1);
    rmSync(join(embedded.host.root, "runs"));
    await embedded.apply(circuit({ trigger: "b" }));
    expect([lines("runs"), lines("handled")]).toEqual([1, 2]);
  });
});
