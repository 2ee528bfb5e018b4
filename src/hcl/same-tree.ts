/**
 * @module Whether two trees are the same apart from where they stand.
 */
import type { TemplatePart } from "./tree.ts";

const isPlace = (key: string): boolean =>
  key === "file" ||
  key === "start" ||
  key === "end" ||
  key === "nameRange" ||
  key === "typeRange" ||
  key === "header";

function same(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (typeof a !== "object" || typeof b !== "object" || a === null || b === null) return false;
  if (Array.isArray(a)) {
    return Array.isArray(b) && a.length === b.length && a.every((item, index) => same(item, b[index]));
  }
  const [left, right] = [a as Record<string, unknown>, b as Record<string, unknown>];
  const keys = new Set([...Object.keys(left), ...Object.keys(right)]);
  for (const key of keys) if (!isPlace(key) && !same(left[key], right[key])) return false;
  return true;
}

export const sameParts = (a: readonly TemplatePart[], b: readonly TemplatePart[]): boolean => same(a, b);
