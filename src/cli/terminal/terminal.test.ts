import { afterEach, describe, expect, it } from "vitest";
import { processTerminal } from "./terminal.ts";

const before = Object.getOwnPropertyDescriptor(process.stdout, "columns");

afterEach(() => {
  if (before === undefined) Reflect.deleteProperty(process.stdout, "columns");
  else Object.defineProperty(process.stdout, "columns", before);
});

describe("the width of lines", () => {
  it.each([
    [120, 120],
    [0, 78],
    [undefined, 78],
  ])("of a terminal that says %s is %i", (columns, width) => {
    Object.defineProperty(process.stdout, "columns", { value: columns, configurable: true });
    expect(processTerminal(false).width).toBe(width);
  });
});
