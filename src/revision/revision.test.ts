import { describe, expect, test } from "vitest";
import { mintRevision } from "./revision.ts";

describe("mintRevision", () => {
  test("C1: 16 hexadecimal characters, each time others", () => {
    const revisions = Array.from({ length: 1000 }, mintRevision);
    for (const revision of revisions) expect(revision).toMatch(/^[0-9a-f]{16}$/);
    expect(new Set(revisions).size).toBe(1000);
  });
});
