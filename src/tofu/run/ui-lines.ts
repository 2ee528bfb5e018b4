/**
 * @module The engine's machine-readable output, a JSON object a line, as events.
 * Source: https://opentofu.org/docs/internals/machine-readable-ui/
 */
import type { Diagnostic } from "../../diagnostics/diagnostic.ts";
import { type Event, type EventSink, now } from "../../engine/index.ts";
import { parseJson } from "../../values/json/json-text.ts";
import type { Subjects } from "../plan/subjects.ts";
import type { ReadDiagnostic } from "../program/diagnostics.ts";
import { type Json, type JsonObject, keyAt, objectAt, textAt } from "../program/json.ts";
import { stateDump } from "./rescued-state.ts";

export interface UiLines {
  /** Takes the next line. One that is no JSON is kept: it is what went wrong before the engine could say so properly. */
  add(line: string): void;
  readonly diagnostics: readonly Diagnostic[];
  /** `{ name: { sensitive, type, value } }`, from the end of an apply. */
  readonly outputs: JsonObject;
  /** The state, where the engine could not store it: in the form of a state file. */
  readonly dumped: Json | undefined;
  /** Lines that were no JSON. */
  readonly other: readonly string[];
}

export interface UiOptions {
  readonly subjects: Subjects;
  readonly read: ReadDiagnostic;
  readonly events: EventSink;
}

type Acting = "create" | "update" | "delete";

export function readUiLines({ subjects, read, events }: UiOptions): UiLines {
  const diagnostics: Diagnostic[] = [];
  const other: string[] = [];
  const begun = new Map<string, number>();
  let outputs: JsonObject = {};
  let dumped: Json | undefined;

  const hook = (type: string, json: Json): Event | undefined => {
    const at = now();
    const resource = objectAt(json, "resource");
    const address = textAt(resource, "addr") ?? "";
    const subject = subjects({
      address,
      type: textAt(resource, "resource_type") ?? "",
      name: textAt(resource, "resource_name") ?? "",
      key: keyAt(resource, "resource_key"),
    });
    const action = actingOf(textAt(json, "action"));
    // No ids: they have settings in them, and the engine does not say here which of those are sensitive.
    if (type === "refresh_start" || type === "refresh_complete") return { kind: type, subject, at };
    if (action === undefined) return undefined;
    if (type === "apply_start") {
      begun.set(`${action} ${address}`, at);
      return { kind: type, subject, action, at };
    }
    const elapsed = at - (begun.get(`${action} ${address}`) ?? at);
    if (type === "apply_complete") return { kind: type, subject, action, at, elapsed };
    return type === "apply_errored" ? { kind: type, subject, action, at, elapsed } : undefined;
  };

  /** What is about a whole host comes with each of its instances. */
  const ofHosts = new Set<string>();
  const wasReportedOfHost = ({ address, severity, summary, detail, host }: Diagnostic): boolean => {
    if (address !== undefined || host === undefined) return false;
    const key = JSON.stringify([severity, summary, detail, host]);
    const reported = ofHosts.has(key);
    ofHosts.add(key);
    return reported;
  };

  return {
    diagnostics,
    other,
    get outputs() {
      return outputs;
    },
    get dumped() {
      return dumped;
    },
    add(line) {
      const json = tryParse(line);
      const type = textAt(json, "type");
      if (textAt(json, "@message") === stateDump) {
        dumped = objectAt(json, "state");
        return;
      }
      if (json === undefined || type === undefined) {
        other.push(line);
        return;
      }
      if (type === "diagnostic") {
        const diagnostic = read(objectAt(json, "diagnostic"));
        if (isNoNews(diagnostic) || wasReportedOfHost(diagnostic)) return;
        diagnostics.push(diagnostic);
        events({ kind: "diagnostic", diagnostic, at: now() });
      } else if (type === "outputs") {
        outputs = objectAt(json, "outputs");
      } else {
        const event = hook(type, objectAt(json, "hook"));
        if (event !== undefined) events(event);
      }
    },
  };
}

/** Only these count as actions; `read` and others do not. */
function actingOf(action: string | undefined): Acting | undefined {
  return action === "create" || action === "update" || action === "delete" ? action : undefined;
}

/**
 * That a provider is taken from a directory is the user's doing, that an apply was stopped too, and that a plan is about
 * a part only is said with the plan.
 */
const isNoNews = ({ severity, summary }: Diagnostic): boolean =>
  severity === "warning" ? oldNews.has(summary) : summary === "execution halted";

const oldNews: ReadonlySet<string> = new Set([
  "Provider development overrides are in effect",
  "Resource targeting is in effect",
  "Applied changes may be incomplete",
  // The plan says so of each.
  "Resource will be removed from the state",
  "Some objects will no longer be managed by Terraform",
]);

function tryParse(line: string): Json | undefined {
  try {
    return parseJson(line);
  } catch {
    return undefined;
  }
}
