/**
 * @module Reads a `step` block.
 */

import { errorDiagnostic } from "../../diagnostics/diagnostic.ts";
import type { Report } from "../../diagnostics/report.ts";
import type { Attribute, Block, Expression } from "../../hcl/tree.ts";
import { checkAttempts, checkDuration, checkFlag } from "../check/literal-values.ts";
import { literalString } from "../hosts/literal.ts";
import type { Retries } from "../model.ts";
import { type BodyRules, onlyOne, readBody } from "./body-reader.ts";
import type { KindRegistry, Notification, StepDeclaration } from "./declaration.ts";
import { declareKind } from "./kind.ts";
import { nameLabel } from "./labels.ts";
import { checkLifecycle } from "./lifecycle.ts";
import { referenceList } from "./reference-list.ts";
import { declareSsh } from "./ssh.ts";

const attributeNames = [
  "for_each",
  "when",
  "run_once",
  "run_on",
  "notify",
  "on_remove",
  "ignore_errors",
  "depends_on",
  "ssh",
];
const retrySettings = ["attempts", "interval"];
const blockTypes = ["ssh", "drift", "retries", "lifecycle"];

/** @returns undefined when the block has no usable name */
export function declareStep(block: Block, kinds: KindRegistry, report: Report): StepDeclaration | undefined {
  const name = nameLabel(block, "step", report);
  if (name === undefined) return undefined;
  const { attributes, blocks } = readBody(block.body, rulesFor(kinds), report);
  const ofType = (type: string) => blocks.filter((candidate) => candidate.type === type);
  const [forEach, notify, dependsOn] = ["for_each", "notify", "depends_on"].map((key) => attributes.get(key));
  const [lifecycle, drift, retries] = ["lifecycle", "drift", "retries"].map((type) =>
    onlyOne(ofType(type), "a step", report),
  );
  if (lifecycle !== undefined) checkLifecycle(lifecycle, report);
  const ignoreErrors = attributes.get("ignore_errors")?.expression;
  checkFlag("ignore_errors", ignoreErrors, report);
  return {
    name: name.value,
    nameRange: name,
    block,
    ...declareKind(
      block,
      "step",
      blocks.filter((candidate) => !blockTypes.includes(candidate.type)),
      kinds,
      report,
    ),
    ssh: declareSsh(attributes.get("ssh"), ofType("ssh"), "a step", report),
    forEach: forEach?.expression,
    when: attributes.get("when"),
    runOnce: runsOnce(attributes.get("run_once"), report),
    runOn: attributes.get("run_on")?.expression,
    drift,
    retries: retries === undefined ? undefined : declareRetries(retries, report),
    ignoreErrors,
    notify: notify === undefined ? [] : notifications(notify, report),
    onRemove: attributes.get("on_remove"),
    dependsOn: dependsOn === undefined ? [] : referenceList(dependsOn, report),
    lifecycle,
  };
}

function rulesFor(kinds: KindRegistry): BodyRules {
  const stepKinds = [...kinds.values()].filter((kind) => kind.role === "step").map((kind) => kind.name);
  const settings = new Map<string, string>();
  for (const kind of kinds.values()) {
    for (const setting of Object.keys(kind.schema.attributes)) {
      if (!settings.has(setting)) settings.set(setting, kind.name);
    }
  }
  return {
    where: "a step",
    attributes: attributeNames,
    // Null makes no keys.
    nullable: attributeNames.filter((name) => name !== "for_each"),
    blocks: blockTypes,
    otherBlocks: true,
    advice: (name) => {
      if (stepKinds.includes(name)) return `The kind of a step is a block: ${name} { … }.`;
      if (name === "count") return "To have several instances on a host use for_each.";
      if (settings.has(name)) return "It is a setting of the step's kind: move it into the kind's block.";
      return undefined;
    },
  };
}

/** Which instances there are depends on it, so it must be written out. */
function runsOnce(attribute: Attribute | undefined, report: Report): boolean {
  if (attribute === undefined) return false;
  const { expression } = attribute;
  if (expression.kind === "keyword" && expression.value !== null) return expression.value;
  report(
    errorDiagnostic(
      '"run_once" must be written out',
      "Write true or false: it decides what instances there are.",
      {
        range: expression,
      },
    ),
  );
  return false;
}

function declareRetries(block: Block, report: Report): Retries {
  const { attributes } = readBody(
    block.body,
    { where: "retries", attributes: retrySettings, nullable: retrySettings, blocks: [] },
    report,
  );
  const [attempts, interval] = ["attempts", "interval"].map((name) => attributes.get(name)?.expression);
  checkAttempts(attempts, report);
  checkDuration(interval, report);
  return { attempts, interval };
}

function notifications(notify: Attribute, report: Report): readonly Notification[] {
  const { expression } = notify;
  if (expression.kind !== "tuple") {
    report(
      errorDiagnostic(
        '"notify" is not a list',
        "Write the handlers in brackets: notify = [handler.reload].",
        { range: expression },
      ),
    );
    const meant = handlerNamed(expression);
    return meant === undefined ? [] : [{ handler: meant, range: expression, again: [] }];
  }
  const found = new Map<string, Notification>();
  for (const item of expression.items) {
    const handler = handlerNamed(item);
    if (handler === undefined) {
      report(
        errorDiagnostic(
          '"notify" holds something that is not a handler',
          'Name handlers of this circuit: handler.reload, or "reload".',
          { range: item },
        ),
      );
    } else {
      const first = found.get(handler);
      found.set(
        handler,
        first === undefined
          ? { handler, range: item, again: [] }
          : { ...first, again: [...first.again, item] },
      );
    }
  }
  return [...found.values()];
}

/** `handler.NAME` or `"NAME"` */
function handlerNamed(item: Expression): string | undefined {
  const text = literalString(item);
  if (text !== undefined) return text;
  return item.kind === "attributeAccess" && item.object.kind === "variable" && item.object.name === "handler"
    ? item.name
    : undefined;
}
