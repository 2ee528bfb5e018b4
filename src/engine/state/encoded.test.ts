import { createHash } from "node:crypto";
import { describe, expect, it } from "vitest";
import { encoded } from "./encoded.ts";

describe("encoded", () => {
  it.each([
    ["nothing", []],
    ["small parts", ["a", "", "é", "🐈"]],
    ["parts of all sizes", ["x".repeat(300_000), "é".repeat(200_000), "y", "z".repeat(600_000)]],
  ])("of %s is the whole", (_, parts) => {
    const whole = Buffer.from(parts.join(""));
    const { bytes, hash } = encoded(parts);
    expect(Buffer.concat(bytes).equals(whole)).toBe(true);
    expect(hash).toBe(createHash("sha256").update(whole).digest("hex"));
  });
});
