/**
 * @module What happens in a run as lines of JSON in the form of OpenTofu's machine-readable UI, with host, step and our
 * reasons added.
 * Source: https://opentofu.org/docs/internals/machine-readable-ui/, and what `tofu plan -json` 1.12 prints.
 */
import type { Diagnostic } from "../../diagnostics/diagnostic.ts";
import { diagnosticJson } from "../../diagnostics/json.ts";
import type { ApplyOutcome } from "../../engine/apply-outcome.ts";
import type { Event, EventSubject } from "../../engine/event.ts";
import type { OutputChange, Plan, PlannedChange } from "../../engine/plan.ts";
import { formatAddress, moduleText, parseAddress, withoutDeposedKey } from "../../values/address.ts";
import { valuesEqual } from "../../values/equal.ts";
import { typeToJson } from "../../values/json.ts";
import { isMarked, type Value } from "../../values/value.ts";
import type { UrnOf } from "../instance-name.ts";
import { actionWord, reasonData, shortReason } from "./action-words.ts";
import { exactJson } from "./exact-json.ts";
import { objectText, plainText } from "./json-object.ts";

/** Version of the form of these lines. */
const uiVersion = "1.2";

/** Makes lines, each with its line end. */
export interface UiLines {
  version(version: string): string;
  diagnostic(diagnostic: Diagnostic): string;
  /** Drift and changes of a plan, its summary and outputs. */
  plan(plan: Plan): string;
  /** Undefined for an event that has no line. */
  event(event: Event): string | undefined;
  /** @param elapsed milliseconds */
  progress(subject: EventSubject, action: Acting, elapsed: number): string;
  outcome(plan: Plan, outcome: ApplyOutcome): string;
}

type Acting = Extract<Event, { kind: "apply_start" }>["action"];

/** @param now tests replace it */
export function uiLines(urnOf: UrnOf, now: () => Date = () => new Date()): UiLines {
  const line = (
    level: string,
    message: string,
    type: string,
    rest: Readonly<Record<string, string>>,
  ): string =>
    `${objectText({
      "@level": plainText(level),
      "@message": plainText(message),
      "@module": plainText("conn3x.ui"),
      "@timestamp": plainText(now().toISOString()),
      ...rest,
      type: plainText(type),
    })}\n`;
  const why = new Map<string, ReturnType<typeof reasonData>>();
  const change = (type: string, message: string, one: PlannedChange, action: string): string =>
    line("info", message, type, {
      change: plainText({
        resource: resourceData(one, urnOf),
        ...(one.movedFrom === undefined || type === "resource_drift"
          ? {}
          : { previous_resource: resourceData({ ...one, address: one.movedFrom }, urnOf) }),
        action,
        ...(shortReason(one) === undefined || type === "resource_drift" ? {} : { reason: shortReason(one) }),
        ...(one.importing === undefined || type === "resource_drift"
          ? {}
          : { importing: { id: one.importing } }),
        conn3x: reasonData(one),
      }),
    });
  const hook = (type: string, message: string, subject: EventSubject, more: object, level = "info"): string =>
    line(level, message, type, { hook: plainText({ resource: resourceData(subject, urnOf), ...more }) });
  return {
    version: (version) =>
      line("info", `Conn3x ${version}`, "version", { conn3x: plainText(version), ui: plainText(uiVersion) }),
    diagnostic: (diagnostic) =>
      line(
        diagnostic.severity === "error" ? "error" : "warn",
        `${diagnostic.severity === "error" ? "Error" : "Warning"}: ${diagnostic.summary}`,
        "diagnostic",
        { diagnostic: plainText(diagnosticJson(diagnostic)) },
      ),
    plan(plan) {
      for (const one of plan.changes)
        if (one.decision.action !== "none") why.set(one.address, reasonData(one));
      const lines: string[] = [];
      for (const one of plan.changes) {
        const gone = one.decision.reasons.some(({ kind }) => kind === "gone");
        if (one.decision.drift.length === 0 && !gone) continue;
        const action = gone ? "delete" : "update";
        lines.push(change("resource_drift", `${one.address}: Drift detected (${action})`, one, action));
      }
      for (const one of plan.changes) {
        const word = plannedWord(one);
        if (word === undefined) continue;
        lines.push(change("planned_change", `${one.address}: Plan to ${word}`, one, word));
      }
      const counts = plannedCounts(plan);
      const imports = counts.import === 0 ? "" : `${counts.import} to import, `;
      const text = `Plan: ${imports}${counts.add} to add, ${counts.change} to change, ${counts.remove} to destroy.`;
      lines.push(
        line("info", text, "change_summary", { changes: plainText({ ...counts, operation: "plan" }) }),
      );
      if (plan.outputs.length > 0) {
        lines.push(
          line("info", `Outputs: ${plan.outputs.length}`, "outputs", {
            outputs: plannedOutputs(plan.outputs),
          }),
        );
      }
      return lines.join("");
    },
    event(event) {
      switch (event.kind) {
        case "refresh_start":
        case "refresh_complete": {
          const what = event.kind === "refresh_start" ? "Refreshing state..." : "Refresh complete";
          const message = `${event.subject.address}: ${what}${idText(event)}`;
          return hook(event.kind, message, event.subject, idData(event));
        }
        case "apply_start": {
          const message = `${event.subject.address}${oldText(event)}: ${begins[event.action]}...${idText(event)}`;
          const conn3x = why.get(event.subject.address);
          const { action } = event;
          return hook(event.kind, message, event.subject, { action, ...idData(event), conn3x });
        }
        case "apply_complete": {
          const { action, elapsed, kept } = event;
          const elapsed_seconds = Math.round(elapsed / 1000);
          const message = `${event.subject.address}: ${ends[action]} complete after ${elapsed_seconds}s${idText(event)}`;
          return hook(event.kind, message, event.subject, {
            action,
            ...idData(event),
            elapsed_seconds,
            ...(kept ? { kept } : {}),
          });
        }
        case "apply_errored": {
          const elapsed_seconds = Math.round(event.elapsed / 1000);
          const message = `${event.subject.address}${oldText(event)}: ${ends[event.action]} errored after ${elapsed_seconds}s`;
          return hook(event.kind, message, event.subject, { action: event.action, elapsed_seconds }, "error");
        }
        case "apply_skipped": {
          const message = `${event.subject.address}: Not done: ${event.because}`;
          return hook(event.kind, message, event.subject, { reason: event.because }, "warn");
        }
        case "diagnostic":
          return undefined;
      }
    },
    progress(subject, action, elapsed) {
      const elapsed_seconds = Math.round(elapsed / 1000);
      const message = `${subject.address}: Still ${begins[action].toLowerCase()}... [${elapsed_seconds}s elapsed]`;
      return hook("apply_progress", message, subject, { action, elapsed_seconds });
    },
    outcome(plan, outcome) {
      const { created, updated, replaced, deleted, kept = 0, imported = 0, failed, notDone } = outcome;
      const operation = plan.mode === "destroy" ? "destroy" : "apply";
      const counts = {
        add: created + replaced,
        change: updated,
        import: imported,
        remove: deleted + replaced,
        forget: kept,
      };
      const title = `${operation === "destroy" ? "Destroy" : "Apply"} ${failed.length + notDone.length === 0 ? "complete!" : "incomplete:"}`;
      const imports = imported === 0 ? "" : `${imported} imported, `;
      const text = `${title} Resources: ${imports}${counts.add} added, ${counts.change} changed, ${counts.remove} destroyed.`;
      const changes = {
        ...counts,
        operation,
        conn3x: {
          created,
          updated,
          replaced,
          deleted,
          kept,
          failed: failed.map(({ address }) => address),
          not_done: notDone,
        },
      };
      const summary = line("info", text, "change_summary", { changes: plainText(changes) });
      const { outputs } = outcome;
      if (operation === "destroy") return summary;
      return `${summary}${line("info", `Outputs: ${outputs.size}`, "outputs", { outputs: storedOutputs(outputs) })}`;
    },
  };
}

/** As OpenTofu names what a replacement left. */
const oldText = ({ deposed }: { readonly deposed?: string }): string =>
  deposed === undefined ? "" : ` (deposed object ${deposed})`;

const begins: Record<Acting, string> = { create: "Creating", update: "Modifying", delete: "Destroying" };
const ends: Record<Acting, string> = { create: "Creation", update: "Modifications", delete: "Destruction" };

const idText = ({ id }: { readonly id?: string | undefined }): string =>
  id === undefined ? "" : ` [id=${id}]`;

const idData = ({ id }: { readonly id?: string | undefined }) =>
  id === undefined ? {} : { id_key: "id", id_value: id };

function resourceData({ address, host, circuit, member }: EventSubject, urnOf: UrnOf) {
  // Behind the address of what is only kept aside stands which one it is.
  const parsed = parseAddress(withoutDeposedKey(address));
  const resource = parsed === undefined ? address : formatAddress({ ...parsed, modules: [] });
  return {
    addr: address,
    module: parsed === undefined ? "" : moduleText(parsed),
    resource,
    implied_provider: "conn3x",
    resource_type: parsed?.type ?? "",
    resource_name: parsed?.name ?? "",
    resource_key: parsed?.key ?? null,
    ...(host === undefined ? {} : { host, circuit, step: member }),
    urn: urnOf(address),
  };
}

/** What a plan says of an instance; undefined for one that neither changes nor comes from elsewhere. */
function plannedWord({ decision, movedFrom, importing }: PlannedChange): string | undefined {
  if (decision.action !== "none") return actionWord[decision.action];
  if (importing !== undefined) return "import";
  return movedFrom === undefined ? undefined : "move";
}

function plannedCounts({ changes }: Plan) {
  const count = (...actions: readonly string[]): number =>
    changes.filter(({ decision }) => actions.includes(decision.action)).length;
  const kept = changes.filter(
    ({ decision }) => decision.action === "delete" && decision.keeps !== undefined,
  ).length;
  return {
    add: count("create", "replace"),
    change: count("update"),
    import: changes.filter(({ importing }) => importing !== undefined).length,
    remove: count("delete", "replace") - kept,
    forget: kept,
  };
}

const plannedOutputs = (outputs: readonly OutputChange[]): string =>
  plainText(
    Object.fromEntries(
      outputs.map(({ name, before, after, sensitive }) => [
        name,
        { sensitive, action: outputAction(before, after) },
      ]),
    ),
  );

function outputAction(before: Value | undefined, after: Value | undefined): string {
  if (before === undefined) return "create";
  if (after === undefined) return "delete";
  return before === after || valuesEqual(before, after) ? "noop" : "update";
}

/** A sensitive one has no value here, as in OpenTofu's lines. */
function storedOutputs(outputs: ReadonlyMap<string, Value>): string {
  const members = [...outputs].map(([name, value]) => {
    const sensitive = isMarked(value, "sensitive");
    const type = plainText(typeToJson(value.type));
    const shown = { sensitive: String(sensitive), type, value: sensitive ? undefined : exactJson(value) };
    return [name, objectText(shown)] as const;
  });
  return objectText(Object.fromEntries(members));
}
