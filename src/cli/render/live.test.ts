import pico from "picocolors";
import { describe, expect, test } from "vitest";
import type { Event, EventSubject } from "../../engine/event.ts";
import { LiveModel } from "./live.ts";
import { change, plan } from "./testing/planned.ts";

const colors = pico.createColors(false);
const subject = (host: string, member = "config"): EventSubject => ({
  address: `conn3x_file.web__${member}["${host}"]`,
  host,
  circuit: "web",
  member,
});
const began = (host: string, at: number, action: "create" | "delete" = "create"): Event => ({
  kind: "apply_start",
  subject: subject(host),
  action,
  at,
});
const ended = (kind: "apply_complete" | "apply_errored", host: string, at: number): Event => ({
  kind,
  subject: subject(host),
  action: "create",
  at,
  elapsed: at,
});
const acting = (...hosts: string[]): LiveModel => {
  const model = new LiveModel();
  model.act(plan(hosts.map((host) => change({ host, decision: { action: "create" } }))));
  return model;
};

/** Many hosts, some of which failed, after a while: the longest that the first line gets. */
function busyFleet(): LiveModel {
  const hosts = Array.from({ length: 200 }, (_, i) => `h${i}`);
  const model = acting(...hosts);
  for (const host of hosts) model.event(began(host, 0));
  for (const host of hosts.slice(0, 50)) model.event(ended("apply_complete", host, 1000));
  for (const host of hosts.slice(50, 90)) model.event(ended("apply_errored", host, 1000));
  return model;
}

describe("LiveModel", () => {
  test.each([80, 40, 10])("no line is wider than a terminal of %i columns", (width) => {
    const lines = busyFleet().lines(100_000, width, colors);
    expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(width);
    expect(lines[0]!.slice(0, 6)).toBe("Hosts:");
  });

  test("a line that was cut has its colours all the same", () => {
    const [heading] = busyFleet().lines(100_000, 60, pico.createColors(true));
    const { bold, red } = pico.createColors(true);
    expect(heading).toContain(`${bold("Hosts:")} 50 done, 110 running, ${red("40 failed")} of 200`);
  });

  test("shows nothing while nothing goes on", () => {
    expect(new LiveModel().lines(0, 80, colors)).toEqual([]);
    expect(acting("a").lines(0, 80, colors)).toEqual([]);
  });

  test("counts reads", () => {
    const model = new LiveModel();
    for (const host of ["a", "b"]) model.event({ kind: "refresh_start", subject: subject(host), at: 1000 });
    model.event({ kind: "refresh_complete", subject: subject("a"), at: 1500 });
    expect(model.lines(2000, 80, colors)).toEqual(["Reading the hosts: 1 of 2 done, 1.0s"]);
    model.event({ kind: "refresh_complete", subject: subject("b"), at: 2500 });
    expect(model.lines(3000, 80, colors)).toEqual([]);
  });

  test("says which hosts the reading waits for, once it takes long", () => {
    const model = new LiveModel();
    for (const host of ["a", "b", "b"]) model.event({ kind: "refresh_start", subject: subject(host), at: 0 });
    for (const host of ["a", "b"]) model.event({ kind: "refresh_complete", subject: subject(host), at: 500 });
    expect(model.lines(2900, 80, colors)).toEqual(["Reading the hosts: 2 of 3 done, 2.9s"]);
    expect(model.lines(3000, 80, colors)).toEqual(["Reading the hosts: 2 of 3 done, 3.0s; waiting for b"]);
    expect(model.lines(3000, 40, colors)[0]).toHaveLength(40);
  });

  test("says how many hosts are done, what runs and what failed", () => {
    const model = acting("a", "b", "c");
    for (const host of ["a", "b", "c"]) model.event(began(host, 0));
    model.event(ended("apply_complete", "a", 1000));
    model.event(ended("apply_errored", "b", 1000));
    expect(model.lines(2000, 80, colors)).toEqual([
      "Hosts: 1 done, 1 running, 1 failed of 3; steps: 2 of 3; 2.0s",
      "  c: step config 2.0s",
    ]);
    expect(model.lines(4000, 80, colors)[0]).toBe(
      "Hosts: 1 done, 1 running, 1 failed of 3; steps: 2 of 3; 4.0s, about 2.0s left",
    );
  });

  test("counts the two halves of a replacement as one step", () => {
    const model = new LiveModel();
    model.act(plan([change({ host: "a", decision: { action: "replace" } })]));
    model.event(began("a", 0, "delete"));
    model.event({ ...ended("apply_complete", "a", 10), action: "delete" } as Event);
    model.event(began("a", 10));
    expect(model.lines(20, 80, colors)[0]).toContain("0 done, 1 running of 1; steps: 0 of 1");
  });

  test("fits the terminal, and counts what does not", () => {
    const hosts = Array.from({ length: 11 }, (_, i) => `host-with-a-long-name-${i}`);
    const model = acting(...hosts);
    for (const host of hosts) model.event(began(host, 0));
    const lines = model.lines(0, 20, colors);
    expect(lines).toHaveLength(10);
    expect(lines[1]).toBe("  host-with-a-long-…");
    expect(lines.at(-1)).toBe("  and 3 more");
  });
});
