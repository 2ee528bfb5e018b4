/**
 * @module The differences between the four objects of one instance: configured, last applied, observed, planned.
 */
import { type BlockSchema, isConfigurable } from "../schema/schema.ts";
import { valuesEqual } from "../values/equal.ts";
import { at, type Path } from "../values/path.ts";
import { isNull, isUnknown } from "../values/value.ts";
import { differences } from "./compare.ts";
import type { PropertyChange } from "./decision.ts";
import { type Fields, sameMeaning, sameOnHost } from "./proposal.ts";
import { touchesHost } from "./revision.ts";

export interface Objects {
  readonly config: Fields;
  readonly prior: Fields;
  readonly applied: Fields;
  readonly planned: Fields;
  /** Settings that somebody else owns: they never count as edits. */
  readonly theirs: ReadonlySet<string>;
  /** Exact names of what settings had on the host when it was read last, where these are others than the values. */
  readonly exact?: ReadonlyMap<string, string>;
  /** Edits of settings whose values none of the objects has. */
  readonly writeOnlyEdits?: readonly PropertyChange[];
  /** Those of them that leave the host as it is. */
  readonly sameSecrets?: ReadonlySet<string>;
}

export interface Comparison {
  /** Last applied against configured. */
  readonly edits: readonly PropertyChange[];
  /** Last applied against observed. */
  readonly drift: readonly PropertyChange[];
  /**
   * Settings that count as edited although their values are the same, because what follows from them changed since the
   * last apply: a local file with other content under the same name.
   */
  readonly editedInside: readonly Path[];
  /** Drift that the planned object reverts. */
  readonly putBack: readonly PropertyChange[];
  readonly differs: boolean;
  readonly touchesHost: boolean;
}

export function compareObjects(schema: BlockSchema, objects: Objects): Comparison {
  const { prior, applied, planned, theirs, writeOnlyEdits = [] } = objects;
  const seen = settingNames(schema, objects).flatMap((name) => {
    const attribute = schema.attributes[name];
    const before = applied.get(name)!;
    const after = planned.get(name)!;
    const same = before === after || (attribute !== undefined && sameMeaning(attribute, before, after));
    return same ? [] : differences(before, after, at(name));
  });
  const edits = [...seen, ...writeOnlyEdits.filter(({ path }) => !theirs.has(topName(path)))];
  const drift = Object.keys(schema.attributes).flatMap((name) => {
    const [before, after] = [applied.get(name), prior.get(name)];
    return before === after ? [] : differences(before, after, at(name));
  });
  const putBack = drift.filter(({ path }) => {
    const name = topName(path);
    return !valuesEqual(prior.get(name)!, planned.get(name)!);
  });
  const respelled = respelledSettings(schema, objects);
  const editedInside = settingsEditedInside(schema, objects, edits);
  const changedSinceRead = [...planned].some(([name, value]) => !valuesEqual(value, prior.get(name)!));
  return {
    edits,
    editedInside,
    drift,
    putBack,
    differs: changedSinceRead || edits.length > 0 || editedInside.length > 0,
    touchesHost:
      touchesHost(schema, prior, inOldWords(planned, prior, respelled)) ||
      editedInside.length > 0 ||
      followerChanged(schema, applied, inOldWords(planned, prior, respelled)) ||
      edits.some(({ path }) => !respelled.has(topName(path)) && editTouchesHost(schema, path)),
  };
}

/** Settings that are said in other words than when they were last applied, and are on the host as they were then. */
function respelledSettings(
  schema: BlockSchema,
  { prior, applied, planned, exact, sameSecrets = new Set() }: Objects,
): ReadonlySet<string> {
  const names = Object.entries(schema.attributes).flatMap(([name, attribute]) => {
    const [before, after] = [applied.get(name)!, planned.get(name)!];
    const isOther = isConfigurable(attribute) && !valuesEqual(before, after);
    return isOther &&
      valuesEqual(before, prior.get(name)!) &&
      sameOnHost(attribute, before, after, exact?.get(name))
      ? [name]
      : [];
  });
  // A secret takes with it what shows whether it is there, and what shows its twin.
  const ofSecrets = [...sameSecrets].flatMap((name) => {
    const { writeOnly, twin } = schema.attributes[name]!;
    return [name, writeOnly, twin].filter((one) => one !== undefined);
  });
  return new Set([...names, ...ofSecrets]);
}

const inOldWords = (planned: Fields, prior: Fields, respelled: ReadonlySet<string>): Fields =>
  respelled.size === 0
    ? planned
    : new Map([...planned].map(([name, value]) => [name, respelled.has(name) ? prior.get(name)! : value]));

/** Whether what follows from settings is another than last applied, whatever the host shows by now. */
const followerChanged = (schema: BlockSchema, applied: Fields, planned: Fields): boolean =>
  Object.entries(schema.attributes).some(
    ([name, attribute]) =>
      attribute.observed === true &&
      attribute.follows !== undefined &&
      !isConfigurable(attribute) &&
      !valuesEqual(applied.get(name)!, planned.get(name)!),
  );

/**
 * Settings that can have been edited: those that the configuration sets, and those that it leaves out and nobody sets
 * instead. A setting that is left to the provider is not compared: every observed value is right.
 */
function settingNames(schema: BlockSchema, { config, theirs }: Objects): readonly string[] {
  const attributes = Object.entries(schema.attributes)
    .filter(
      ([name, attribute]) =>
        isConfigurable(attribute) && !theirs.has(name) && !(attribute.computed && isNull(config.get(name)!)),
    )
    .map(([name]) => name);
  return [...attributes, ...Object.keys(schema.blocks)];
}

/** The settings that a changed computed attribute follows from, if none of them is an edit by itself. */
function settingsEditedInside(
  schema: BlockSchema,
  { config, applied, planned, theirs }: Objects,
  edits: readonly PropertyChange[],
): readonly Path[] {
  const edited = new Set(edits.map(({ path }) => topName(path)));
  return Object.entries(schema.attributes).flatMap(([name, attribute]) => {
    const { follows = [] } = attribute;
    if (attribute.observed !== true || isConfigurable(attribute)) return [];
    const after = planned.get(name)!;
    const isSame = isUnknown(after) || valuesEqual(applied.get(name)!, after);
    if (isSame || follows.some((setting) => edited.has(setting))) return [];
    const isSet = (setting: string) => !isNull(config.get(setting)!) && !theirs.has(setting);
    return follows.filter(isSet).map((setting) => at(setting));
  });
}

/** Whether any edited setting has an effect on the host (C3), whatever the host's state. */
function editTouchesHost(schema: BlockSchema, path: Path): boolean {
  const [first, ...rest] = path;
  if (first === undefined) return schema.hostEffect ?? true;
  if (!("attribute" in first)) return true;
  const attribute = schema.attributes[first.attribute];
  if (attribute !== undefined) return attribute.hostEffect ?? true;
  const block = schema.blocks[first.attribute];
  if (block === undefined) return true;
  // A block that was added or removed as a whole is judged by the settings in it.
  return block.hostEffect !== false && rest.length > 0 && editTouchesHost(block, rest);
}

/** Name of the attribute or block at the root of a path. */
export function topName(path: Path): string {
  const first = path[0];
  return first !== undefined && "attribute" in first ? first.attribute : "";
}
