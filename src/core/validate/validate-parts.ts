/**
 * @module What no setting may hold, whatever it is for, and wherever in it: nothing where something is needed, numbers and
 * characters that would reach the host as something else. Unknown parts pass.
 */
import { type Diagnostic, errorDiagnostic } from "../../diagnostics/diagnostic.ts";
import { fieldsOf } from "../../revision/proposal.ts";
import { type AttributeSchema, type BlockSchema, isConfigurable } from "../../schema/schema.ts";
import { formatPath, type Path } from "../../values/path.ts";
import { toPlain } from "../../values/plain.ts";
import { isNull, isUnknown, type Value } from "../../values/value.ts";
import { isElements, isEntries, isWhollyFinite } from "../../values/walk.ts";

/** @returns the first thing that is wrong; undefined where nothing is */
export function unfitPart(attribute: AttributeSchema, value: Value, path: Path): Diagnostic | undefined {
  if (isNull(value))
    return attribute.required ? invalid(path, "is required, and its value here is null") : undefined;
  if (attribute.type.kind !== "dynamic") return unfit(value, path, attribute.anyCharacter === true);
  return isWhollyFinite(value) ? undefined : invalid(path, infinite);
}

/**
 * The same of all that can be set in a block and its inner ones.
 *
 * @returns the first thing that is wrong; undefined where nothing is
 */
export function unfitSetting(schema: BlockSchema, block: Value, path: Path = []): Diagnostic | undefined {
  if (isElements(block.data)) {
    return firstOf(block.data.entries(), ([index, one]) => unfitSetting(schema, one, [...path, { index }]));
  }
  const fields = fieldsOf(block);
  if (fields === undefined) return undefined;
  const inside = <S>(schemas: Readonly<Record<string, S>>, find: Finder<S>): Diagnostic | undefined =>
    firstOf(Object.entries(schemas), ([name, one]) =>
      find(one, fields.get(name)!, [...path, { attribute: name }]),
    );
  return (
    inside(schema.attributes, (one, value, attribute) =>
      isConfigurable(one) ? unfitPart(one, value, attribute) : undefined,
    ) ?? inside(schema.blocks, unfitSetting)
  );
}

type Finder<S> = (schema: S, value: Value, path: Path) => Diagnostic | undefined;

const infinite = "must be a finite number, and is an infinity";

function unfit(value: Value, path: Path, anyCharacter: boolean): Diagnostic | undefined {
  const { data } = value;
  if (isElements(data)) {
    return firstOf(data.entries(), ([index, element]) => {
      const attribute = [...path, { index }];
      return isNull(element)
        ? invalid(attribute, "must not be null")
        : unfit(element, attribute, anyCharacter);
    });
  }
  if (isEntries(data)) {
    return firstOf(data, ([key, inner]) => {
      const attribute = [...path, value.type.kind === "map" ? { key } : { attribute: key }];
      return hasNul(key) && !anyCharacter
        ? invalid(path, nul("keys"))
        : unfit(inner, attribute, anyCharacter);
    });
  }
  if (typeof data === "string") return hasNul(data) && !anyCharacter ? invalid(path, nul("it")) : undefined;
  return value.type.kind === "number" ? unfitNumber(value, path) : undefined;
}

/** Kinds reckon with doubles: larger numbers come as what they cannot be mixed with. */
function unfitNumber(value: Value, path: Path): Diagnostic | undefined {
  if (isUnknown(value)) return undefined;
  if (!isWhollyFinite(value)) return invalid(path, infinite);
  const plain = toPlain(value);
  return typeof plain === "number" && Number.isFinite(plain)
    ? undefined
    : invalid(path, "is too large a number");
}

/** A host's shell leaves it out, or ends the text at it. */
const hasNul = (text: string): boolean => text.includes("\0");
const nul = (where: string): string => `must not have the character NUL (\\u0000) in ${where}`;

function firstOf<T>(parts: Iterable<T>, find: (part: T) => Diagnostic | undefined): Diagnostic | undefined {
  for (const part of parts) {
    const found = find(part);
    if (found !== undefined) return found;
  }
  return undefined;
}

const invalid = (attribute: Path, what: string): Diagnostic =>
  errorDiagnostic("Invalid value", `${formatPath(attribute)} ${what}.`, { attribute });
