/**
 * @module Blocks that may stand any number of times, as they are or made by `dynamic`, as one list.
 *
 * Source: OpenTofu's documentation, "dynamic Blocks".
 */

import { readDynamic, typeOfBlocks } from "../../../compiler/index.ts";
import { type Diagnostic, errorDiagnostic } from "../../../diagnostics/diagnostic.ts";
import type { Report } from "../../../diagnostics/report.ts";
import type { SourceRange } from "../../../diagnostics/source.ts";
import { evaluate } from "../../../eval/evaluate.ts";
import { itemsOf } from "../../../eval/iteration.ts";
import { innerScope, type Scope } from "../../../eval/scope.ts";
import type { Block, Body, Expression, For } from "../../../hcl/tree.ts";
import { type BlockSchema, blockType } from "../../../schema/schema.ts";
import { withMarks } from "../../../values/marks.ts";
import { type Mark, objectValue, unknownValue, type Value } from "../../../values/value.ts";

/** Gives a part of an object in one scope. */
export type Reader = (scope: Scope, report: Report) => Value;

/** What reads the body of one block. */
interface Decoder {
  readonly problems: readonly Diagnostic[];
  readonly expressions: readonly Expression[];
  readonly decode: Reader;
}

export type DecodeBody = (body: Body, schema: BlockSchema, owner: SourceRange) => Decoder;

/** One block, or one `dynamic` that stands for several. */
export interface BlockPart extends Pick<Decoder, "problems" | "expressions"> {
  /** The block's type, `dynamic` aside. */
  readonly type: string;
  /** The objects that it adds to the list; undefined while it is not known how many they are. */
  elements(
    scope: Scope,
    report: Report,
  ): { readonly values: readonly Value[] | undefined; readonly marks: Iterable<Mark> };
}

/** Whether the item is, or makes, blocks that may be repeated here. */
export const isRepeated = ({ blocks }: BlockSchema, item: Block): boolean => {
  const type = typeOfBlocks(item);
  return Object.hasOwn(blocks, type) && blocks[type]!.repeated === true;
};

/** @returns undefined for what cannot be read, which was added to the problems */
export function blockPart(
  item: Block,
  schema: BlockSchema,
  decodeBody: DecodeBody,
  problems: Diagnostic[],
): BlockPart | undefined {
  if (item.type === "dynamic") return dynamicPart(item, schema, decodeBody, problems);
  const decoder = decodeBody(item.body, schema.blocks[item.type]!, item.header);
  const { problems: own, expressions } = decoder;
  return {
    type: item.type,
    problems: own,
    expressions,
    elements: (scope, report) => ({ values: [decoder.decode(scope, report)], marks: [] }),
  };
}

/** The list of all blocks of one type. */
export function repeatedReader(block: BlockSchema, parts: readonly BlockPart[]): Reader {
  const type = blockType(block);
  return (scope, report) => {
    const read = parts.map((part) => part.elements(scope, report));
    const marks = read.flatMap((one) => [...one.marks]);
    const known = read.every(({ values }) => values !== undefined);
    const list: Value = known ? { type, data: read.flatMap(({ values }) => values!) } : unknownValue(type);
    return marks.length === 0 ? list : withMarks(list, marks);
  };
}

function dynamicPart(
  item: Block,
  schema: BlockSchema,
  decodeBody: DecodeBody,
  problems: Diagnostic[],
): BlockPart | undefined {
  const read = readDynamic(item, (problem) => problems.push(problem));
  if (read === undefined) return undefined;
  const { type, forEach, iterator, content } = read;
  const decoder = decodeBody(content.body, schema.blocks[type]!, content.header);
  return {
    type,
    problems: decoder.problems,
    expressions: [iteration(forEach, iterator, decoder.expressions)],
    elements(scope, report) {
      const { value: collection, diagnostics } = evaluate(forEach, scope);
      for (const diagnostic of diagnostics) report(diagnostic);
      const items = itemsIn(collection, forEach, report);
      const values = items?.map(({ key, value }) => {
        const each = objectValue(
          new Map([
            ["key", key],
            ["value", value],
          ]),
        );
        return decoder.decode(innerScope(scope, new Map([[iterator, each]])), report);
      });
      return { values, marks: collection.marks ?? [] };
    },
  };
}

/** What it refers to: as in a `for`, whose variable is none of the names around it. */
const iteration = (collection: Expression, name: string, contents: readonly Expression[]): For => {
  const { file, start, end } = collection;
  return {
    kind: "for",
    keyName: undefined,
    valueName: name,
    collection,
    key: undefined,
    value: { kind: "tuple", items: contents, file, start, end },
    condition: undefined,
    grouped: false,
    file,
    start,
    end,
  };
};

function itemsIn(collection: Value, range: Expression, report: Report) {
  const iterable = ["list", "set", "tuple", "map", "object", "dynamic"].includes(collection.type.kind);
  if (collection.data !== null && iterable) return itemsOf(collection);
  report(
    errorDiagnostic(
      '"for_each" is no collection',
      "A dynamic block is made for the elements of a list, set, map or object; null is none.",
      { range },
    ),
  );
  return undefined;
}
