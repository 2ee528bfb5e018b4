import { describe, expect, it } from "vitest";
import { createLog, type LogLevel } from "./log.ts";

function lines(environment: NodeJS.ProcessEnv): string[] {
  const written: string[] = [];
  const log = createLog(environment, (line) => written.push(line));
  for (const level of ["trace", "debug", "info", "warn", "error"] satisfies LogLevel[]) log(level, level);
  return written;
}

describe("the provider's log", () => {
  it("is lines of JSON with go-hclog's keys and its form of a time", () => {
    const written: string[] = [];
    createLog({}, (line) => written.push(line))("error", "two\nlines", { "@host": "web1", count: 2 });
    expect(written).toHaveLength(1);
    expect(written[0]).toMatch(/^[^\n]+\n$/);
    const { "@timestamp": time, ...rest } = JSON.parse(written[0]!) as Record<string, string>;
    expect(rest).toEqual({
      "@level": "error",
      "@message": "two\nlines",
      "@module": "conn3x",
      "@host": "web1",
      count: 2,
    });
    expect(time).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/);
  });

  it.each([
    [{}, 2],
    [{ TF_LOG: "" }, 2],
    [{ TF_LOG: "off" }, 2],
    [{ TF_LOG: "TRACE" }, 5],
    [{ TF_LOG: "json" }, 5],
    [{ TF_LOG: "info" }, 3],
    [{ TF_LOG: "trace", TF_LOG_PROVIDER: "ERROR" }, 1],
  ])("with %j writes %i of five levels", (environment, count) => {
    expect(lines(environment)).toHaveLength(count);
  });
});
