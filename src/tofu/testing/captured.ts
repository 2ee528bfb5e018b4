/**
 * @module What real engines said, for tests: plans (`show -json`) and the lines of applies (`-json`) of OpenTofu 1.12.6 and
 * Terraform 1.11.4 with Conn3x's provider attached, and the circuit that they are about. What is null or empty in objects was
 * left out, and so was what nobody looks at.
 *
 * - `drift`, of a refresh: a file was edited and a link removed by hand.
 * - `replace`: the file gets another path, for which its handler runs again; a link is imported, and a directory forgotten.
 * - `create`: of a directory and a link, and the link fails.
 * - `destroy`: the directory and the link stay on their host.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { compileFiles } from "../../compiler/testing/compile-files.ts";
import { providerSchema } from "../../core/create-provider.ts";
import { SourceFile } from "../../diagnostics/source.ts";
import type { Event } from "../../engine/event.ts";
import type { Plan } from "../../engine/plan.ts";
import { kinds } from "../../resources/index.ts";
import { parseJsonParts } from "../../values/json/json-text.ts";
import { buildPlan } from "../plan/build-plan.ts";
import { knownConfiguration } from "../plan/known-configuration.ts";
import { planParts } from "../plan/plan-facts.ts";
import { subjectsOf } from "../plan/subjects.ts";
import { diagnosticReader } from "../program/diagnostics.ts";
import type { Streamed } from "../program/engine.ts";
import { createProviderLog, type ProviderLog } from "../provider/provider-log.ts";
import { readUiLines } from "../run/ui-lines.ts";

export const capturedEngines = ["tofu", "terraform"] as const;
export type CapturedEngine = (typeof capturedEngines)[number];

const circuit = `
circuit "web" {
  hosts = { web1 = "192.0.2.1" }
  step "kept" {
    directory {
      path = "/srv/kept"
    }
  }
  step "note" {
    file {
      path    = "/srv/note"
      content = sensitive("hello")
    }
    notify = [handler.restart]
  }
  step "page" {
    for_each = toset(["b"])
    link {
      path   = "/srv/page-\${each.key}"
      target = "note"
    }
  }
  handler "restart" {
    command {
      run = "true"
    }
  }
}
`;
const configuration = compileFiles([new SourceFile("main.circuit.hcl", circuit)], { kinds, directory: "." });
const { loaded } = knownConfiguration(configuration, []);
const subjects = subjectsOf(configuration);

const read = (name: string): string => readFileSync(join(import.meta.dirname, "captured", name), "utf8");

export function capturedPlan(
  engine: CapturedEngine,
  name: "drift" | "replace" | "create" | "destroy",
  log: ProviderLog = createProviderLog(),
): Plan {
  const mode = name === "drift" ? "refresh-only" : name === "destroy" ? "destroy" : "normal";
  const json = parseJsonParts(read(`${engine}-${name}-plan.json`), planParts(mode));
  const source = { configured: loaded, configuration: loaded.configuration, schema: providerSchema };
  return buildPlan(json, { ...source, mode, log, subjects });
}

/** @param status that the engine ended with */
export function capturedApply(
  engine: CapturedEngine,
  name: "replace" | "create" | "destroy",
  status = 0,
): { readonly events: readonly Event[]; readonly streamed: Streamed } {
  const events: Event[] = [];
  const lines = readUiLines({
    subjects,
    read: diagnosticReader(configuration, subjects),
    events: (event) => events.push(event),
  });
  for (const line of read(`${engine}-${name}-apply.jsonl`).trim().split("\n")) lines.add(line);
  return { events, streamed: { status, diagnostics: lines.diagnostics, outputs: lines.outputs } };
}
