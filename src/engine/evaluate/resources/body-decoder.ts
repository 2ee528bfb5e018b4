/**
 * @module Configuration bodies → objects of a schema's type. What can be said of a body without evaluating it is said
 * once, not for each instance.
 */

import { type Diagnostic, errorDiagnostic } from "../../../diagnostics/diagnostic.ts";
import { nearest } from "../../../diagnostics/nearest.ts";
import type { Report } from "../../../diagnostics/report.ts";
import type { SourceRange } from "../../../diagnostics/source.ts";
import { evaluate } from "../../../eval/evaluate.ts";
import { type Scope, scopeOf } from "../../../eval/scope.ts";
import type { Attribute, Block, Body, Expression } from "../../../hcl/tree.ts";
import {
  type AttributeSchema,
  absentBlock,
  type BlockSchema,
  isConfigurable,
  schemaType,
} from "../../../schema/schema.ts";
import { convert, isConversionError } from "../../../values/convert.ts";
import { containsMark } from "../../../values/marks.ts";
import { formatPath } from "../../../values/path.ts";
import { nullValue, objectValue, unknownValue, type Value } from "../../../values/value.ts";
import { ephemeralRefused } from "../variables/ephemeral.ts";
import {
  type BlockPart,
  blockPart,
  type DecodeBody,
  isRepeated,
  type Reader,
  repeatedReader,
} from "./repeated-blocks.ts";

/** What becomes of an object that is read. */
export type Fate = "stored" | "used";

export interface BodyDecoder {
  /** What is wrong with the body whatever its expressions give. */
  readonly problems: readonly Diagnostic[];
  /** Every expression in it that is evaluated. */
  readonly expressions: readonly Expression[];
  /** The decoder of a nested block, where the body has that block. */
  readonly blocks: ReadonlyMap<string, BodyDecoder>;
  /**
   * The object: unset attributes and absent blocks null, and an unknown in place of what could not be evaluated.
   *
   * @param report gets what is wrong
   */
  decode(scope: Scope, report: Report): Value;
}

/**
 * @param body of a resource, a provider or a block in one
 * @param owner what messages point to where something is missing
 * @param fate whether the object is stored, so that ephemeral values may not be in it
 */
export function bodyDecoder(
  body: Body,
  schema: BlockSchema,
  owner: SourceRange,
  fate: Fate = "stored",
): BodyDecoder {
  const inside = (...of: Parameters<DecodeBody>): BodyDecoder => bodyDecoder(...of, fate);
  const problems: Diagnostic[] = [];
  const written = new Map<string, Attribute>();
  const blocks = new Map<string, BodyDecoder>();
  const repeated = new Map<string, BlockPart[]>();
  for (const item of body.items) {
    if (item.kind === "attribute") {
      if (Object.hasOwn(schema.attributes, item.name)) written.set(item.name, item);
      else problems.push(unexpectedAttribute(item, schema));
    } else if (isRepeated(schema, item)) {
      const part = blockPart(item, schema, inside, problems);
      if (part !== undefined) repeated.set(part.type, [...(repeated.get(part.type) ?? []), part]);
    } else if (!Object.hasOwn(schema.blocks, item.type)) {
      problems.push(unexpectedBlock(item, schema));
    } else if (blocks.has(item.type)) {
      problems.push(secondBlock(item));
    } else {
      blocks.set(item.type, inside(item.body, schema.blocks[item.type]!, item.header));
    }
  }
  const readers = Object.entries(schema.attributes).map(
    ([name, attribute]) =>
      [name, attributeReader(name, attribute, written.get(name), { owner, fate, problems })] as const,
  );
  for (const [name, block] of Object.entries(schema.blocks)) {
    const decoder = blocks.get(name);
    const parts = repeated.get(name);
    const absent = absentBlock(block);
    if (parts !== undefined) readers.push([name, repeatedReader(block, parts)]);
    else readers.push([name, decoder === undefined ? () => absent : decoder.decode]);
  }
  const inner = [...blocks.values(), ...[...repeated.values()].flat()];
  // Thousands of objects share their type, unless it follows from their values.
  const type = hasDynamic(schema) ? undefined : schemaType(schema);
  return {
    problems: [...problems, ...inner.flatMap((decoder) => decoder.problems)],
    expressions: [
      ...[...written.values()].map(({ expression }) => expression),
      ...inner.flatMap((decoder) => decoder.expressions),
    ],
    blocks,
    decode(scope, report) {
      const values = new Map<string, Value>();
      for (const [name, read] of readers) values.set(name, read(scope, report));
      return type === undefined ? objectValue(values) : { type, data: values };
    },
  };
}

const hasDynamic = ({ attributes, blocks }: BlockSchema): boolean =>
  Object.values(attributes).some(({ type }) => type.kind === "dynamic") ||
  Object.values(blocks).some(hasDynamic);

interface Reading {
  readonly owner: SourceRange;
  readonly fate: Fate;
  /** Takes what is wrong whatever the value is. */
  readonly problems: Diagnostic[];
}

function attributeReader(
  name: string,
  schema: AttributeSchema,
  attribute: Attribute | undefined,
  { owner, fate, problems }: Reading,
): Reader {
  if (attribute === undefined) {
    if (schema.required) problems.push(missingAttribute(name, owner));
    const absent = nullValue(schema.type);
    return () => absent;
  }
  if (!isConfigurable(schema)) {
    problems.push(computedAttribute(attribute));
    return () => nullValue(schema.type);
  }
  const { expression } = attribute;
  const read: Reader = (scope, report) => {
    const { value, diagnostics } = evaluate(expression, scope);
    for (const diagnostic of diagnostics) report(diagnostic);
    if (fate === "stored" && schema.writeOnly === undefined && containsMark(value, "ephemeral")) {
      report(ephemeralSetting(name, expression));
      return unknownValue(schema.type);
    }
    return fitting(name, value, schema, expression, report);
  };
  return isConstant(expression) ? once(read) : read;
}

const ephemeralSetting = (name: string, range: Expression): Diagnostic =>
  ephemeralRefused(
    `"${name}" is stored, and an ephemeral value is not. What takes such: secret_content of a file, the provider's configuration, and secrets of logins (private_key, password …) in circuits of the root module.`,
    range,
  );

/** The value in the attribute's type. */
function fitting(
  name: string,
  value: Value,
  schema: AttributeSchema,
  range: Expression,
  report: Report,
): Value {
  const converted = convert(value, schema.type);
  if (isConversionError(converted)) {
    const place = converted.path.length === 0 ? "" : ` at ${formatPath(converted.path)}`;
    report(
      errorDiagnostic(
        `"${name}" has a value of the wrong type`,
        `For "${name}"${place}: ${converted.error}.`,
        { range },
      ),
    );
    return unknownValue(schema.type);
  }
  if (schema.required && converted.value.data === null) {
    report(
      errorDiagnostic(`"${name}" must not be null`, `"${name}" is required, and its value here is null.`, {
        range,
      }),
    );
    return unknownValue(schema.type);
  }
  return converted.value;
}

/** An expression without names and calls gives the same for every instance. */
function isConstant(expression: Expression): boolean {
  switch (expression.kind) {
    case "number":
    case "keyword":
      return true;
    case "template":
      return expression.parts.every((part) => part.kind === "literal");
    case "parentheses":
      return isConstant(expression.inner);
    case "tuple":
      return expression.items.every(isConstant);
    default:
      return false;
  }
}

const nothing = scopeOf({});

function once(read: Reader): Reader {
  let found: Value | undefined;
  let problems: readonly Diagnostic[] = [];
  return (_scope, report) => {
    if (found === undefined) {
      const said: Diagnostic[] = [];
      found = read(nothing, (diagnostic) => said.push(diagnostic));
      problems = said;
    }
    for (const problem of problems) report(problem);
    return found;
  };
}

function unexpectedAttribute({ name, nameRange }: Attribute, schema: BlockSchema): Diagnostic {
  const settings = Object.keys(schema.attributes).filter((other) =>
    isConfigurable(schema.attributes[other]!),
  );
  const detail = Object.hasOwn(schema.blocks, name)
    ? `"${name}" is a block: write ${name} { … } without an equals sign.`
    : meant(name, settings);
  return errorDiagnostic(`"${name}" is not an argument here`, detail, { range: nameRange });
}

function unexpectedBlock({ type, header }: Block, schema: BlockSchema): Diagnostic {
  if (type === "dynamic") {
    return errorDiagnostic(
      '"dynamic" blocks are not supported by this version',
      "This block cannot be repeated: write the block itself, with null for what is not to be set.",
      { range: header },
    );
  }
  const detail = Object.hasOwn(schema.attributes, type)
    ? `"${type}" is an argument: write ${type} = …`
    : meant(type, Object.keys(schema.blocks));
  return errorDiagnostic(`"${type}" is not a block here`, detail, { range: header });
}

function meant(name: string, names: readonly string[]): string {
  const near = nearest(name, names);
  if (near !== undefined) return `Did you mean "${near}"?`;
  return names.length === 0 ? "There are none." : `There are: ${names.join(", ")}.`;
}

const secondBlock = ({ type, header }: Block): Diagnostic =>
  errorDiagnostic(`"${type}" is there twice`, `Only one "${type}" block may stand here.`, { range: header });

const missingAttribute = (name: string, range: SourceRange): Diagnostic =>
  errorDiagnostic(`"${name}" is missing`, `The argument "${name}" is required, and it is not set.`, {
    range,
  });

const computedAttribute = ({ name, nameRange }: Attribute): Diagnostic =>
  errorDiagnostic(`"${name}" cannot be set`, `"${name}" is found out by Conn3x itself.`, {
    range: nameRange,
  });
