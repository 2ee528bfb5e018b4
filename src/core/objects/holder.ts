/**
 * @module What is needed of an instance to find contradictions between instances.
 */
import type { SourceRange } from "../../diagnostics/source.ts";
import type { RealNames } from "../../resources/kind.ts";
import { ownershipOf } from "../../revision/ownership.ts";
import { fieldsOf } from "../../revision/proposal.ts";
import type { ResourceSchema } from "../../schema/schema.ts";
import type { MarkedPath } from "../../values/marks.ts";
import { at } from "../../values/path.ts";
import { isNull, type Value } from "../../values/value.ts";
import { getPath } from "../../values/walk.ts";

export interface Holder {
  readonly type: { readonly name: string; readonly schema: ResourceSchema };
  /** Without marks. */
  readonly planned: Value;
  /** Sensitive parts of it. */
  readonly marks: readonly MarkedPath[];
  /** Its address; where that is not known, what else it is called in messages. */
  readonly subject: { readonly address: string };
  /** How its resource is configured, and what it comes after. Undefined where only the object is known. */
  readonly loaded?:
    | {
        readonly resource: { readonly address: string; readonly range: SourceRange };
        readonly allAfter: readonly string[];
      }
    | undefined;
  /** Unset where nothing was decided yet. */
  readonly decision?: { readonly action: string };
  /** What its host calls its object, where that was looked at and is another name. */
  readonly realNames?: RealNames;
  /** See {@link wantedSettings}. Default: those of the planned object, all of whose values count as configured. */
  readonly wanted?: ReadonlySet<string>;
}

/** Equal sets are one: there are thousands of instances, and few combinations of settings of a kind. */
const known = new WeakMap<ResourceSchema, Map<string, ReadonlySet<string>>>();

/**
 * The settings that an instance brings back whenever they are otherwise on its host: those that are configured or have a
 * standard value, and what follows from them. Not what it leaves to others.
 */
export function wantedSettings(schema: ResourceSchema, config: Value): ReadonlySet<string> {
  const fields = fieldsOf(config);
  if (fields === undefined) return new Set();
  const { mode, ignore } = ownershipOf(fields);
  if (mode !== "enabled") return new Set();
  const attributes = Object.entries(schema.attributes);
  const isOurs = (name: string): boolean => {
    const value = fields.get(name);
    const standard = schema.attributes[name]?.standard;
    return !ignore.has(name) && value !== undefined && (!isNull(value) || standard !== undefined);
  };
  const names = attributes.flatMap(([name, { follows }]) =>
    isOurs(name) || follows?.some(isOurs) ? [name] : [],
  );
  const sets = known.get(schema) ?? new Map<string, ReadonlySet<string>>();
  known.set(schema, sets);
  const key = names.join(" ");
  const set = sets.get(key) ?? new Set(names);
  sets.set(key, set);
  return set;
}

export const isSkipped = (object: Value): boolean => getPath(object, at("skipped"))?.data === true;

/** Its name in a message, and where it is written. */
export function named({ subject, loaded }: Holder): string {
  const range = loaded?.resource.range;
  return range === undefined
    ? subject.address
    : `${subject.address} (${range.file.name}:${range.file.lineOf(range.start)})`;
}

/** Where a message about it points to. */
export function pointing({ subject: { address }, loaded }: Holder) {
  const range = loaded?.resource.range;
  return loaded === undefined ? {} : { address, ...(range === undefined ? {} : { range }) };
}
