import pico from "picocolors";
import { describe, expect, it } from "vitest";
import type { ApplyOutcome } from "../../engine/apply-outcome.ts";
import { renderOutcome } from "./outcome.ts";
import { change, plan } from "./testing/planned.ts";

const colors = pico.createColors(false);
const nothing: ApplyOutcome = {
  created: 0,
  updated: 0,
  replaced: 0,
  deleted: 0,
  kept: 0,
  failed: [],
  notDone: [],
  outputs: new Map(),
  diagnostics: [],
};

const changes = ["web1", "web2", "web3"].flatMap((host) => [
  change({ host, decision: { action: "create" } }),
  change({ host, member: "site", decision: { action: "create" } }),
  change({ host, member: "reload", kind: "service_action", decision: { action: "create" } }),
]);

describe("renderOutcome", () => {
  it("says what was done", () => {
    const done = { ...nothing, created: 2, updated: 1 };
    expect(renderOutcome(plan(changes), done, { colors, width: 78 })).toBe(
      "\nApply complete! 2 created, 1 updated, 0 replaced, 0 deleted.\n",
    );
    expect(renderOutcome(plan([]), { ...nothing, deleted: 1, kept: 2 }, { colors, width: 78 })).toContain(
      "1 deleted, 2 kept on the hosts.\n",
    );
    const ran = change({ before: {}, decision: { action: "delete", keeps: "no_object" } });
    expect(renderOutcome(plan([ran]), { ...nothing, kept: 2 }, { colors, width: 78 })).toContain(
      "0 deleted, 1 kept on the hosts, 1 forgotten.\n",
    );
    expect(renderOutcome(plan([], { mode: "destroy" }), nothing, { colors, width: 78 })).toContain(
      "Destroy complete!",
    );
  });

  it("says that handlers which did not run are due", () => {
    const due = "Handlers that did not run are still due: the next apply runs them.";
    const notDone = (address: string) => ({ ...nothing, notDone: [address] });
    const of = (outcome: ApplyOutcome) => renderOutcome(plan(changes), outcome, { colors, width: 78 });
    expect(of(notDone('conn3x_service_action.web__reload["web1"]'))).toContain(due);
    expect(of(notDone('conn3x_file.web__site["web1"]'))).not.toContain(due);
  });

  const failed: ApplyOutcome = {
    ...nothing,
    created: 5,
    failed: [
      {
        address: 'conn3x_file.web__config["web1"]',
        host: "web1",
        member: "config",
        reason: "the disk is full",
      },
      { address: 'conn3x_file.web__site["web2"]', host: "web2", member: "site", reason: "permission denied" },
    ],
    notDone: [
      'conn3x_file.web__site["web1"]',
      'conn3x_service_action.web__reload["web1"]',
      'conn3x_service_action.web__reload["web2"]',
    ],
  };

  it("tells instances of one step apart by their keys", () => {
    const keys = ["a", 'b "c"/d'];
    const apart: ApplyOutcome = {
      ...nothing,
      failed: keys.map((key) => ({
        address: `conn3x_file.web__config[${JSON.stringify(`web1/${key}`)}]`,
        host: "web1",
        member: "config",
        reason: "no",
      })),
    };
    const lines = renderOutcome(plan(changes), apart, { colors, width: 78 }).split("\n");
    expect(lines[2]).toMatch(/^ {2}web1 +config\["a"\] +no/);
    expect(lines[3]).toMatch(/^ {2}web1 +config\["b \\"c\\"\/d"\] +no/);
  });

  it("tells steps of one name in several modules apart", () => {
    const inModule = (key: string, step: string) => `module.site["${key}"].conn3x_file.web__${step}["web1"]`;
    const blog = { ...change({ decision: { action: "create" } }), address: inModule("blog", "later") };
    const apart: ApplyOutcome = {
      ...nothing,
      failed: ["blog", "shop"].map((key) => ({
        address: inModule(key, "config"),
        host: "web1",
        member: "config",
        reason: "no",
      })),
      notDone: [blog.address],
    };
    const lines = renderOutcome(plan([{ ...blog, member: "later" }]), apart, { colors, width: 90 }).split(
      "\n",
    );
    expect(lines[2]).toBe('  web1  module.site["blog"].config  no      module.site["blog"].later');
    expect(lines[3]).toBe('  web1  module.site["shop"].config  no      -');
  });

  it("lists failed hosts with what was not done on them", () => {
    expect(renderOutcome(plan(changes), failed, { colors, width: 78 })).toBe(`
  HOST  STEP    REASON             NOT DONE
  web1  config  the disk is full   site and reload
  web2  site    permission denied  reload

Handlers that did not run are still due: the next apply runs them.

Apply incomplete: 2 failed, 3 not done. 5 created, 0 updated, 0 replaced, 0 deleted.
`);
  });

  it("lists hosts in the order of the plan, whichever failed first", () => {
    const [first, second] = failed.failed;
    const late = { ...failed, failed: [second!, first!] };
    const lines = renderOutcome(plan(changes), late, { colors, width: 78 }).split("\n");
    expect(lines.slice(2, 4).map((line) => line.slice(2, 6))).toEqual(["web1", "web2"]);
  });

  it("says of hosts that were not come to what they lack, once for all that lack the same", () => {
    const config = { member: "config", decision: { action: "create" } } as const;
    const notReached = ["web4", "web5"].map((host) => change({ ...config, host }));
    const left = {
      ...failed,
      notDone: [
        ...failed.notDone,
        ...notReached.map(({ address }) => address),
        'conn3x_file.web__config["web3"]',
        'conn3x_file.web__site["web3"]',
      ],
    };
    expect(renderOutcome(plan([...changes, ...notReached]), left, { colors, width: 78 })).toContain(
      "\n\nAlso not done on web3: config and site.\nAlso not done on web4 and web5: config.\n\nHandlers that did not run are still due: the next apply runs them.\n\nApply incomplete",
    );
  });

  it("puts a long reason below", () => {
    expect(renderOutcome(plan(changes), failed, { colors, width: 40 })).toBe(`
  HOST  STEP    NOT DONE
  web1  config  site and reload
    the disk is full
  web2  site    reload
    permission denied

Handlers that did not run are still due: the next apply runs them.

Apply incomplete: 2 failed, 3 not done. 5 created, 0 updated, 0 replaced, 0 deleted.
`);
  });

  it("says what a stopped run left", () => {
    const stopped = { ...nothing, notDone: ['conn3x_file.web__config["web3"]'] };
    expect(renderOutcome(plan(changes), stopped, { colors, width: 78 })).toBe(
      "\nApply stopped: 1 not done. 0 created, 0 updated, 0 replaced, 0 deleted.\n",
    );
  });
});
