import { expect, test } from "vitest";
import { resolveLogin } from "../ssh/login/resolve-login.ts";
import { hostOf } from "./host-of.ts";

const of = (more: Parameters<typeof resolveLogin>[0]) => hostOf({ login: resolveLogin(more) });

test("one address is one host, whoever logs in, unless the way there is another", () => {
  expect(of({ address: "a", user: "x" })).toBe(of({ address: "a", user: "y", proxyJump: "none" }));
  const bastions = [{ address: "gate", user: "x" }];
  expect(of({ address: "a", bastions })).toBe("a:22 through gate:22");
  expect(of({ address: "a", bastions: [{ address: "gate", port: 22 }] })).toBe(
    of({ address: "a", bastions }),
  );
  expect(of({ address: "a", proxyJump: "other" })).not.toBe(of({ address: "a", bastions }));
});
