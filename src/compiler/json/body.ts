/**
 * @module A configuration file in JSON → the tree that the same file in HCL gives.
 *
 * Source: HCL JSON Syntax Specification, "Structural Elements".
 */

import { type Diagnostic, errorDiagnostic } from "../../diagnostics/diagnostic.ts";
import { quoted } from "../../diagnostics/quoted.ts";
import type { Report } from "../../diagnostics/report.ts";
import type { SourceFile, SourceRange } from "../../diagnostics/source.ts";
import { brokenAt } from "../../hcl/parse/broken.ts";
import type { Attribute, Block, Body, Label } from "../../hcl/tree.ts";
import type { KindRegistry } from "../declare/declaration.ts";
import { buildAt } from "../lower/build.ts";
import { jsonExpression } from "./expression.ts";
import { attributeForm } from "./forms.ts";
import { parseJson } from "./parse.ts";
import { type Shape, shapeOf, topLevelShape } from "./shape.ts";
import type { JsonMember, JsonNode, JsonString } from "./tree.ts";

/** After errors the body has only what could be understood. */
export function parseJsonFile(
  file: SourceFile,
  kinds: KindRegistry,
): {
  readonly body: Body;
  /** Whether the file is not JSON. */
  readonly unclear: boolean;
  readonly diagnostics: readonly Diagnostic[];
} {
  const whole: SourceRange = { file, start: 0, end: file.text.length };
  const parsed = parseJson(file);
  if ("problem" in parsed)
    return { body: { items: [], ...whole }, unclear: true, diagnostics: [parsed.problem] };
  const diagnostics: Diagnostic[] = [];
  const context: Context = { kinds, report: (diagnostic) => void diagnostics.push(diagnostic) };
  const items = itemsOf(parsed.node, { type: "", path: [], shape: topLevelShape }, context);
  return { body: { items, ...whole }, unclear: false, diagnostics };
}

interface Context {
  readonly kinds: KindRegistry;
  readonly report: Report;
}

/** The block whose content is read. */
interface BlockContext {
  readonly type: string;
  /** Types and labels, outermost first. */
  readonly path: readonly string[];
  readonly shape: Shape;
}

function itemsOf(node: JsonNode, owner: BlockContext, context: Context): readonly (Attribute | Block)[] {
  const seen = new Set<string>();
  return membersOf(node, context).flatMap(({ key, value }): readonly (Attribute | Block)[] => {
    if (key.value === "//") return [];
    const labels = owner.shape(key.value, value);
    if (labels !== undefined) return blocks(key, value, labels, [], owner, context);
    if (seen.has(key.value)) {
      context.report(setTwice(key));
      return [];
    }
    seen.add(key.value);
    return [attribute(key, value, owner, context)];
  });
}

/** @param key of the later one */
export const setTwice = (key: JsonString): Diagnostic =>
  errorDiagnostic("Attribute set twice", `${quoted(key.value)} is set before. Delete one of them.`, {
    range: key,
  });

/** The members of an object, or of all objects in an array. */
function membersOf(node: JsonNode, { report }: Context): readonly JsonMember[] {
  const objects = node.kind === "array" ? node.items : [node];
  return objects.flatMap((object) => {
    if (object.kind === "object") return object.members;
    report(
      errorDiagnostic("Here there must be an object", "The content of a block is written as a JSON object.", {
        range: object,
      }),
    );
    return [];
  });
}

function attribute(key: JsonString, value: JsonNode, { type }: BlockContext, context: Context): Attribute {
  const bareHandler = key.value === "notify" && type === "step" && namesHandlers(value);
  const form = bareHandler ? "static" : attributeForm(type, key.value);
  let isUnderstood = true;
  const parsed = jsonExpression(value, form, (diagnostic) => {
    isUnderstood = false;
    context.report(diagnostic);
  });
  return {
    kind: "attribute",
    name: key.value,
    nameRange: key,
    expression: isUnderstood ? parsed : brokenAt(value),
    file: key.file,
    start: key.start,
    end: value.end,
  };
}

/** `["reload"]` instead of `["handler.reload"]` */
const namesHandlers = (value: JsonNode): boolean =>
  value.kind === "array" && value.items.every((item) => item.kind !== "string" || !item.value.includes("."));

function blocks(
  key: JsonString,
  value: JsonNode,
  missing: number,
  labels: readonly JsonString[],
  owner: BlockContext,
  context: Context,
): readonly Block[] {
  if (value.kind === "keyword" && value.value === null) return [];
  if (missing > 0) {
    return membersOf(value, context).flatMap((member) =>
      blocks(key, member.value, missing - 1, [...labels, member.key], owner, context),
    );
  }
  const contents = value.kind === "array" ? value.items : [value];
  return contents.map((content) => block(key, labels, content, owner, context));
}

function block(
  key: JsonString,
  labels: readonly JsonString[],
  content: JsonNode,
  owner: BlockContext,
  context: Context,
): Block {
  const { file } = key;
  const type = key.value;
  const path = [...owner.path, type, ...labels.map((label) => label.value)];
  const inside: BlockContext = { type, path, shape: shapeOf(type, path, context.kinds) };
  const name = labels.at(-1) ?? key;
  const header = { file, start: name.start, end: name.end };
  const body = { items: itemsOf(content, inside, context), file, start: content.start, end: content.end };
  return {
    ...buildAt(key).block(type, []),
    header,
    labels: labels.map(({ value, start, end }): Label => ({ value, quoted: true, file, start, end })),
    body,
    start: name.start,
    end: content.end,
  };
}
