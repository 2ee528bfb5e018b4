import { describe, expect, it } from "vitest";
import { mapOf, objectOf, stringType } from "../values/type.ts";
import { mapValue, nullValue, objectValue, stringValue, unknownValue, type Value } from "../values/value.ts";
import { circuitLogin, missingEntryAdvice } from "./circuit-logins.ts";

const entry = (password: string): Value =>
  mapValue(stringType, new Map([["password", stringValue(password)]]));
const ssh = (login: Value): Value => objectValue({ address: stringValue("10.0.0.1"), login });
const named = (name: string): Value => ssh(stringValue(name));

const logins = mapValue(
  mapOf(stringType),
  new Map([
    ["web", entry("of the circuit")],
    ["web/web1", entry("of the host")],
    ["web/web1/deploy", entry("of the step")],
    ["web//backup", entry("of the step")],
    ["app//backup", entry("of the step")],
    ["db/db1", unknownValue(mapOf(stringType))],
  ]),
);

describe("the entry that an ssh block names", () => {
  it.each([
    ["web/web1/deploy", "of the step"],
    ["web/web1/other", "of the host"],
    ["web/web1", "of the host"],
    ["web/web2", "of the circuit"],
    ["web/web2/deploy", "of the circuit"],
    ["web/web2/backup", "of the step"],
    ["app/app1/backup", "of the step"],
  ])("%s is the one %s", (name, expected) => {
    expect(circuitLogin(logins, named(name))).toEqual(entry(expected));
  });

  it("is none where the block names none", () => {
    expect(circuitLogin(logins, undefined)).toBeUndefined();
    expect(circuitLogin(logins, ssh(nullValue(stringType)))).toBeUndefined();
    expect(circuitLogin(logins, nullValue(objectOf({ login: stringType })))).toBeUndefined();
    expect(circuitLogin(logins, objectValue({ address: stringValue("10.0.0.1") }))).toBeUndefined();
  });

  it.each([
    ["a host", "app/app1", "app/app1 is not in", '-circuit=app -limit=app1"'],
    ["a step", "app/app1/deploy", "deploy of app/app1 is not in", '-circuit=app -limit=app1 -step=deploy"'],
    ["a handler", "app/app1/handler.web", "app/app1 is not in", '-step=web"'],
    ["one whose name only starts the same", "webs/web1", "webs/web1 is not in", "-circuit=webs"],
  ])(
    "is none where there is none of its circuit, and who is refused then is told how to remove %s",
    (_, name, what, how) => {
      for (const known of [logins, undefined, nullValue(mapOf(mapOf(stringType)))]) {
        expect(circuitLogin(known, named(name))).toBeUndefined();
        expect(missingEntryAdvice(known, named(name))).toContain(what);
        expect(missingEntryAdvice(known, named(name))).toContain(how);
      }
    },
  );

  it("lacks nothing where there is one, where none is named, and while it is not known", () => {
    expect(missingEntryAdvice(logins, named("web/web7"))).toBeUndefined();
    expect(missingEntryAdvice(undefined, ssh(nullValue(stringType)))).toBeUndefined();
    expect(missingEntryAdvice(unknownValue(mapOf(mapOf(stringType))), named("a/b"))).toBeUndefined();
  });

  it("is not known where its secrets are not", () => {
    const problem = { unknown: true, problem: expect.stringContaining("not known yet") };
    expect(circuitLogin(logins, named("db/db1"))).toEqual(problem);
    expect(circuitLogin(unknownValue(mapOf(mapOf(stringType))), named("web/web1"))).toEqual(problem);
  });
});
