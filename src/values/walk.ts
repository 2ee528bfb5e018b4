/**
 * @module Access to the parts of a value: its children, what is at a path, and copies with a part changed.
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

/** Whether no number in the value, at any depth, is an infinity: those can be computed, but neither stored nor sent. */
export function isWhollyFinite(value: Value): boolean {
  if (value.data instanceof BigFloat) return value.data.isFinite;
  for (const child of children(value)) if (!isWhollyFinite(child)) return false;
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
    let made: Value[] | undefined;
    for (const [index, child] of data.entries()) {
      const replacement = change(child, { index });
      if (replacement === child) continue;
      made ??= [...data];
      made[index] = replacement;
    }
    return made === undefined ? value : withElements(value, made);
  }
  if (!isEntries(data)) return value;
  let made: Map<string, Value> | undefined;
  for (const [name, child] of data) {
    const replacement = change(child, type.kind === "object" ? { attribute: name } : { key: name });
    if (replacement === child) continue;
    made ??= new Map(data);
    made.set(name, replacement);
  }
  return made === undefined ? value : withEntries(value, made);
}

const withElements = (value: Value, made: readonly Value[]): Value =>
  replaced(value, elementsType(value.type, made), value.type.kind === "set" ? sortedSet(made) : made);

const withEntries = (value: Value, made: ReadonlyMap<string, Value>): Value =>
  replaced(value, entriesType(value.type, made), made);

function replaced(value: Value, type: Type, data: Data): Value {
  return value.marks === undefined ? { type, data } : { type, data, marks: value.marks };
}

function elementsType(type: Type, elements: readonly Value[]): Type {
  if (type.kind !== "tuple" || elements.every((element, i) => element.type === type.elements[i])) return type;
  return tupleOf(elements.map((element) => element.type));
}

function entriesType(type: Type, entries: ReadonlyMap<string, Value>): Type {
  if (type.kind !== "object") return type;
  for (const [name, value] of entries) {
    if (type.attributes[name] !== value.type) return objectOf(typesOf(entries));
  }
  return type;
}

const typesOf = (entries: ReadonlyMap<string, Value>): Readonly<Record<string, Type>> =>
  Object.fromEntries([...entries].map(([name, value]) => [name, value.type]));

/**
 * What is at `path`. Undefined when there is no such path: a missing key, an index out of range, or a step into a
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
 * A copy with something else at `path`; the value itself when it has no such path. The replacement may be made from
 * what is there.
 */
export function setPath(value: Value, path: Path, replacement: Value | ((inner: Value) => Value)): Value {
  const [step, ...rest] = path;
  if (step === undefined) return typeof replacement === "function" ? replacement(value) : replacement;
  if (value.data instanceof Unknown) return value;
  const child = getStep(value, step);
  if (child === undefined) return value;
  const inner = setPath(child, rest, replacement);
  return inner === child ? value : withChild(value, step, inner, inner.type === child.type);
}

/** The value with another child at a step that leads to one; `same`: of the same type. */
function withChild(value: Value, step: PathStep, child: Value, same: boolean): Value {
  const { data, type } = value;
  if ("index" in step) {
    return isElements(data) ? withElements(value, data.with(step.index, child)) : value;
  }
  if (!isEntries(data)) return value;
  const made = new Map(data).set(nameOf(step), child);
  return same ? replaced(value, type, made) : withEntries(value, made);
}
