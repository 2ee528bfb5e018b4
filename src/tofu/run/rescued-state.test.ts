import { mkdtempSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { configurationOf } from "../../engine/testing/configuration.ts";
import { type JsonObject, parseJson } from "../../values/json/json-text.ts";
import { subjectsOf } from "../plan/subjects.ts";
import { rescueState } from "./rescued-state.ts";
import { readUiLines } from "./ui-lines.ts";

const state = `{"version":4,"serial":12345678901234567890,"resources":[{"mode":"managed","type":"conn3x_command","name":"web__run","instances":[{"index_key":"h1","attributes":{"ssh":{"address":"10.0.0.1"},"run":"x"}}]}]}`;
/** As OpenTofu 1.12 and Terraform 1.11 write it. */
const line = `{"@level":"info","@message":"Emergency state dump","@module":"tofu.ui","state":${state},"type":"log"}`;

function dumped(): JsonObject {
  const lines = readUiLines({
    subjects: subjectsOf(configurationOf("")),
    read: () => {
      throw new Error("no diagnostic");
    },
    events: () => undefined,
  });
  lines.add(line);
  expect(lines.other).toEqual([]);
  return lines.dumped as JsonObject;
}

test("a state that the engine could store nowhere is kept in the first place that takes it", async () => {
  const directory = mkdtempSync(join(tmpdir(), "conn3x-rescued-"));
  try {
    const { summary, detail } = await rescueState(dumped(), ["/nowhere/at/all", directory]);
    const path = join(directory, `conn3x-errored-${process.pid}.tfstate`);
    expect(parseJson(readFileSync(path, "utf8"))).toEqual(parseJson(state));
    expect(readFileSync(path, "utf8")).toContain(":12345678901234567890");
    expect(statSync(path).mode & 0o777).toBe(0o600);
    expect([summary, detail]).toEqual(["State is in another place", expect.stringContaining(`push ${path}`)]);
  } finally {
    rmSync(directory, { recursive: true });
  }
});

test("where none does, what it has is named", async () => {
  expect(await rescueState(parseJson(state), ["/nowhere"])).toMatchObject({
    severity: "error",
    summary: "Something was done and is recorded nowhere",
    detail: expect.stringContaining('\n    conn3x_command.web__run["h1"] on 10.0.0.1'),
  });
});
