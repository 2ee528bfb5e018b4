/**
 * X11: what a defect of a kind says may have anything in it that the kind was given: nothing sensitive comes out of it,
 * whenever it happens, neither in what is shown nor in the trace.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { createProvider } from "../core/create-provider.ts";
import { scriptedSession } from "../core/testing/session.ts";
import { traceOf } from "../diagnostics/defect.ts";
import type { Kind, StepKind } from "../resources/kind.ts";
import { nothingToRead } from "../resources/nothing-to-read.ts";
import { hostResource, onRemove } from "../resources/settings.ts";
import { string } from "../schema/schema.ts";
import type { PlainObject } from "../values/plain.ts";
import type { Event } from "./event.ts";
import { startRun } from "./run.ts";
import { configurationOf } from "./testing/configuration.ts";

const secret = "pl4nted";
const text = { describe: "" };

const phases = ["check", "plan", "changed", "observe", "operate", "outcome", "remove"] as const;
type Phase = (typeof phases)[number];

/** A kind whose code breaks in one place, with what it was given in the message. */
function breaking(phase: () => Phase | undefined): Kind {
  const breakIn = (one: Phase, { content }: PlainObject): void => {
    if (phase() === one) throw new TypeError(`no such thing as ${content}`);
  };
  const kind: StepKind<null, null> = {
    role: "step",
    name: "breaking",
    type: "test_breaking",
    schema: hostResource("For tests.", {
      content: string({ ...text, required: true, observed: true }),
      on_remove: onRemove,
    }),
    id: { from: [], of: () => "it" },
    facts: nothingToRead,
    check: (object) => {
      breakIn("check", object);
      return [];
    },
    plan: (diff) => breakIn("plan", { content: diff.get("content") }),
    changed: (question) => {
      breakIn("changed", question.new);
      return question.changes.length > 0 ? "update" : "none";
    },
    observe: (_, object) => {
      breakIn("observe", object);
      return object;
    },
    operate: (want) => {
      breakIn("operate", want);
      return [];
    },
    outcome: (want) => {
      breakIn("outcome", want);
      return { attributes: {}, changed: true };
    },
    remove: (prior) => {
      breakIn("remove", prior);
      return [];
    },
  };
  return kind as unknown as Kind;
}

const configured = `
variable "secret" {
  sensitive = true
}
resource "test_breaking" "it" {
  content   = var.secret
  on_remove = "delete"
  ssh {
    address = "192.0.2.1"
  }
}
`;

test.each(phases)("X11: in %s", async (phase) => {
  const folder = mkdtempSync(join(tmpdir(), "conn3x-defect-"));
  let now: Phase | undefined;
  const kinds = new Map([["test_breaking", breaking(() => now)]]);
  const run = async (source: string, value: string): Promise<string> => {
    const events: Event[] = [];
    const session = scriptedSession();
    const made = await startRun({
      configuration: configurationOf(source),
      provider: createProvider({ kinds, sessions: { session: () => session, close: async () => undefined } }),
      variables: source === "" ? [] : [{ name: "secret", text: value, source: "-var" }],
      statePath: join(folder, "terraform.tfstate"),
      mode: "normal",
      refresh: true,
      lockTimeout: 0,
      events: (event) => events.push(event),
      parallelism: 1,
    });
    const outcome = made.plan && (await made.apply());
    await made.close();
    const said = [...made.diagnostics, ...(outcome?.diagnostics ?? [])];
    return JSON.stringify([events, said, said.map(traceOf)]);
  };
  try {
    await run(configured, `${secret}-old`);
    now = phase;
    const shown = await run(phase === "remove" ? "" : configured, `${secret}-new`);
    expect(shown).toContain("TypeError at breakIn");
    expect(shown).not.toContain("no such thing");
    expect(shown).not.toContain(secret);
  } finally {
    rmSync(folder, { recursive: true });
  }
});
