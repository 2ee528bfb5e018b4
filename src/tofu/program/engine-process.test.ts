import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type EngineCommand, runEngine } from "./engine-process.ts";

let directory: string;
beforeAll(() => {
  directory = mkdtempSync(join(tmpdir(), "conn3x-engine-"));
});
afterAll(() => rmSync(directory, { recursive: true, force: true }));

const running = (script: string, more: Partial<EngineCommand> = {}) => {
  const path = join(directory, "engine");
  writeFileSync(path, `#!/bin/sh\n${script}\n`);
  chmodSync(path, 0o755);
  const program = { path, product: "OpenTofu", version: "1.12.6" } as const;
  return runEngine({ program, args: [], environment: process.env, ...more });
};

test("what a program prints is returned, or told line by line", async () => {
  const script = "printf 'one\\ntwo'; echo three >&2; exit 3";
  expect(await running(script)).toEqual({ status: 3, stdout: "one\ntwo", stderr: "three\n" });
  const lines: string[] = [];
  expect(await running(script, { onLine: (line) => void lines.push(line) })).toMatchObject({
    status: 3,
    stdout: "",
  });
  expect(lines).toEqual(["one", "two"]);
});

test("a program that is not there ends with status 127", async () => {
  const program = { path: join(directory, "none"), product: "OpenTofu", version: "1.12.6" } as const;
  expect(await runEngine({ program, args: [], environment: {} })).toMatchObject({ status: 127 });
});

test("more arguments than the system takes are a failure like others", async () => {
  const args = Array.from({ length: 100_000 }, (_, place) => `-target=conn3x_file.web__page["host${place}"]`);
  const ended = await running("exit 0", { args });
  expect(ended.status).toBe(127);
  expect(ended.stderr).toContain("more arguments");
});

test("it is asked to stop, and is not started when that was wanted before", async () => {
  const script = "trap 'echo stopped; exit 1' INT; echo ready; while :; do sleep 0.1; done";
  const stop = new AbortController();
  const lines: string[] = [];
  const onLine = (line: string): void => {
    lines.push(line);
    stop.abort();
  };
  expect((await running(script, { onLine, signal: stop.signal })).status).toBe(1);
  expect(lines).toEqual(["ready", "stopped"]);
  for (const late of [{ signal: AbortSignal.abort() }, { hurry: AbortSignal.abort() }])
    expect(await running("echo started", late)).toEqual({ status: 130, stdout: "", stderr: "" });
});

test("one that does not stop is ended after the second ^C", async () => {
  const began = Date.now();
  const hurry = new AbortController();
  const script = "trap '' INT; echo ready; while :; do sleep 0.1; done";
  const ended = await running(script, { hurry: hurry.signal, onLine: () => hurry.abort() });
  expect(ended.status).toBe(137);
  expect(Date.now() - began).toBeLessThan(10_000);
});
