/**
 * @module The literal settings of a resource's `lifecycle` block.
 * Source: https://opentofu.org/docs/language/meta-arguments/lifecycle/
 */

import type { Condition } from "../../../compiler/index.ts";
import { type Diagnostic, errorDiagnostic } from "../../../diagnostics/diagnostic.ts";
import { nearest } from "../../../diagnostics/nearest.ts";
import type { Report } from "../../../diagnostics/report.ts";
import type { Attribute, Block, Body, Expression } from "../../../hcl/tree.ts";
import type { BlockSchema } from "../../../schema/schema.ts";
import { formatPath, type Path } from "../../../values/path.ts";
import { literalPath } from "../names/traversal.ts";
import { type ReplaceTrigger, readTriggers } from "./replace-triggers.ts";

export interface Lifecycle {
  readonly preventDestroy: boolean;
  /** As written here: a resource that one with it depends on is replaced so, too. */
  readonly createBeforeDestroy: boolean;
  /** Paths whose stored value stands for the configured one. */
  readonly ignoreChanges: readonly Path[] | "all";
  /** What a change of replaces each instance. */
  readonly replaceTriggeredBy: readonly ReplaceTrigger[];
  /** What must hold before anything is done about an instance. */
  readonly preconditions: readonly Condition[];
  /** What must hold of an instance when it is done: it is `self` in them. */
  readonly postconditions: readonly Condition[];
}

const plainLifecycle: Lifecycle = {
  preventDestroy: false,
  createBeforeDestroy: false,
  ignoreChanges: [],
  replaceTriggeredBy: [],
  preconditions: [],
  postconditions: [],
};

/**
 * @param schema of the resource's type
 * @param addresses of the configuration's resources
 */
export function readLifecycle(
  body: Body | undefined,
  schema: BlockSchema,
  addresses: ReadonlySet<string>,
  report: Report,
): Lifecycle {
  if (body === undefined) return plainLifecycle;
  let lifecycle = plainLifecycle;
  for (const item of body.items) {
    if (item.kind === "block") lifecycle = withCondition(lifecycle, item, report);
    else lifecycle = { ...lifecycle, ...readArgument(item, schema, addresses, report) };
  }
  return lifecycle;
}

/** The compiler has reported what it lacks. */
function withCondition(lifecycle: Lifecycle, block: Block, report: Report): Lifecycle {
  const [condition, message] = ["condition", "error_message"].map(
    (name) =>
      block.body.items.find((item): item is Attribute => item.kind === "attribute" && item.name === name)
        ?.expression,
  );
  const list = { precondition: "preconditions", postcondition: "postconditions" } as const;
  if (block.type !== "precondition" && block.type !== "postcondition") {
    report(unsupported(block.type, block.header));
    return lifecycle;
  }
  if (condition === undefined || message === undefined) return lifecycle;
  const name = list[block.type];
  return { ...lifecycle, [name]: [...lifecycle[name], { condition, message, range: block.header }] };
}

function readArgument(
  item: Attribute,
  schema: BlockSchema,
  addresses: ReadonlySet<string>,
  report: Report,
): Partial<Lifecycle> {
  switch (item.name) {
    case "prevent_destroy":
      return { preventDestroy: readFlag(item, report) };
    case "create_before_destroy":
      return { createBeforeDestroy: readFlag(item, report) };
    case "ignore_changes":
      return { ignoreChanges: readIgnored(item, schema, report) };
    case "replace_triggered_by":
      return { replaceTriggeredBy: readTriggers(item.expression, addresses, report) };
    default:
      report(unsupported(item.name, item.nameRange));
      return {};
  }
}

function readFlag({ name, expression }: Attribute, report: Report): boolean {
  if (expression.kind === "keyword" && expression.value !== null) return expression.value;
  report(
    errorDiagnostic(`"${name}" is not a fixed value`, "It must be true or false, without any reference.", {
      range: expression,
    }),
  );
  return false;
}

function readIgnored(
  { expression }: Attribute,
  schema: BlockSchema,
  report: Report,
): Lifecycle["ignoreChanges"] {
  if (expression.kind === "variable" && expression.name === "all") return "all";
  if (expression.kind !== "tuple") {
    report(notAllowedHere(expression, "It is a list, such as [mode, owner], or the word all."));
    return [];
  }
  return expression.items.flatMap((item) => {
    const path = literalPath(item);
    const why = path === undefined ? howToName : notThere(schema, path);
    if (why === undefined) return [path!];
    report(notAllowedHere(item, why));
    return [];
  });
}

const howToName = 'Arguments are named without quotes, and what is inside them so: environment["LOG_LEVEL"].';

/** Why a path leads nowhere in the schema; undefined where it leads somewhere. */
function notThere(schema: BlockSchema, path: Path): string | undefined {
  const [first, ...rest] = path;
  if (first === undefined || !("attribute" in first)) return howToName;
  const { attribute: name } = first;
  if (Object.hasOwn(schema.attributes, name)) return undefined;
  if (!Object.hasOwn(schema.blocks, name)) {
    const near = nearest(name, [...Object.keys(schema.attributes), ...Object.keys(schema.blocks)]);
    return `There is no argument ${name}.${near === undefined ? "" : ` Did you mean ${near}?`}`;
  }
  const block = schema.blocks[name]!;
  const inner = rest[0] !== undefined && "index" in rest[0] ? rest.slice(1) : rest;
  const why = inner.length === 0 ? undefined : notThere(block, inner);
  return why === undefined ? undefined : `In ${formatPath(path)}: ${why}`;
}

const notAllowedHere = (range: Expression, why: string): Diagnostic =>
  errorDiagnostic('"ignore_changes" names something that cannot be ignored', why, { range });

const unsupported = (name: string, range: Diagnostic["range"]): Diagnostic =>
  errorDiagnostic(
    `"${name}" is not supported by this version`,
    `The embedded engine does not act on "${name}" in lifecycle yet. Remove it, or use -engine=tofu.`,
    range === undefined ? {} : { range },
  );
