/**
 * @module How a run is shown: as text for people, or as lines of JSON for programs.
 */

import { version } from "../../core/index.ts";
import type { Diagnostic } from "../../diagnostics/diagnostic.ts";
import {
  type ApplyOutcome,
  type EventSink,
  isComplete,
  type Plan,
  planHasChanges,
} from "../../engine/index.ts";
import type { Context } from "../command.ts";
import type { Options } from "../command-line/option.ts";
import type { SessionOption } from "../command-line/shared-options.ts";
import { uiLines } from "../json/ui-lines.ts";
import { outcomeMarkdown, planMarkdown } from "../render/markdown/plan-markdown.ts";
import { renderOutcome } from "../render/outcome.ts";
import { renderPlan } from "../render/plan.ts";
import { progressLine, stillLine } from "../render/progress.ts";
import { outputText } from "../render/state.ts";
import { urnsFor } from "../state/instance-name.ts";
import { openLive } from "./live.ts";
import { createReporter, type Reporter } from "./reporter.ts";
import { reportStillRunning } from "./still-running.ts";
import type { Terminal } from "./terminal.ts";

export interface View {
  readonly events: EventSink;
  readonly report: Reporter;
  /** Where other output goes meanwhile. */
  readonly terminal: Terminal;
  planned(plan: Plan): void;
  /** Acting on the plan begins. */
  acting(plan: Plan): void;
  applied(plan: Plan, outcome: ApplyOutcome): void;
  /** Ends what goes on by itself. */
  close(): void;
}

export function openView(context: Context<SessionOption>): View {
  if (context.options.flag("json")) return jsonView(context);
  return context.options.value("format") === "markdown" ? markdownView(context) : textView(context);
}

function textView({ terminal: plain, options }: Context<SessionOption>): View {
  const live = openLive(plain);
  const { terminal } = live;
  const compact = options.flag("compact-warnings");
  const report = createReporter(terminal, { compact });
  let reading = false;
  let spoke = false;
  const say = (line: string | undefined): void => {
    if (line === undefined) return;
    // What was said in between stands apart from the lines around it.
    terminal.out(spoke ? `\n${line}` : line);
    spoke = false;
  };
  const still = reportStillRunning((event, elapsed) => say(stillLine(event, elapsed, terminal)));
  return {
    report,
    terminal,
    events(event) {
      live.events(event);
      still.events(event);
      if (event.kind === "diagnostic") {
        report([event.diagnostic]);
        spoke = true;
      }
      // Reads are too many to be shown one by one.
      if (event.kind === "refresh_start" && !reading) {
        reading = true;
        terminal.out("Reading the hosts...\n");
      }
      say(progressLine(event, terminal));
    },
    planned: (plan) =>
      terminal.out(
        renderPlan(plan, {
          ...terminal,
          format: shownFormat(options),
          expand: options.flag("expand"),
          replaceSteps: options.flag("show-replace-steps"),
        }),
      ),
    acting(plan) {
      if (planHasChanges(plan)) terminal.out("\n");
      live.act(plan);
    },
    applied(plan, outcome) {
      live.close();
      still.close();
      terminal.out(renderOutcome(plan, outcome, terminal));
      // As with OpenTofu: not where something failed.
      if (isComplete(outcome) && outcome.outputs.size > 0)
        terminal.out(`\nOutputs:\n\n${outputText(outcome.outputs)}`);
    },
    close() {
      live.close();
      still.close();
    },
  };
}

/** The steps of a replacement are those of resources. */
const shownFormat = (options: Options<SessionOption>): "circuits" | "resources" =>
  options.value("format") === "resources" || options.flag("show-replace-steps") ? "resources" : "circuits";

/** Only the plan and the outcome are on standard output: what happens meanwhile is of no use in a comment. */
function markdownView({ terminal }: Context<SessionOption>): View {
  const warnings: Diagnostic[] = [];
  const write: Reporter = (diagnostics) => {
    warnings.push(...diagnostics.filter(({ severity }) => severity === "warning"));
    terminal.report(diagnostics.filter(({ severity }) => severity === "error"));
  };
  const report = createReporter({ report: write }, {});
  return {
    report,
    // What else is said is no part of the comment.
    terminal: { ...terminal, out: terminal.err, report },
    events(event) {
      if (event.kind === "diagnostic") report([event.diagnostic]);
    },
    planned: (plan) => terminal.out(planMarkdown(plan, warnings.splice(0))),
    acting: () => {},
    applied: (plan, outcome) => terminal.out(outcomeMarkdown(plan, outcome)),
    close: () => {},
  };
}

function jsonView({ terminal, options }: Context<SessionOption>): View {
  const lines = uiLines(urnsFor(options));
  const still = reportStillRunning(({ subject, action }, elapsed) =>
    terminal.json(lines.progress(subject, action, elapsed)),
  );
  const write: Reporter = (diagnostics) => {
    for (const diagnostic of diagnostics) terminal.json(lines.diagnostic(diagnostic));
  };
  const report = createReporter({ report: write }, { each: true });
  terminal.json(lines.version(version));
  return {
    report,
    terminal: { ...terminal, report },
    events(event) {
      if (event.kind === "diagnostic") report([event.diagnostic]);
      still.events(event);
      const line = lines.event(event);
      if (line !== undefined) terminal.json(line);
    },
    planned: (plan) => terminal.json(lines.plan(plan)),
    acting: () => {},
    applied: (plan, outcome) => terminal.json(lines.outcome(plan, outcome)),
    close: still.close,
  };
}
