/**
 * @module The order of map keys and of a set's elements, which is visible wherever either becomes a list.
 *
 * cty's rules: strings by their UTF-8 bytes, numbers by value, false before true, unknowns and nulls last, and anything
 * else by a text that is made of it (cty calls it the set hash).
 */
import { BigFloat } from "./big-float.ts";
import { Unknown, type Value } from "./data.ts";
import { valuesEqual } from "./equal.ts";
import { goQuote } from "./go-quote.ts";

/** The order of two strings by their UTF-8 bytes, which is their order by code points. */
export function compareText(a: string, b: string): number {
  const length = Math.min(a.length, b.length);
  for (let i = 0; i < length; i++) {
    const left = a.charCodeAt(i);
    const right = b.charCodeAt(i);
    if (left !== right) return rank(left) - rank(right);
  }
  return a.length - b.length;
}

/** A code unit's rank in the order of code points: surrogates stand for code points above all others. */
function rank(unit: number): number {
  return unit >= 0xd800 && unit <= 0xdfff ? unit + 0x1_0000 : unit;
}

/** The entries of a map's or object's data by key, in the order in which OpenTofu visits them. */
export function sortedEntries(data: ReadonlyMap<string, Value>): readonly (readonly [string, Value])[] {
  return sortUnlessSorted([...data], (a, b) => compareText(a[0], b[0]));
}

/**
 * The elements without duplicates, in order. All of them have the same type. Unknown elements are never duplicates of
 * each other.
 *
 * @returns a new array
 */
export function sortedSet(elements: readonly Value[]): readonly Value[] {
  return sortUnlessSorted(distinctValues(elements), compareElements);
}

/**
 * The elements without duplicates, in the order of their first occurrence. Takes time linear in their number. Unknown
 * elements are never duplicates of each other.
 *
 * @returns a new array
 */
export function distinctValues(elements: readonly Value[]): Value[] {
  return elements.every(isPrimitive) ? distinctPrimitives(elements) : distinctByKey(elements);
}

/** A test for being equal to one of the elements, which are wholly known. Each test takes the same short time. */
export function membership(elements: readonly Value[]): (value: Value) => boolean {
  const buckets = new Map<string, Value[]>();
  for (const element of elements) {
    const key = orderKey(element);
    const bucket = buckets.get(key);
    if (bucket === undefined) buckets.set(key, [element]);
    else bucket.push(element);
  }
  return (value) => buckets.get(orderKey(value))?.some((element) => valuesEqual(element, value)) ?? false;
}

function isPrimitive(value: Value): boolean {
  return typeof value.data === "string" || typeof value.data === "boolean" || value.data instanceof BigFloat;
}

function distinctPrimitives(elements: readonly Value[]): Value[] {
  const seen = new Map<unknown, Value>();
  for (const element of elements) {
    const key = element.data instanceof BigFloat ? numberKey(element.data) : element.data;
    if (!seen.has(key)) seen.set(key, element);
  }
  return [...seen.values()];
}

/** Small integers as themselves, because making their text for every comparison would be slow. */
function numberKey(number: BigFloat): unknown {
  const double = number.toNumber();
  return Number.isSafeInteger(double) && number.isInteger ? double : `${number.withPrecision(512)}`;
}

function distinctByKey(elements: readonly Value[]): Value[] {
  const buckets = new Map<string, Value[]>();
  const distinct: Value[] = [];
  for (const element of elements) {
    const key = orderKey(element);
    const bucket = buckets.get(key);
    if (bucket === undefined) buckets.set(key, [element]);
    else if (holdsUnknown(element) || !bucket.some((other) => valuesEqual(element, other)))
      bucket.push(element);
    else continue;
    distinct.push(element);
  }
  return distinct;
}

function holdsUnknown({ data }: Value): boolean {
  if (data instanceof Unknown) return true;
  if (Array.isArray(data)) return data.some(holdsUnknown);
  return data instanceof Map && [...data.values()].some(holdsUnknown);
}

function compareElements(a: Value, b: Value): number {
  if (a.data instanceof BigFloat && b.data instanceof BigFloat) return a.data.compare(b.data);
  if (typeof a.data === "string" && typeof b.data === "string") return compareText(a.data, b.data);
  if (typeof a.data === "boolean" && typeof b.data === "boolean") return Number(a.data) - Number(b.data);
  const absence = absenceRank(a) - absenceRank(b);
  return absence !== 0 ? absence : compareText(orderKey(a), orderKey(b));
}

function absenceRank(value: Value): number {
  return value.data === null ? 2 : value.data instanceof Unknown ? 1 : 0;
}

/** The text that cty orders elements of other types by. Two equal values have the same one. */
function orderKey({ type, data }: Value): string {
  if (data instanceof Unknown) return "?";
  if (data === null) return "~";
  if (typeof data === "boolean") return data ? "T" : "F";
  if (typeof data === "string") return goQuote(data);
  if (data instanceof BigFloat) return tenDigits(data);
  if (data instanceof Map) {
    const entries = sortedEntries(data);
    if (type.kind === "object") return `<${entries.map(([, value]) => `${orderKey(value)};`).join("")}>`;
    return `{${entries.map(([key, value]) => `${goQuote(key)}:${orderKey(value)};`).join("")}}`;
  }
  const elements = (data as readonly Value[]).map((element) => `${orderKey(element)};`).join("");
  return type.kind === "tuple" ? `<${elements}>` : `[${elements}]`;
}

/** A number as Go's `%.10g` writes it. */
function tenDigits(number: BigFloat): string {
  if (!number.isFinite) return number.toString();
  const [mantissa = "", power = "0"] = number.toNumber().toExponential(9).split("e");
  const exponent = Number(power);
  const digits = mantissa.replace(/[-.]/g, "").replace(/0+$/, "") || "0";
  const sign = mantissa.startsWith("-") ? "-" : "";
  if (exponent < -4 || exponent >= 10) {
    const fraction = digits.length > 1 ? `.${digits.slice(1)}` : "";
    const size = String(Math.abs(exponent)).padStart(2, "0");
    return `${sign}${digits[0]}${fraction}e${exponent < 0 ? "-" : "+"}${size}`;
  }
  if (exponent < 0) return `${sign}0.${"0".repeat(-exponent - 1)}${digits}`;
  const whole = digits.slice(0, exponent + 1).padEnd(exponent + 1, "0");
  const fraction = digits.slice(exponent + 1);
  return sign + whole + (fraction === "" ? "" : `.${fraction}`);
}

/** Sorts in place; most of what comes here is in order already, and finding that out is cheap. */
function sortUnlessSorted<T>(items: T[], compare: (a: T, b: T) => number): T[] {
  for (let i = 1; i < items.length; i++) {
    if (compare(items[i - 1]!, items[i]!) > 0) return items.sort(compare);
  }
  return items;
}
