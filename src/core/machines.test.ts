import { expect, test } from "vitest";
import { resolveLogin } from "../ssh/resolve-login.ts";
import type { Session } from "../ssh/session.ts";
import { createMachines } from "./machines.ts";
import { scriptedSession } from "./testing/session.ts";

const session = (address: string, stdout: string | Error, port = 22): Session => ({
  ...scriptedSession([stdout instanceof Error ? stdout : { stdout }]),
  login: resolveLogin({ address, port }),
});
const [one, other] = ["machine m1 boot1 net:[1]\n", "machine m1 boot1 net:[2]\n"];

test("two addresses of one machine are told, once", async () => {
  const machines = createMachines();
  const [a, b] = [session("10.0.0.1", one), session("web.example", one)];
  expect(await machines.meet(a)).toBe(undefined);
  expect(await machines.meet(b)).toMatchObject({
    severity: "warning",
    detail: expect.stringContaining("10.0.0.1:22 and web.example:22 lead to the same machine"),
  });
  expect(await machines.meet(b)).toBe(undefined);
});

test.each<[string, Session, Session]>([
  ["containers of one machine", session("10.0.0.1", one), session("10.0.0.2", other)],
  ["two logins at one address", session("10.0.0.1", one), session("10.0.0.1", one)],
  ["forwarded ports", session("127.0.0.1", one, 2201), session("localhost", one, 2202)],
  ["hosts that do not tell", session("10.0.0.1", ""), session("10.0.0.2", "")],
  ["hosts that do not answer", session("10.0.0.1", new Error()), session("10.0.0.2", new Error())],
])("nothing is said of %s", async (_, a, b) => {
  const machines = createMachines();
  expect([await machines.meet(a), await machines.meet(b)]).toEqual([undefined, undefined]);
});
