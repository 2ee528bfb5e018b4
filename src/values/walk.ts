/**
 * @module Going through a value: what is inside it, at a path, and a copy with something changed.
 */
import { BigFloat } from "./big-float.ts";
import type { Path, PathStep } from "./path.ts";
import { sortedSet } from "./set-order.ts";
import { dynamicType, objectOf, type Type, tupleOf } from "./type.ts";
import { type Data, isUnknown, Unknown, type Value } from "./value.ts";

/** The elements or attributes, in the order in which they are held. A string, null or unknown has none. */
export function children({ data }: Value): Iterable<Value> {
  if (isElements(data)) return data;
  return isEntries(data) ? data.values() : [];
}

/** Whether data is that of a known list, set or tuple. */
export function isElements(data: Data): data is readonly Value[] {
  return Array.isArray(data);
}

/** Whether data is that of a known map or object. */
export function isEntries(data: Data): data is ReadonlyMap<string, Value> {
  return data instanceof Map;
}

/** Whether there is no unknown in the value, at any depth. */
export function isWhollyKnown(value: Value): boolean {
  if (isUnknown(value)) return false;
  for (const child of children(value)) if (!isWhollyKnown(child)) return false;
  return true;
}

/**
 * The value with each direct child replaced by what `change` gives for it; itself when nothing changed. An object's
 * and a tuple's type follow their parts; a collection's new elements must keep its element type. A set's elements
 * are addressed by their position in its order.
 */
export function rebuild(value: Value, change: (child: Value, step: PathStep) => Value): Value {
  const { type, data } = value;
  if (isElements(data)) {
    let same = true;
    const made = data.map((child, index) => {
      const replacement = change(child, { index });
      same &&= replacement === child;
      return replacement;
    });
    if (same) return value;
    return replaced(value, elementsType(type, made), type.kind === "set" ? sortedSet(made) : made);
  }
  if (!isEntries(data)) return value;
  let same = true;
  const made = new Map<string, Value>();
  for (const [name, child] of data) {
    const replacement = change(child, type.kind === "object" ? { attribute: name } : { key: name });
    same &&= replacement === child;
    made.set(name, replacement);
  }
  return same ? value : replaced(value, entriesType(type, made), made);
}

function replaced(value: Value, type: Type, data: Data): Value {
  return value.marks === undefined ? { type, data } : { type, data, marks: value.marks };
}

function elementsType(type: Type, elements: readonly Value[]): Type {
  if (type.kind !== "tuple" || elements.every((element, i) => element.type === type.elements[i])) return type;
  return tupleOf(elements.map((element) => element.type));
}

function entriesType(type: Type, entries: ReadonlyMap<string, Value>): Type {
  if (type.kind !== "object") return type;
  if ([...entries].every(([name, value]) => type.attributes[name] === value.type)) return type;
  return objectOf(Object.fromEntries([...entries].map(([name, value]) => [name, value.type])));
}

/** A copy in which every value, innermost first, is replaced by what `change` gives for it. */
export function transform(value: Value, change: (value: Value, path: Path) => Value, path: Path = []): Value {
  return change(
    rebuild(value, (child, step) => transform(child, change, [...path, step])),
    path,
  );
}

/**
 * What is at `path`. Undefined when there is no such place: a missing key, an index out of range, or a step into a
 * null. A step into an unknown gives an unknown of the type that would be there.
 */
export function getPath(value: Value, path: Path): Value | undefined {
  let at: Value | undefined = value;
  for (const step of path) {
    if (at === undefined) return undefined;
    at = getStep(at, step);
  }
  return at;
}

/** {@link getPath} for one step. A map's elements answer to attribute steps too, and an object's attributes to keys. */
export function getStep(value: Value, step: PathStep): Value | undefined {
  const { type, data } = value;
  if (data instanceof Unknown) {
    const inner = stepType(type, step);
    return inner === undefined ? undefined : { type: inner, data };
  }
  if (isElements(data)) return "index" in step ? data[step.index] : undefined;
  if (isEntries(data)) return "index" in step ? undefined : data.get(nameOf(step));
  return undefined;
}

function nameOf(step: Exclude<PathStep, { readonly index: number }>): string {
  return "attribute" in step ? step.attribute : step.key;
}

/** The type of what a step leads to, as far as the type alone says it. */
export function stepType(type: Type, step: PathStep): Type | undefined {
  switch (type.kind) {
    case "dynamic":
      return dynamicType;
    case "list":
    case "set":
      return "index" in step ? type.element : undefined;
    case "tuple":
      return "index" in step ? type.elements[step.index] : undefined;
    case "map":
      return "index" in step ? undefined : type.element;
    case "object": {
      if ("index" in step) return undefined;
      const name = nameOf(step);
      return Object.hasOwn(type.attributes, name) ? type.attributes[name] : undefined;
    }
    default:
      return undefined;
  }
}

/**
 * A copy with something else at `path`; the value itself when it has no such place. The replacement may be made from
 * what is there.
 */
export function setPath(value: Value, path: Path, replacement: Value | ((inner: Value) => Value)): Value {
  const [step, ...rest] = path;
  if (step === undefined) return typeof replacement === "function" ? replacement(value) : replacement;
  if (value.data === null || value.data instanceof Unknown || value.data instanceof BigFloat) return value;
  return rebuild(value, (child, at) => (sameStep(at, step) ? setPath(child, rest, replacement) : child));
}

function sameStep(a: PathStep, b: PathStep): boolean {
  if ("index" in a || "index" in b) return "index" in a && "index" in b && a.index === b.index;
  return nameOf(a) === nameOf(b);
}
