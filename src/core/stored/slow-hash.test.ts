import { scryptSync } from "node:crypto";
import { expect, test } from "vitest";
import { createSlowHashes } from "./slow-hash.ts";

test("a hash is of its text, whoever made it", async () => {
  const stored = await createSlowHashes().of("secret");
  const later = createSlowHashes();
  expect(await later.matches(stored, "secret")).toBe(true);
  expect(await later.matches(stored, "Secret")).toBe(false);
});

test("is scrypt with a salt of its own (RFC 7914), which two runs do not share", async () => {
  const [one, other] = [await createSlowHashes().of("secret"), await createSlowHashes().of("secret")];
  expect(one).not.toBe(other);
  const [, salt, hash] = one.split(":");
  const expected = scryptSync("secret", Buffer.from(salt!, "base64"), 32, { N: 16384, r: 8, p: 1 });
  expect(hash).toBe(expected.toString("base64"));
});

test.each(["", "scrypt", "scrypt::", "scrypt:AAAA:AAAA", "sha256:AAAA:AAAA"])(
  "what is no hash matches nothing: %j",
  async (stored) => {
    expect(await createSlowHashes().matches(stored, "")).toBe(false);
  },
);

test("one secret of many hosts costs one hash", async () => {
  const hashes = createSlowHashes();
  const once = performance.now();
  const stored = await hashes.of("shared");
  const single = performance.now() - once;
  const start = performance.now();
  for (let i = 0; i < 1000; i++) expect(await hashes.matches(stored, "shared")).toBe(true);
  // A thousand of them would take a thousand times as long.
  expect(performance.now() - start).toBeLessThan(single * 100 + 500);
});
