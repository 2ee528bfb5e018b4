import { describe, expect, test } from "vitest";
import { sshBlock } from "../resources/settings.ts";
import { schemaType } from "../schema/schema.ts";
import { fromPlain, type PlainObject } from "../values/plain.ts";
import { Unknown } from "../values/value.ts";
import { loginOf } from "./login-settings.ts";

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

  test.each([
    [{}, "no address"],
    [{ address: "a", user: new Unknown() }, "not known yet"],
  ] as const)("%j: %s", (settings, problem) => {
    expect(loginOf(block(settings))).toMatchObject({ problem: expect.stringContaining(problem) });
  });
});
