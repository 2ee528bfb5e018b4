/**
 * Content becomes secret content, and the other way round: the same bytes are no change of the host, and run no handler.
 */
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeEach, expect, test } from "vitest";
import { applyText } from "./compiler-apply.ts";

let directory: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), "conn3x-same-secrets-"));
  return () => rmSync(directory, { recursive: true });
});

const path = (name: string): string => join(directory, name);

/** @returns whether the handler ran */
async function apply(body: string): Promise<boolean> {
  rmSync(path("ran"), { force: true });
  const text = `circuit "c" {
  hosts = { h = "h" }
  ssh {
    transport = "local"
  }
  step "s" {
    file {
      path = "${path("file")}"
      mode = "0600"
      ${body}
    }
    notify = [handler.h]
  }
  handler "h" {
    command {
      run = "echo >${path("ran")}"
    }
  }
}
`;
  await applyText(text, path("terraform.tfstate"));
  return existsSync(path("ran"));
}

const secret = (text: string): string => `secret_content = "${text}"`;
const content = (text: string): string => `content = "${text}"`;
const base64 = (text: string): string => `content_base64 = "${Buffer.from(text).toString("base64")}"`;

test.each<[string, string, string, boolean]>([
  ["content as a secret", content("x"), secret("x"), false],
  ["base64 as a secret", base64("x"), secret("x"), false],
  ["a secret as content", secret("x"), content("x"), false],
  ["a secret as base64", secret("x"), base64("x"), false],
  ["other content as a secret", content("x"), secret("y"), true],
  ["a secret as other content", secret("x"), content("y"), true],
  ["another secret", secret("x"), secret("y"), true],
  ["the same secret", secret("x"), secret("x"), false],
])("%s", async (_, before, after, runs) => {
  expect(await apply(before)).toBe(true);
  expect(await apply(after)).toBe(runs);
  expect(readFileSync(path("file"), "utf8")).toBe(/y|eQ/.test(after.split("=")[1]!) ? "y" : "x");
  // What is kept of it is that of the last apply.
  expect(await apply(after)).toBe(false);
  writeFileSync(path("file"), "by hand");
  expect(await apply(after)).toBe(true);
});

test.each([
  ["content", content("x"), secret("x")],
  ["a secret", secret("x"), content("x")],
])("%s that somebody changed on the host is put back", async (_, before, after) => {
  await apply(before);
  writeFileSync(path("file"), "by hand");
  expect(await apply(after)).toBe(true);
  expect(readFileSync(path("file"), "utf8")).toBe("x");
});
