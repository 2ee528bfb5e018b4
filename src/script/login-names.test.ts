import { spawnSync } from "node:child_process";
import { describe, expect, it } from "vitest";
import { badHostName, badUserName } from "./login-names.ts";

const refusedBySsh = (...args: string[]): boolean =>
  /contains invalid characters/.test(
    spawnSync("ssh", ["-F", "none", "-G", ...args], { encoding: "utf8" }).stderr,
  );
const punctuation = "!\"#$%&'()*+,-./:;<=>?[\\]^_`{|}~";

describe.skipIf(spawnSync("ssh", ["-V"]).error !== undefined)("as ssh refuses them", () => {
  it.each(["a?b", "?b", "a?"])("names of hosts of the form %s", (form) => {
    const names = [...punctuation, "é"].map((sign) => form.replace("?", () => sign));
    const refused = names.filter((name) => badHostName(name) !== undefined);
    // A comma is refused by OpenSSH since 10.1; an "@" is not in the list, since it would be a user's.
    expect(refused).toEqual(names.filter((name) => name.includes(",") || refusedBySsh("--", name)));
  });

  it.each(["a?b", "?b", "a?"])("names of users of the form %s", (form) => {
    const names = [...punctuation, "é"].map((sign) => form.replace("?", () => sign));
    const refused = names.filter((name) => badUserName(name) !== undefined);
    expect(refused).toEqual(names.filter((name) => refusedBySsh("-l", name, "--", "host")));
  });
});

it("what every host and user may be called is accepted", () => {
  for (const host of [
    "web1",
    "WEB1.example.com",
    "10.0.0.1",
    "2001:db8::1",
    "fe80::1%eth0",
    "münchen",
    "a_b",
    "xn--a",
  ]) {
    expect(badHostName(host)).toBeUndefined();
  }
  for (const user of ["root", "first.last", "DOMAIN\\user", "user@realm", "machine$", "a b", "www-data"]) {
    expect(badUserName(user)).toBeUndefined();
  }
});

it("control characters and what would be an option are refused", () => {
  for (const name of ["", "-oProxyCommand=x", "a\nb", "a\0b", "a\u001b[m", "a\u0085b", "a\u007f"]) {
    expect(badHostName(name)).toMatch(/^must /);
    expect(badUserName(name)).toMatch(/^must /);
  }
  expect(badHostName("a b")).toMatch(/^must /);
  expect(badUserName("a -b")).toMatch(/^must /);
});
