/**
 * @module What happens in a run as lines of JSON in the form of OpenTofu's machine-readable UI, with host, step and our
 * reasons added.
 * Source: https://opentofu.org/docs/internals/machine-readable-ui/, and what `tofu plan -json` 1.12 prints.
 */
import type { Diagnostic } from "../../diagnostics/diagnostic.ts";
import { diagnosticJson } from "../../diagnostics/json.ts";
import type { ApplyOutcome, Plan } from "../../engine/index.ts";
import type { UrnOf } from "../state/instance-name.ts";
import { reasonData } from "./action-words.ts";
import { plainText } from "./json-object.ts";
import { type EventLines, eventLines } from "./ui-event-lines.ts";
import { lineAt } from "./ui-line.ts";
import { outcomeLines } from "./ui-outcome-lines.ts";
import { planLines } from "./ui-plan-lines.ts";

/** Version of the form of these lines. */
const uiVersion = "1.2";

/** Makes lines, each with its line end. */
export interface UiLines extends EventLines {
  version(version: string): string;
  diagnostic(diagnostic: Diagnostic): string;
  /** Drift and changes of a plan, its summary and outputs. */
  plan(plan: Plan): string;
  outcome(plan: Plan, outcome: ApplyOutcome): string;
}

/** @param now tests replace it */
export function uiLines(urnOf: UrnOf, now: () => Date = () => new Date()): UiLines {
  const line = lineAt(now);
  const why = new Map<string, ReturnType<typeof reasonData>>();
  return {
    ...eventLines(line, urnOf, why),
    version: (version) =>
      line("info", `Conn3x ${version}`, "version", { conn3x: plainText(version), ui: plainText(uiVersion) }),
    diagnostic(diagnostic) {
      const [level, word] = diagnostic.severity === "error" ? (["error", "Error"] as const) : warning;
      const reported = plainText(diagnosticJson(diagnostic));
      return line(level, `${word}: ${diagnostic.summary}`, "diagnostic", { diagnostic: reported });
    },
    plan(plan) {
      for (const one of plan.changes)
        if (one.decision.action !== "none") why.set(one.address, reasonData(one));
      return planLines(plan, line, urnOf);
    },
    outcome: (plan, outcome) => outcomeLines(plan, outcome, line),
  };
}

const warning = ["warn", "Warning"] as const;
