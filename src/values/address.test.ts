import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { formatAddress, parseAddress } from "./address.ts";
import { anyAddress, file } from "./testing/addresses.ts";

describe("an address", () => {
  test("in text", () => {
    const address = file('a"${b}\\', [
      { name: "site", key: "a.b[0]" },
      { name: "inner", key: 2 },
    ]);
    const text = 'module.site["a.b[0]"].module.inner[2].conn3x_file.web__config["a\\"$${b}\\\\"]';
    expect(formatAddress(address)).toBe(text);
    expect(parseAddress(text)).toEqual(address);
  });

  test.each([
    "",
    "a",
    "a.b.c",
    "a.b.",
    ".a.b",
    "a[0].b",
    "module.a",
    "module.a.b",
    'a.b["c',
    "a.b[x]",
    "a b.c",
  ])("is not %j", (text) => {
    expect(parseAddress(text)).toBeUndefined();
  });

  test("comes back from what is printed", () => {
    fc.assert(
      fc.property(anyAddress, (address) => {
        expect(parseAddress(formatAddress(address))).toEqual(address);
      }),
    );
  });
});
