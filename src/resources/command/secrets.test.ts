import { describe, expect, test } from "vitest";
import { masker } from "./secrets.ts";

const none = { sensitive: null, secret_environment: null, stdin: null };
const secret = { ...none, secret_environment: { TOKEN: "s3cr3t-token" } };

describe("masker", () => {
  test.each<[string, string]>([
    ["as it is", "curl: s3cr3t-token refused by s3cr3t-token"],
    // printf %s s3cr3t-token | base64
    ["as base64", "Authorization: czNjcjN0LXRva2Vu"],
    // printf %s s3cr3t-token: | base64
    ["as base64 with more behind", "czNjcjN0LXRva2VuOg=="],
  ])("hides a secret %s", (_, output) => {
    expect(masker(secret)(output)).not.toMatch(/s3cr3t|czNjcjN0/);
    expect(masker(secret)(output)).toContain("(secret)");
  });

  test("hides what shells, JSON and hexadecimal digits make of it, and what is in the mask itself", () => {
    const mask = masker({ ...none, secret_environment: { A: `it's "x" y`, B: "secret" } });
    // set -x; jq -n 'env'; printf %q; od -tx1
    for (const text of [
      `+ : 'it'"'"'s "x" y'`,
      `{"A":"it's \\"x\\" y"}`,
      String.raw`it\'s\ \"x\"\ y`,
      "69742773202278222079",
    ])
      expect(mask(text)).not.toMatch(/it.{0,6}s|x.{0,4}y|697427/);
    expect(mask("a secret")).toBe("a (secret)");
  });

  test("hides each line of the input, and of a secret of several lines", () => {
    const mask = masker({
      ...none,
      stdin: "user\npassw0rd\n",
      secret_environment: { KEY: "begin\nmiddle\n" },
    });
    expect(mask("for user: passw0rd is wrong; middle")).toBe("for (secret): (secret) is wrong; (secret)");
  });

  test("shows nothing where a secret is too short, or all is sensitive", () => {
    expect(masker({ ...none, secret_environment: { PIN: "123" } })("1234")).not.toContain("1234");
    expect(masker({ ...none, sensitive: true })("output")).not.toContain("output");
    expect(masker({ ...none, sensitive: true })("")).toBe("");
  });

  test("shows the rest as it is", () => {
    expect(masker(none)("a\nb")).toBe("a\nb");
    expect(masker({ ...none, secret_environment: { EMPTY: "" } })("a")).toBe("a");
  });
});
