import { describe, expect, test } from "vitest";
import { sshBlock } from "../../login/index.ts";
import { schemaType } from "../../schema/schema.ts";
import type { Login } from "../../ssh/login/login.ts";
import { fromPlain, type PlainObject } from "../../values/plain.ts";
import { mapOf, stringType } from "../../values/type.ts";
import { Unknown } from "../../values/value.ts";
import { loginOf } from "./configured-login.ts";

const block = (settings: PlainObject) => fromPlain(settings, schemaType(sshBlock));

describe("loginOf", () => {
  test.each<[PlainObject, string]>([
    [{ address: "web1" }, "web1"],
    [{ address: "web1", port: 22 }, "web1"],
    [{ address: "127.0.0.1", port: 2201 }, "127.0.0.1:2201"],
    [{ address: "::1", port: 2201 }, "[::1]:2201"],
    [{ address: "::1" }, "::1"],
  ])("%j is called %s", (settings, host) => {
    expect(loginOf(block(settings))).toMatchObject({ host, address: settings.address });
  });

  test("later blocks win, where they say something", () => {
    const login = loginOf(
      block({ address: "a", user: "one", port: 2201 }),
      undefined,
      block({ user: "two" }),
    );
    expect(login).toMatchObject({ address: "a", user: "two", port: 2201 });
  });

  const gate = { address: "gate", user: "jump", port: 2222 };

  test("bastions with their own settings, in their order", () => {
    const login = loginOf(block({ address: "a", bastion: [gate, { address: "second", host_key: "k" }] }));
    expect(login).toMatchObject({ bastions: [gate, { address: "second", hostKey: "k" }] });
    expect(Object.keys((login as Login).bastions![1]!)).toEqual(["address", "hostKey"]);
  });

  test("a later way replaces an earlier one as a whole", () => {
    const outer = block({ address: "a", bastion: [gate, gate] });
    const inner = (settings: PlainObject) => loginOf(outer, block(settings)) as Login;
    expect(inner({ bastion: [{ address: "other" }] }).bastions).toEqual([{ address: "other" }]);
    expect(inner({ proxy_jump: "none" })).toMatchObject({ proxyJump: "none" });
    expect(inner({ proxy_jump: "none" }).bastions).toBeUndefined();
    expect(inner({ bastion: [], user: "x" }).bastions).toHaveLength(2);
    expect(loginOf(block({ proxy_command: "c" }), outer)).not.toHaveProperty("proxyCommand");
  });

  test("secrets of bastions that stand apart", () => {
    const entry = fromPlain(
      { password: "p", "bastion/1/password": "q", "bastion/1/passphrase": null },
      mapOf(stringType),
    );
    const login = loginOf(entry, block({ address: "a", bastion: [gate, { address: "second" }] }));
    expect(login).toMatchObject({ password: "p", bastions: [gate, { address: "second", password: "q" }] });
  });

  test("bastions that are not known yet", () => {
    const problem = { problem: expect.stringContaining("not known yet"), unknown: true };
    expect(loginOf(block({ address: "a", bastion: new Unknown() }))).toMatchObject(problem);
    expect(loginOf(block({ address: "a", bastion: [{ address: new Unknown() }] }))).toMatchObject(problem);
  });

  test.each([
    [{}, "no address"],
    [{ address: "a", user: new Unknown() }, "not known yet"],
  ] as const)("%j: %s", (settings, problem) => {
    expect(loginOf(block(settings))).toMatchObject({ problem: expect.stringContaining(problem) });
  });
});
