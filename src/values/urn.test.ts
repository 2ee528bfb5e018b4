import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { anyAddress, file, word } from "./testing/addresses.ts";
import { formatUrn, type InstanceName, parseUrn } from "./urn.ts";

const pairs: readonly (readonly [string, InstanceName])[] = [
  ["urn:conn3x:default::.::conn3x_file::web__config", { namespace: "default", address: file(undefined) }],
  ["urn:conn3x:default::.::conn3x_file::web__config@web1", { namespace: "default", address: file("web1") }],
  [
    "urn:conn3x:default::.::conn3x_file::web__config@web1/a%20b",
    { namespace: "default", address: file("web1/a b") },
  ],
  [
    "urn:conn3x:default::.::conn3x_file::web__config@%21%27%28%29%2A-._~%22%0A%C3%BC",
    { namespace: "default", address: file("!'()*-._~\"\nü") },
  ],
  ["urn:conn3x:default::.::conn3x_file::web__config,0", { namespace: "default", address: file(0) }],
  ["urn:conn3x:default::.::conn3x_file::web__config@0", { namespace: "default", address: file("0") }],
  [
    "urn:conn3x:eu%3A%3A1::site@a%2Fb/inner,2::conn3x_file::web__config@x%3A%3Ay%40%2C%25",
    {
      namespace: "eu::1",
      address: file("x::y@,%", [
        { name: "site", key: "a/b" },
        { name: "inner", key: 2 },
      ]),
    },
  ],
];

describe("U7: a name", () => {
  test.each(pairs)("%s", (text, name) => {
    expect(formatUrn(name)).toBe(text);
    expect(parseUrn(text)).toEqual(name);
  });

  test.each([
    "",
    "conn3x_file.web__config",
    "urn:conn3x:",
    "urn:conn3x:default",
    "urn:conn3x:default::.::conn3x_file",
    "urn:conn3x:default::.::conn3x_file::",
    "urn:conn3x:default::::conn3x_file::web__config",
    "urn:conn3x:default::.::conn3x_file::web__config::more",
    "urn:conn3x:default::.::conn3x_file::web__config,",
    "urn:conn3x:default::.::conn3x_file::web__config,01",
    "urn:conn3x:default::.::conn3x_file::web__config,99999999999999999999",
    "urn:conn3x:default::.::conn3x_file::web__config@%",
    "urn:conn3x:default::.::conn3x_file::web__config@%ff",
    // Another spelling of web1.
    "urn:conn3x:default::.::conn3x_file::web__config@%77eb1",
    "urn:conn3x:default::.::conn3x_file::web__config@a:b",
    "urn:other:default::.::conn3x_file::web__config",
    "URN:conn3x:default::.::conn3x_file::web__config",
  ])("is not %j", (text) => {
    expect(parseUrn(text)).toBeUndefined();
  });

  test("comes back from what is printed, whatever its parts are", () => {
    fc.assert(
      fc.property(anyName, (name) => {
        expect(parseUrn(formatUrn(name))).toEqual(name);
      }),
    );
  });

  test("is another one for another instance", () => {
    fc.assert(
      fc.property(anyName, anyName, (a, b) => {
        fc.pre(JSON.stringify(a) !== JSON.stringify(b));
        expect(formatUrn(a)).not.toBe(formatUrn(b));
      }),
    );
  });

  test("is what it is read from, whatever that text is", () => {
    const almost = fc
      .array(fc.constantFrom("::", ":", "@", ",", "/", "%", "%3A", "%3a", ".", "a", "0", "é"), {
        maxLength: 12,
      })
      .map((parts) => `urn:conn3x:${parts.join("")}`);
    fc.assert(
      fc.property(fc.oneof(almost, fc.string()), (text) => {
        const name = parseUrn(text);
        if (name !== undefined) expect(formatUrn(name)).toBe(text);
      }),
    );
  });
});

const anyName: fc.Arbitrary<InstanceName> = fc.record({
  namespace: fc.oneof(word, fc.stringMatching(/^[:@,/%. a]{1,6}$/)),
  address: anyAddress,
});
