import { describe, expect, it } from "vitest";
import { mapOf, objectOf, stringType } from "../../values/type.ts";
import {
  mapValue,
  nullValue,
  objectValue,
  stringValue,
  unknownValue,
  type Value,
} from "../../values/value.ts";
import { circuitLogin } from "./circuit-logins.ts";

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
  ])("%s is the one %s", (name, expected) => {
    expect(circuitLogin(logins, named(name))).toEqual(entry(expected));
  });

  it("is none where the block names none", () => {
    expect(circuitLogin(logins, undefined)).toBeUndefined();
    expect(circuitLogin(logins, ssh(nullValue(stringType)))).toBeUndefined();
    expect(circuitLogin(logins, nullValue(objectOf({ login: stringType })))).toBeUndefined();
    expect(circuitLogin(logins, objectValue({ address: stringValue("10.0.0.1") }))).toBeUndefined();
  });

  it("is missing, and how to remove a circuit is said, where there is none of its circuit", () => {
    for (const known of [logins, undefined, nullValue(mapOf(mapOf(stringType)))]) {
      expect(circuitLogin(known, named("app/app1"))).toEqual({
        unknown: false,
        problem: expect.stringMatching(/no entry "app\/app1".*hosts = \{\}/),
      });
    }
  });

  it("is not the one of a circuit whose name only starts the same", () => {
    expect(circuitLogin(logins, named("webs/web1"))).toHaveProperty("problem");
  });

  it("is not known where its secrets are not", () => {
    const problem = { unknown: true, problem: expect.stringContaining("not known yet") };
    expect(circuitLogin(logins, named("db/db1"))).toEqual(problem);
    expect(circuitLogin(unknownValue(mapOf(mapOf(stringType))), named("web/web1"))).toEqual(problem);
  });
});
