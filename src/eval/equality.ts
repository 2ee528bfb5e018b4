/**
 * @module The language's `==`: equal, not equal, or not known yet.
 */
import { valuesEqual } from "../values/equal.ts";
import { marksDeep } from "../values/marks.ts";
import { type Type, typeEquals } from "../values/type.ts";
import { type Mark, Unknown, type Value } from "../values/value.ts";
import { isElements, isEntries, isWhollyKnown } from "../values/walk.ts";

export interface Equality {
  /** Undefined when it depends on an unknown value. */
  readonly equal: boolean | undefined;
  /** The marks of everything that was compared. */
  readonly marks: ReadonlySet<Mark>;
}

/** Values of different types are different, `1` and `"1"` too; all nulls are equal. */
export function equalValues(a: Value, b: Value): Equality {
  return { equal: compare(a, b), marks: union(marksDeep(a), marksDeep(b)) };
}

function union(a: ReadonlySet<Mark>, b: ReadonlySet<Mark>): ReadonlySet<Mark> {
  return b.size === 0 ? a : new Set([...a, ...b]);
}

function compare(a: Value, b: Value): boolean | undefined {
  if (a.data === null || b.data === null) return compareWithNull(a, b);
  if (a.type.kind !== "dynamic" && b.type.kind !== "dynamic" && !mayBeSame(a.type, b.type)) return false;
  if (a.data instanceof Unknown || b.data instanceof Unknown) return compareUnknown(a, b);
  if (!typeEquals(a.type, b.type))
    return hasDynamic(a.type) || hasDynamic(b.type) ? compareParts(a, b) : false;
  if (a.type.kind === "set") {
    return isWhollyKnown(a) && isWhollyKnown(b) ? valuesEqual(a, b) : undefined;
  }
  return compareParts(a, b);
}

function compareWithNull(a: Value, b: Value): boolean | undefined {
  const other = a.data === null ? b : a;
  if (other.data === null) return true;
  if (!(other.data instanceof Unknown)) return false;
  return other.data.refinement?.notNull ? false : undefined;
}

/** Whether a known string differs from an unknown one because it lacks the known prefix of that. */
function compareUnknown(a: Value, b: Value): boolean | undefined {
  const [unknown, other] = a.data instanceof Unknown ? [a.data, b.data] : [b.data as Unknown, a.data];
  const prefix = unknown.refinement?.prefix;
  if (prefix !== undefined && typeof other === "string" && !other.startsWith(prefix)) return false;
  return undefined;
}

function compareParts(a: Value, b: Value): boolean | undefined {
  if (isElements(a.data) && isElements(b.data)) {
    if (a.data.length !== b.data.length) return false;
    const others = b.data;
    // In order: an unknown element hides what comes after it.
    for (const [i, element] of a.data.entries()) {
      const equal = compare(element, others[i]!);
      if (equal !== true) return equal;
    }
    return true;
  }
  if (isEntries(a.data) && isEntries(b.data)) {
    if (a.data.size !== b.data.size) return false;
    const results: (boolean | undefined)[] = [];
    for (const [name, value] of a.data) {
      const other = b.data.get(name);
      results.push(other === undefined ? false : compare(value, other));
    }
    return all(results);
  }
  return valuesEqual(a, b);
}

function all(results: readonly (boolean | undefined)[]): boolean | undefined {
  if (results.includes(false)) return false;
  return results.includes(undefined) ? undefined : true;
}

/** Whether the types are the same as far as they are known. */
function mayBeSame(a: Type, b: Type): boolean {
  if (a.kind === "dynamic" || b.kind === "dynamic") return true;
  if (a.kind !== b.kind) return false;
  if ("element" in a && "element" in b) return mayBeSame(a.element, b.element);
  if (a.kind === "tuple" && b.kind === "tuple") {
    return (
      a.elements.length === b.elements.length &&
      a.elements.every((type, i) => mayBeSame(type, b.elements[i]!))
    );
  }
  if (a.kind === "object" && b.kind === "object") {
    const names = Object.keys(a.attributes);
    return (
      names.length === Object.keys(b.attributes).length &&
      names.every(
        (name) => Object.hasOwn(b.attributes, name) && mayBeSame(a.attributes[name]!, b.attributes[name]!),
      )
    );
  }
  return true;
}

function hasDynamic(type: Type): boolean {
  if (type.kind === "dynamic") return true;
  if ("element" in type) return hasDynamic(type.element);
  if (type.kind === "tuple") return type.elements.some(hasDynamic);
  return type.kind === "object" && Object.values(type.attributes).some(hasDynamic);
}
