/**
 * @module What `ignore_changes` does: the stored value stands for the configured one.
 * Source: https://opentofu.org/docs/language/meta-arguments/lifecycle/#ignore_changes, and what `tofu plan` 1.12 does
 * with elements of maps that are on one side only.
 */
import { type BlockSchema, isConfigurable } from "../../schema/schema.ts";
import type { Path, PathStep } from "../../values/path.ts";
import { nullValue, objectValue, type Value } from "../../values/value.ts";
import { getStep, isEntries, rebuild } from "../../values/walk.ts";

/**
 * @param stored object of the schema's type
 * @returns the configured object with what is stored at these paths
 */
export function withStored(
  schema: BlockSchema,
  config: Value,
  stored: Value,
  ignored: readonly Path[] | "all",
): Value {
  if (ignored === "all") return asStored(schema, stored);
  return ignored.reduce((object, path) => take(object, stored, path), config);
}

/** All that is stored, but for what only the provider sets. */
function asStored(schema: BlockSchema, stored: Value): Value {
  const entries = [...(stored.data as ReadonlyMap<string, Value>)].map(([name, value]) => {
    const attribute = Object.hasOwn(schema.attributes, name) ? schema.attributes[name] : undefined;
    const isTheirs = attribute !== undefined && !isConfigurable(attribute);
    return [name, isTheirs ? nullValue(attribute.type) : value] as const;
  });
  return objectValue(new Map(entries));
}

/** The value with what `stored` has at `path`; itself where either has no such path. */
function take(value: Value, stored: Value, path: Path): Value {
  const [step, ...rest] = path;
  if (step === undefined) return stored;
  if (value.type.kind === "map" && rest.length === 0) return takeElement(value, stored, step);
  const inner = getStep(stored, step);
  if (inner === undefined) return value;
  return rebuild(value, (child, at) => (sameStep(at, step) ? take(child, inner, rest) : child));
}

/** An element of a map may be on one side only: it comes back, or stays away. */
function takeElement(map: Value, stored: Value, step: PathStep): Value {
  const name = nameOf(step);
  if (name === undefined || (map.data !== null && !isEntries(map.data))) return map;
  const entries = new Map(map.data === null ? [] : map.data);
  const before = isEntries(stored.data) ? stored.data.get(name) : undefined;
  if (before === undefined && !entries.has(name)) return map;
  if (before === undefined) entries.delete(name);
  else entries.set(name, before);
  return { ...map, data: entries };
}

const nameOf = (step: PathStep): string | undefined =>
  "attribute" in step ? step.attribute : "key" in step ? step.key : undefined;

function sameStep(a: PathStep, b: PathStep): boolean {
  return "index" in a || "index" in b
    ? "index" in a && "index" in b && a.index === b.index
    : nameOf(a) === nameOf(b);
}
