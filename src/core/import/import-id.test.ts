import fc from "fast-check";
import { expect, test } from "vitest";
import { addressedTarget, namedTarget } from "./import-id.ts";

test.each([
  ["ssh://10.0.1.5/etc/motd", { address: "10.0.1.5", bastion: [] }, "/etc/motd"],
  ["ssh://deploy@web1:2222/nginx", { address: "web1", user: "deploy", port: 2222, bastion: [] }, "/nginx"],
  ["ssh://[fd00::1]:22/a b:c", { address: "fd00::1", port: 22, bastion: [] }, "/a b:c"],
])("%s", (id, ssh, identity) => {
  expect(addressedTarget(id)).toEqual({ ssh, identity });
  expect(namedTarget(id)).toBeUndefined();
});

test.each([
  ["web/web1:/etc/motd", "web", "web1", "/etc/motd"],
  ["web/web1:nginx", "web", "web1", "/nginx"],
  ["web/a.b-c_d:/x:y/z", "web", "a.b-c_d", "/x:y/z"],
  ['module.site["blog"].web/web1:/x', 'module.site["blog"].web', "web1", "/x"],
])("%s", (id, circuit, host, identity) => {
  expect(namedTarget(id)).toEqual({ circuit, host, identity });
  expect(addressedTarget(id)).toBeUndefined();
});

test.each([
  "",
  "web",
  "web/web1",
  "web/web1:",
  "/web1:x",
  "web/:x",
  "web1:/etc/motd",
  "web/we b:x",
  "ssh://web1",
])("%j is no id", (id) => {
  expect(namedTarget(id)).toBeUndefined();
  expect(addressedTarget(id)).toBeUndefined();
});

test("no id is of both forms", () => {
  const part = fc.string({ unit: fc.constantFrom("s", "h", "/", ":", "@", "[", "]", "1", ".") });
  const id = fc.tuple(fc.constantFrom("", "ssh://", "web/web1:"), part).map((parts) => parts.join(""));
  fc.assert(
    fc.property(id, (text) => addressedTarget(text) === undefined || namedTarget(text) === undefined),
  );
});
