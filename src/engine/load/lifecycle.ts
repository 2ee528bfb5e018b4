/**
 * @module A resource's `lifecycle` block, as far as this engine acts on it.
 */
import { type Diagnostic, errorDiagnostic } from "../../diagnostics/diagnostic.ts";
import type { Attribute, Body, Expression } from "../../hcl/tree.ts";

export interface Lifecycle {
  readonly preventDestroy: boolean;
  /** Names of attributes whose stored value stands for the configured one. */
  readonly ignoreChanges: readonly string[] | "all";
}

const plainLifecycle: Lifecycle = { preventDestroy: false, ignoreChanges: [] };

export function readLifecycle(body: Body | undefined, report: (diagnostic: Diagnostic) => void): Lifecycle {
  if (body === undefined) return plainLifecycle;
  let lifecycle = plainLifecycle;
  for (const item of body.items) {
    if (item.kind === "block") {
      report(unsupported(item.type, item.header));
    } else if (item.name === "prevent_destroy") {
      lifecycle = { ...lifecycle, preventDestroy: readFlag(item, report) };
    } else if (item.name === "ignore_changes") {
      lifecycle = { ...lifecycle, ignoreChanges: readNames(item, report) };
    } else if (item.name !== "create_before_destroy" || readFlag(item, report)) {
      report(unsupported(item.name, item.nameRange));
    }
  }
  return lifecycle;
}

function readFlag({ name, expression }: Attribute, report: (diagnostic: Diagnostic) => void): boolean {
  if (expression.kind === "keyword" && expression.value !== null) return expression.value;
  report(
    errorDiagnostic(`"${name}" is not a fixed value`, "It must be true or false, without any reference.", {
      range: expression,
    }),
  );
  return false;
}

function readNames(
  { expression }: Attribute,
  report: (diagnostic: Diagnostic) => void,
): Lifecycle["ignoreChanges"] {
  if (expression.kind === "variable" && expression.name === "all") return "all";
  const items: readonly Expression[] = expression.kind === "tuple" ? expression.items : [expression];
  return items.flatMap((item) => {
    if (item.kind === "variable") return [item.name];
    report(
      errorDiagnostic(
        '"ignore_changes" names something that cannot be ignored',
        "This version takes names of whole arguments, without quotes: ignore_changes = [mode, owner].",
        { range: item },
      ),
    );
    return [];
  });
}

const unsupported = (name: string, range: Diagnostic["range"]): Diagnostic =>
  errorDiagnostic(
    `"${name}" is not supported by this version`,
    `The embedded engine does not act on "${name}" in lifecycle yet. Remove it, or use -engine=tofu.`,
    range === undefined ? {} : { range },
  );
