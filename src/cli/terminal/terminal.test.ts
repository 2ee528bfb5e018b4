import { afterEach, describe, expect, it, vi } from "vitest";
import { processTerminal } from "./terminal.ts";

const properties = ["columns", "isTTY"] as const;
const before = properties.map((name) => Object.getOwnPropertyDescriptor(process.stdout, name));

const standardOutput = (values: { columns?: number | undefined; isTTY: boolean }): void => {
  for (const name of properties)
    Object.defineProperty(process.stdout, name, { value: values[name], configurable: true });
};

afterEach(() => {
  vi.unstubAllEnvs();
  for (const [i, name] of properties.entries()) {
    const descriptor = before[i];
    if (descriptor === undefined) Reflect.deleteProperty(process.stdout, name);
    else Object.defineProperty(process.stdout, name, descriptor);
  }
});

describe("the width of lines", () => {
  it.each([
    [120, 120],
    [0, 78],
    [undefined, 78],
  ])("of a terminal that says %s is %i", (columns, width) => {
    vi.stubEnv("COLUMNS", "40");
    standardOutput({ columns, isTTY: true });
    expect(processTerminal(false).width).toBe(width);
  });

  it.each([
    [undefined, Number.POSITIVE_INFINITY],
    ["", Number.POSITIVE_INFINITY],
    ["0", Number.POSITIVE_INFINITY],
    ["wide", Number.POSITIVE_INFINITY],
    ["120", 120],
  ])("of a file or a program with COLUMNS=%s is %d", (columns, width) => {
    vi.stubEnv("COLUMNS", columns);
    standardOutput({ columns: undefined, isTTY: false });
    expect(processTerminal(false).width).toBe(width);
  });
});
