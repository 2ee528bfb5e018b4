import { EventEmitter } from "node:events";
import { expect, test } from "vitest";
import { openOutput } from "./output.ts";

class FakeStream extends EventEmitter {
  readonly written: string[] = [];
  write(text: string): boolean {
    this.written.push(text);
    return true;
  }
  fail(code: string): void {
    this.emit("error", Object.assign(new Error(code), { code }));
  }
}

function open() {
  const [stdout, stderr] = [new FakeStream(), new FakeStream()];
  return { stdout, stderr, output: openOutput(stdout, stderr) };
}

test("a reader that had enough is no problem, but nothing more is written", () => {
  const { stdout, output } = open();
  output.out("a");
  stdout.fail("EPIPE");
  output.out("b");
  expect([stdout.written, output.lost.aborted, output.problem()]).toEqual([["a"], true, undefined]);
});

test("a full disk is one, and said once", () => {
  const { stdout, output } = open();
  stdout.fail("ENOSPC");
  stdout.fail("EIO");
  expect(output.problem()?.detail).toContain("there is no space left on the device");
});

test("losing standard error changes nothing", () => {
  const { stderr, output } = open();
  stderr.fail("EPIPE");
  output.err("x");
  expect([stderr.written, output.lost.aborted]).toEqual([[], false]);
});
