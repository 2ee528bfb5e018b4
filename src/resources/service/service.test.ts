import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { PlainObject } from "../../values/plain.ts";
import { AnswerError, type Found } from "../kind.ts";
import type { ScriptOperation } from "../operation.ts";
import { serviceActionKind } from "../service_action/service-action.ts";
import type { ServiceFacts } from "./init-system.ts";
import { serviceKind } from "./service.ts";

const { parse } = serviceKind.facts;
const facts: ServiceFacts = {
  init: "systemd",
  exists: true,
  running: false,
  enabled: false,
  masked: false,
  canEnable: true,
};
const present = (changes: Partial<ServiceFacts> = {}): Found<ServiceFacts> => ({
  state: "present",
  facts: { ...facts, ...changes },
});
const want = (settings: PlainObject): PlainObject => ({
  name: "web",
  running: null,
  enabled: null,
  masked: null,
  on_remove: null,
  ...settings,
});

describe("what systemd tells (captured on Debian 12)", () => {
  const units = [
    ["lab-worker", { running: false, enabled: false, canEnable: true }],
    ["ssh", { running: true, enabled: true }],
    ["nosuch", { exists: false, running: false, enabled: false }],
    ["getty@tty1", { exists: true, masked: true, enabled: false }],
    // Only an init script, which its links start at boot.
    ["old", { exists: true, running: true, enabled: true }],
    // An init script that systemd has not seen yet, without links.
    ["older", { exists: true, running: false, enabled: false }],
    // A oneshot that has run and succeeded.
    ["systemd-tmpfiles-clean", { running: true, enabled: false, canEnable: false }],
    ["systemd-tmpfiles-clean.timer", { running: true, canEnable: false }],
  ] as const;
  const answer = readFileSync(join(import.meta.dirname, "fixtures/systemd.txt"));
  const found = parse(
    answer,
    units.map(([name]) => name),
  );

  test.each(units.map(([name, expected], i) => [name, expected, i] as const))("%s", (_, expected, i) => {
    expect(found[i]).toMatchObject({ state: "present", facts: expected });
  });

  test.each<[string, string]>([
    ["nothing", ""],
    ["another tool's words", "Failed to connect to bus\n"],
    ["too few units", "systemd\nlinks\n\nLoadState=loaded\n"],
    ["a unit without a state", "systemd\nlinks\n\nType=simple\n\nType=simple\n"],
  ])("refuses %s", (_, text) => {
    expect(() => parse(Buffer.from(text), ["a", "b"])).toThrow(AnswerError);
  });
});

describe("a oneshot of which systemd has forgotten that it ran", () => {
  const show = (more = "") =>
    `systemd\nlinks\n\nType=oneshot\nRemainAfterExit=no\nResult=success\nLoadState=loaded\nActiveState=inactive\nSubState=dead\nUnitFileState=static\nInactiveEnterTimestampMonotonic=0\n${more}`;
  const [found] = parse(Buffer.from(show()), ["web"]);
  const running = want({ running: true });

  test("is as it was made", () => {
    if (found?.state !== "present") throw new Error("not there");
    expect(serviceKind.observe(found.facts, running)).toMatchObject({ running: true });
    expect(serviceKind.observe(found.facts, want({ running: false }))).toMatchObject({ running: false });
  });

  test("is started when it is made, and not again", () => {
    expect(serviceKind.operate(running, found!)).toMatchObject([{ purpose: "start the service web" }]);
    expect(serviceKind.operate(running, found!, running)).toEqual([]);
    expect(serviceKind.operate(running, found!, want({ running: false }))).toHaveLength(1);
  });

  test.each(["RemainAfterExit=yes", "Result=exit-code", "ActiveState=failed"])(
    "is drift with %s",
    (property) => {
      const [name] = property.split("=");
      const text = show().replace(new RegExp(`^${name}=.*`, "m"), property);
      const [other] = parse(Buffer.from(text), ["web"]);
      if (other?.state !== "present") throw new Error("not there");
      expect(serviceKind.observe(other.facts, running)).toMatchObject({ running: false });
    },
  );
});

test("what is still starting is waited for", () => {
  const found = present({ running: true, starting: true });
  expect(serviceKind.operate(want({ running: true }), found)).toMatchObject([
    { purpose: "start the service web" },
  ]);
});

test.each(["openrc", "sysv"])("what %s tells", (init) => {
  const answer = Buffer.from(`${init}\nexists running enabled\nmissing stopped disabled\n`);
  expect(parse(answer, ["a", "b"])).toMatchObject([
    { facts: { init, exists: true, running: true, enabled: true, masked: false } },
    { facts: { exists: false, running: false, enabled: false } },
  ]);
  expect(() => parse(Buffer.from(`${init}\nwhat\n`), ["a"])).toThrow(AnswerError);
});

test("a unit's other names are told", () => {
  const shown = (id: string) => `Id=${id}\nLoadState=loaded\nActiveState=active\nUnitFileState=enabled\n`;
  const units = ["dbus", "messagebus", "messagebus.service", "dbus.service", "syslog", "a.timer"];
  const ids = ["dbus.service", "dbus.service", "dbus.service", "dbus.service", "rsyslog.service", "a.timer"];
  const answer = Buffer.from(`systemd\nlinks\n\n${ids.map(shown).join("\n")}`);
  expect(serviceKind.facts.parse(answer, units).map(({ realNames }) => realNames)).toEqual([
    undefined,
    { messagebus: "dbus.service" },
    { "messagebus.service": "dbus.service" },
    undefined,
    { syslog: "rsyslog.service" },
    undefined,
  ]);
});

describe("starts", () => {
  const starts = (want: PlainObject, changes: Partial<ServiceFacts>) =>
    serviceKind.starts!({ name: "web.service", running: true, ...want }, present(changes));

  test("what does not run and is to run", () => {
    expect(starts({}, { running: false })).toBe("service web");
    expect(starts({ name: "web" }, { running: false })).toBe("service web");
  });

  test.each<[string, PlainObject, Partial<ServiceFacts>]>([
    ["runs already", {}, { running: true }],
    ["is starting: it may have read what was there before", {}, { running: true, starting: true }],
    ["need not run", { running: null }, { running: false }],
    ["is to stop", { running: false }, { running: true }],
  ])("nothing that %s", (_, want, changes) => {
    expect(starts(want, changes)).toBeUndefined();
  });
});

describe("operate", () => {
  test.each<[string, PlainObject, Partial<ServiceFacts>, readonly string[]]>([
    ["nothing is wished", {}, {}, []],
    ["all is as wanted", { running: true, enabled: true }, { running: true, enabled: true }, []],
    ["it is to run", { running: true }, {}, ["start"]],
    ["it is to stop", { running: false }, { running: true }, ["stop"]],
    ["it is to start with the host, and now", { running: true, enabled: true }, {}, ["enable", "start"]],
    ["it is to start no more", { enabled: false }, { enabled: true }, ["disable"]],
    ["it is masked for good", { masked: true, running: false }, { running: true }, ["stop", "mask"]],
    ["it was masked already", { masked: true, running: false, enabled: false }, { masked: true }, []],
    ["it is unmasked first", { masked: false, running: true }, { masked: true }, ["unmask", "start"]],
    ["what is not wanted is not there", { running: false, enabled: false }, { exists: false }, []],
  ])("%s", (_, settings, found, verbs) => {
    const operations = serviceKind.operate(want(settings), present(found));
    expect(operations.map((operation) => (operation as ScriptOperation).purpose)).toEqual(
      verbs.map((verb) => `${verb} the service web`),
    );
  });

  test.each<[string, PlainObject, Partial<ServiceFacts>]>([
    ["No such service", { running: true }, { exists: false }],
    ["Service is masked", { running: true }, { masked: true }],
    ["Service is masked", { enabled: true }, { masked: true }],
    ["Service cannot be enabled", { enabled: true }, { canEnable: false }],
    ["Service is masked until the next boot", { running: true }, { maskedUntilBoot: true }],
    ["Service is masked until the next boot", { enabled: true }, { maskedUntilBoot: true }],
    ["Services cannot be masked here", { masked: true }, { init: "sysv" }],
  ])("%s: found at plan, and refused", (summary, settings, found) => {
    expect(serviceKind.planCheck?.(want(settings), present(found))).toMatchObject([
      { severity: "error", summary },
    ]);
    expect(serviceKind.operate(want(settings), present(found))).toMatchObject([{ do: "refuse", summary }]);
  });

  test.each([
    ["static", "has no [Install] section that says when"],
    ["indirect", "has no more than `Also=`"],
    ["generated", "a generator made it"],
    ["transient", "made by a running program"],
    ["alias", "another name of a unit"],
  ])("a unit that is %s is said to be that", (fileState, words) => {
    const [problem] = serviceKind.planCheck!(
      want({ enabled: true }),
      present({ canEnable: false, fileState }),
    );
    expect(problem).toMatchObject({ detail: expect.stringContaining(words) });
  });

  test("one that is masked until the next boot and runs stays as it is", () => {
    const found = present({ maskedUntilBoot: true, running: true, enabled: true });
    expect(serviceKind.planCheck?.(want({ running: true, enabled: true }), found)).toEqual([]);
  });

  test("nothing is done about what cannot be seen", () => {
    expect(serviceKind.operate(want({ running: true }), { state: "unreadable", why: "hides" })).toMatchObject(
      [{ do: "refuse" }],
    );
  });

  test("each init system by its own tools", () => {
    const started = (init: ServiceFacts["init"]) => {
      const [operation] = serviceKind.operate(want({ running: true }), present({ init }));
      return (operation as ScriptOperation).script.text;
    };
    expect(started("systemd")).toMatch(/\nsystemctl start -- web \|\| exit\n/);
    expect(started("openrc")).toMatch(/\nrc-service web start \|\| exit\n/);
    expect(started("sysv")).toMatch(/^\/etc\/init.d\/web start \|\| exit\n/);
  });
});

test("removal stops and disables", () => {
  const removed = serviceKind.remove(want({ running: true }), present({ running: true, enabled: true }));
  expect(removed).toMatchObject([
    { purpose: "disable the service web" },
    { purpose: "stop the service web" },
  ]);
  expect(serviceKind.remove(want({}), present({ exists: false }))).toEqual([]);
});

test("check", () => {
  expect(serviceKind.check?.(want({}))).toMatchObject([{ severity: "warning" }]);
  expect(serviceKind.check?.(want({ masked: true, running: true }))).toMatchObject([{ severity: "error" }]);
  expect(serviceKind.check?.(want({ masked: true, running: false }))).toEqual([]);
});

test.each([
  ["foo@", "foo@NAME"],
  ["foo@.service", "foo@NAME.service"],
  ["foo@.timer", "foo@NAME.timer"],
])("%s is a template, and no unit", (name, instance) => {
  for (const { schema } of [serviceKind, serviceActionKind]) {
    const check = schema.attributes.name!.check as (
      value: string,
      show: (text: string) => string,
    ) => string | undefined;
    expect(check(name, (text) => text)).toContain(`such as "${instance}"`);
    expect(check(instance, (text) => text)).toBeUndefined();
  }
});
