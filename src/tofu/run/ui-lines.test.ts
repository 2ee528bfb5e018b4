import { expect, test } from "vitest";
import type { SourceRange } from "../../diagnostics/source.ts";
import type { Event } from "../../engine/event.ts";
import { configurationOf } from "../../engine/testing/configuration.ts";
import { subjectsOf } from "../plan/subjects.ts";
import { diagnosticReader } from "../program/diagnostics.ts";
import { readUiLines } from "./ui-lines.ts";

const configuration = configurationOf(`
resource "conn3x_file" "web__a" {
  for_each = toset(["h1"])
  path     = "/a"
  content  = "a"
}
`);

function read(...lines: readonly unknown[]) {
  const events: Event[] = [];
  const subjects = subjectsOf(configuration);
  const isOfHost = ({ summary }: { readonly summary: string }) => summary === "Host does not answer";
  const ui = readUiLines({
    subjects,
    read: diagnosticReader(configuration, subjects, isOfHost),
    events: (event) => events.push(event),
  });
  for (const line of lines) ui.add(typeof line === "string" ? line : JSON.stringify(line));
  return { ui, events };
}

const hook = (type: string, action: string) => ({
  type,
  hook: {
    resource: {
      addr: 'conn3x_file.web__a["h1"]',
      resource_type: "conn3x_file",
      resource_name: "web__a",
      resource_key: "h1",
    },
    action,
    id_key: "id",
    id_value: "/a",
  },
});
const diagnostic = (severity: string, summary: string, address?: string) => ({
  type: "diagnostic",
  diagnostic: { severity, summary, detail: "d", ...(address === undefined ? {} : { address }) },
});

test("hooks become events with the host and the step, and the time that passed", () => {
  const { events } = read(
    { type: "version", terraform: "1.11.4" },
    hook("apply_start", "update"),
    hook("apply_complete", "update"),
    hook("apply_start", "read"),
    hook("apply_errored", "delete"),
  );
  const subject = { address: 'conn3x_file.web__a["h1"]', circuit: "web", member: "a", host: "h1" };
  expect(events).toMatchObject([
    { kind: "apply_start", action: "update", subject },
    { kind: "apply_complete", action: "update", subject },
    { kind: "apply_errored", action: "delete", subject },
  ]);
  // An id has settings in it, which may be sensitive.
  expect(JSON.stringify(events)).not.toContain('"/a"');
  expect((events[1] as { elapsed: number }).elapsed).toBeGreaterThanOrEqual(0);
});

test("a diagnostic names host and place; about a whole host it comes once and without an instance", () => {
  const address = 'conn3x_file.web__a["h1"]';
  const { ui, events } = read(
    diagnostic("error", "No", address),
    diagnostic("warning", "Host does not answer", address),
    diagnostic("warning", "Host does not answer", address),
  );
  expect(ui.diagnostics).toMatchObject([
    { severity: "error", summary: "No", address, host: "h1", range: { start: expect.any(Number) } },
    { severity: "warning", summary: "Host does not answer", host: "h1" },
  ]);
  expect(ui.diagnostics[1]).not.toHaveProperty("address");
  expect(events).toHaveLength(2);
});

test("what the plan says itself, and what the user did, is no news", () => {
  const { ui } = read(
    diagnostic("warning", "Resource targeting is in effect"),
    diagnostic("warning", "Provider development overrides are in effect"),
    diagnostic("error", "execution halted"),
    diagnostic("error", "Resource targeting is in effect"),
  );
  expect(ui.diagnostics.map(({ severity }) => severity)).toEqual(["error"]);
});

test("outputs come from the end, and what is no JSON is kept", () => {
  const outputs = { a: { sensitive: false, type: "string", value: "x" } };
  const { ui } = read({ type: "outputs", outputs }, "panic: no", '{"type": 3}');
  expect(JSON.stringify(ui.outputs)).toBe(JSON.stringify(outputs));
  expect(ui.other).toEqual(["panic: no", '{"type": 3}']);
});

test("a line of a compiled file leads to the setting in the circuit, and what is about a host to no place", () => {
  const at = (code: string, summary = "Wrong") => ({
    type: "diagnostic",
    diagnostic: {
      ...diagnostic("warning", summary, 'conn3x_file.web__a["h1"]').diagnostic,
      range: { filename: "web.circuit.tf", start: { line: 4, byte: 50 }, end: { line: 4, byte: 52 } },
      snippet: { code, highlight_start_offset: 13, highlight_end_offset: 16 },
    },
  });
  // Compiled settings are aligned otherwise than those that a person wrote.
  const { ui } = read(at('  content       = "a"'), at('    content = "a"'), at("", "Host refused the login"));
  expect(ui.diagnostics.map(({ attribute, range }) => [attribute, range && lineOf(range)])).toEqual([
    [[{ attribute: "content" }], 5],
    [undefined, 2],
    [undefined, undefined],
  ]);
});

const lineOf = ({ file, start }: SourceRange): number => file.lineOf(start);
