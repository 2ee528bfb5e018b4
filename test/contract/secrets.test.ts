/**
 * What a sensitive setting does to what is shown: nothing that a host says about it comes out, whatever says it.
 */
import { readFileSync } from "node:fs";
import { afterEach, beforeEach, expect, test } from "vitest";
import { selectInstances, storedInstances, storedValue } from "../../src/cli/state/stored.ts";
import { readState } from "../../src/engine/state/read-state.ts";
import { at } from "../../src/values/path.ts";
import { isMarked, type Value } from "../../src/values/value.ts";
import { getPath } from "../../src/values/walk.ts";
import { type Embedded, openEmbedded, saidIn } from "./embedded.ts";

let embedded: Embedded;
beforeEach(async () => {
  embedded = await openEmbedded();
});
afterEach(() => embedded.remove());

const before = `variable "pw" {
  default   = "t0ps3cret"
  sensitive = true
}
`;
const step = (body: string) => `step "one" {\n${body}\n}`;

test.each([
  [
    "a command that fails",
    step('command { run = "echo ${var.pw} >&2; exit 3" }'),
    "could not run the command: status 3",
  ],
  [
    "its script",
    step('command { script = "echo ${var.pw}; exit 3" }'),
    "could not run the command: status 3",
  ],
  [
    "a validation of what is sensitive",
    step('file {\n path = "FILE"\n content = var.pw\n validate = "cat %s >&2; false"\n}'),
    "did not pass its validation",
  ],
  [
    "a validation with something sensitive in it",
    step('file {\n path = "FILE"\n content = "x"\n validate = "echo ${var.pw} %s >&2; false"\n}'),
    "did not pass its validation",
  ],
  [
    "a wait for a command",
    step('wait_for {\n command = "echo ${var.pw} >&2; false"\n timeout = 1\n interval = 1\n}'),
    "waited 1 s",
  ],
])("%s tells nothing", async (_, circuit, said) => {
  const outcome = await embedded.apply(circuit.replace("FILE", `${embedded.host.root}/file`), { before });
  expect(outcome.failed).toHaveLength(1);
  expect(saidIn(embedded.events)).toContain(said);
  // The text of the configuration has it, and is not shown but where it is said.
  const reported = JSON.stringify([embedded.events, outcome.diagnostics], (key, value) =>
    key === "file" ? undefined : value,
  );
  expect(reported).not.toContain("t0ps3cret");
});

test("X11: what a handler's command prints is not shown either", async () => {
  const circuit = `step "one" {
    file {
      path    = "${embedded.host.root}/file"
      content = "x"
    }
    notify = [handler.tell]
  }
  handler "tell" {
    command { run = "echo \${var.pw} >&2; exit 3" }
  }`;
  const outcome = await embedded.apply(circuit, { before });
  expect(outcome.failed).toHaveLength(1);
  expect(saidIn(embedded.events)).toContain("status 3");
  expect(saidIn(embedded.events)).not.toContain("t0ps3cret");
});

test("X11: what a command printed that has something sensitive in it is sensitive", async () => {
  const circuit = step('command { run = "echo ${var.pw}; echo ${var.pw} >&2" }');
  const outputs = `output "shown" {
    value     = conn3x_command.web__one["h1"].stdout
    sensitive = true
  }`;
  const { failed, outputs: stored } = await embedded.apply(circuit, { before: before + outputs });
  expect(failed).toEqual([]);
  expect(stored.get("shown")?.data).toBe("t0ps3cret\n");
  const refused = embedded.apply(circuit, { before: before + outputs.replace("sensitive = true", "") });
  await expect(refused).rejects.toThrow("would show something sensitive");

  const { state } = readState(readFileSync(embedded.statePath, "utf8"), embedded.statePath);
  const [instance] = selectInstances(storedInstances(state!), ["conn3x_command.web__one"]).selected;
  const object = storedValue(instance!) as Value;
  for (const name of ["stdout", "stderr"])
    expect(isMarked(getPath(object, at(name))!, "sensitive")).toBe(true);
  expect(isMarked(getPath(object, at("exit_code"))!, "sensitive")).toBe(false);
});

test("without anything sensitive it is shown", async () => {
  await embedded.apply(step('command { run = "echo in the open >&2; exit 3" }'), { before });
  expect(saidIn(embedded.events)).toContain("in the open");
});
