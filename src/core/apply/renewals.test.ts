import { describe, expect, test } from "vitest";
import { createRenewals, type Renewals } from "./renewals.ts";

const restart = { what: "service web", wholly: true };
const reload = { what: "service web", wholly: false };
const done = async () => {};

test("a reload is superfluous after a restart, of that service on that host", async () => {
  const renewals = createRenewals();
  expect(renewals.isSuperfluous("a", reload)).toBe(false);
  await renewals.during("a", restart, done);
  expect(renewals.isSuperfluous("a", reload)).toBe(true);
  expect(renewals.isSuperfluous("b", reload)).toBe(false);
  expect(renewals.isSuperfluous("a", { ...reload, what: "service other" })).toBe(false);
  expect(renewals.isSuperfluous("a", restart)).toBe(false);
  expect(renewals.isSuperfluous("a", undefined)).toBe(false);
});

test("restarts and reloads of others change nothing of that", async () => {
  const renewals = createRenewals();
  await renewals.during("a", restart, done);
  await renewals.during("a", { what: "service other", wholly: true }, done);
  await renewals.during("a", { what: "service third", wholly: false }, done);
  expect(renewals.isSuperfluous("a", reload)).toBe(true);
});

test("not after a reload, and not after a restart that failed", async () => {
  const renewals = createRenewals();
  await renewals.during("a", reload, done);
  await expect(renewals.during("a", restart, () => Promise.reject(new Error("no")))).rejects.toThrow("no");
  expect(renewals.isSuperfluous("a", reload)).toBe(false);
});

/** B is done when, from A's begin to its end, in every order of the two. */
test.each([
  ["after it", "restart-begins restart-ends change-begins change-ends"],
  ["during it", "restart-begins change-begins change-ends restart-ends"],
  ["beyond its end", "restart-begins change-begins restart-ends change-ends"],
  ["from before it, beyond its end", "change-begins restart-begins restart-ends change-ends"],
  ["from before it until it is under way", "change-begins restart-begins change-ends restart-ends"],
])("not where something else was done %s", async (_, order) => {
  const renewals = createRenewals();
  const ends = new Map<string, () => void>();
  const running: Promise<void>[] = [];
  for (const moment of order.split(" ")) {
    const [what, when] = moment.split("-") as [string, string];
    if (when === "begins") {
      const work = () => new Promise<void>((resolve) => ends.set(what, resolve));
      running.push(renewals.during("a", what === "restart" ? restart : undefined, work));
    } else {
      ends.get(what)!();
      await new Promise((resolve) => setImmediate(resolve));
    }
  }
  await Promise.all(running);
  expect(renewals.isSuperfluous("a", reload)).toBe(false);
});

test("but where all else was done before it began", async () => {
  const renewals = createRenewals();
  await renewals.during("a", undefined, done);
  await expect(renewals.during("a", undefined, () => Promise.reject(new Error("no")))).rejects.toThrow("no");
  await renewals.during("a", restart, done);
  expect(renewals.isSuperfluous("a", reload)).toBe(true);
});

describe("a service that a step has started", () => {
  const web = "service web";
  /** Begins and ends as a step does that sees that it does not run, and starts it. */
  async function start(renewals: Renewals, meanwhile: () => Promise<void> = done) {
    const before = renewals.changes("a");
    await renewals.during("a", undefined, meanwhile);
    renewals.started("a", web, before);
  }

  test("is fresh until something else is done on its host", async () => {
    const renewals = createRenewals();
    await renewals.during("a", undefined, done);
    expect(renewals.isFresh("a", restart)).toBe(false);
    await start(renewals);
    expect(renewals.isFresh("a", restart)).toBe(true);
    expect(renewals.isFresh("a", reload)).toBe(true);
    expect(renewals.isFresh("b", restart)).toBe(false);
    expect(renewals.isFresh("a", { ...restart, what: "service other" })).toBe(false);
    expect(renewals.isFresh("a", undefined)).toBe(false);
    await renewals.during("a", { what: "service other", wholly: true }, done);
    expect(renewals.isFresh("a", restart)).toBe(true);
    await renewals.during("b", undefined, done);
    expect(renewals.isFresh("a", restart)).toBe(true);
    await renewals.during("a", undefined, done);
    expect(renewals.isFresh("a", restart)).toBe(false);
  });

  test("is not where something else was done meanwhile, or since it was seen not to run", async () => {
    const during = createRenewals();
    await start(during, () => during.during("a", undefined, done));
    expect(during.isFresh("a", restart)).toBe(false);
    const between = createRenewals();
    const before = between.changes("a");
    await between.during("a", undefined, done);
    await between.during("a", undefined, done);
    between.started("a", web, before);
    expect(between.isFresh("a", restart)).toBe(false);
  });

  test("is not where nothing was started: another has", async () => {
    const renewals = createRenewals();
    renewals.started("a", web, renewals.changes("a"));
    expect(renewals.isFresh("a", restart)).toBe(false);
  });
});
