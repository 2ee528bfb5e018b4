import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, it } from "vitest";
import { rsaBits } from "./rsa-size.ts";

const directory = mkdtempSync(join(tmpdir(), "conn3x-rsa-"));
afterAll(() => rmSync(directory, { recursive: true }));

let made = 0;
const keyOf = (type: string, bits: number): Buffer => {
  const file = join(directory, String(made++));
  execFileSync("ssh-keygen", ["-q", "-t", type, "-b", String(bits), "-N", "", "-f", file]);
  return Buffer.from(readFileSync(`${file}.pub`, "utf8").split(" ")[1]!, "base64");
};

it.each([1024, 1026, 2047, 2048, 3072])("is what ssh-keygen was told: %d", (bits) => {
  expect(rsaBits(keyOf("rsa", bits))).toBe(bits);
});

it("is nothing for other types, and 0 for what cannot be read", () => {
  expect(rsaBits(keyOf("ed25519", 256))).toBeUndefined();
  const key = keyOf("rsa", 1024);
  expect(rsaBits(key.subarray(0, 20))).toBe(0);
  expect(rsaBits(Buffer.alloc(0))).toBeUndefined();
});
