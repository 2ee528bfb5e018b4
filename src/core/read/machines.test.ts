import { expect, test } from "vitest";
import { resolveLogin } from "../../ssh/login/resolve-login.ts";
import type { Session } from "../../ssh/session.ts";
import { scriptedSession } from "../testing/session.ts";
import { createMachines } from "./machines.ts";

const session = (address: string, stdout: string | Error, port = 22): Session => ({
  ...scriptedSession([stdout instanceof Error ? stdout : { stdout }]),
  login: resolveLogin({ address, port }),
});
const id = "e40e11eff59a71a326c33a51dae26422";
const [one, other] = [`machine ${id},boot1,net:[1]\n`, `machine ${id},boot1,net:[2]\n`];

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

test("a machine is told from another at its address, and never by its own id", async () => {
  const of = (stdout: string | Error) => createMachines().idOf(session("10.0.0.1", stdout));
  const hash = await of(one);
  expect(hash).toMatch(/^[\da-f]{32}$/);
  expect(hash).not.toBe(id);
  expect(await of(other)).toBe(hash);
  expect(await of(one.replace(id, id.replace("e", "f")))).not.toBe(hash);
});

test.each([
  ["without a machine-id", "machine ,boot1,net:[1]\n"],
  ["that is not installed yet", "machine uninitialized,boot1,net:[1]\n"],
  ["that does not answer", new Error()],
])("a host %s has none", async (_, stdout) => {
  expect(await createMachines().idOf(session("10.0.0.1", stdout))).toBe(undefined);
});

test("a host is asked once, and again when it did not answer", async () => {
  const machines = createMachines();
  const host = session("10.0.0.1", one);
  const both = await Promise.all([machines.meet(host), machines.idOf(host), machines.idOf(host)]);
  expect(both[2]).toBe(both[1]);
  expect((host as ReturnType<typeof scriptedSession>).log).toHaveLength(1);
  const failing = scriptedSession([new Error(), { stdout: one }]);
  expect(await machines.idOf(failing)).toBe(undefined);
  expect(await machines.idOf(failing)).toBe(both[1]);
  const dumb = scriptedSession([{ stdout: "no machine" }]);
  expect([await machines.idOf(dumb), await machines.idOf(dumb)]).toEqual([undefined, undefined]);
  expect(dumb.log).toHaveLength(1);
});
