/**
 * @module The private data of an instance: how the object was last applied where the host has
 * drifted from it since, whether the object was there before Conn3x, and which machine it is on.
 *
 * The plugin protocol gives a plan only the refreshed object, so without it edits could not be distinguished from drift.
 */
import { fieldsOf } from "../../revision/proposal.ts";
import type { ResourceSchema } from "../../schema/schema.ts";
import { valuesEqual } from "../../values/equal.ts";
import { fromJson, type Json, jsonText, parseJson, toJson } from "../../values/json/json.ts";
import { isJsonObject } from "../../values/json/json-text.ts";
import { objectValue, type Value } from "../../values/value.ts";

export interface PrivateData {
  /** Last applied values of the attributes that have drifted since, by name. */
  readonly applied: ReadonlyMap<string, Value>;
  /** Whether the object was on the host before the instance was created; undefined when that is not known. */
  readonly existedBefore: boolean | undefined;
  /** Whether the container of the object was created with it: the file of a line. */
  readonly holderMade?: boolean;
  /** For a planned create: `id` of the object. */
  readonly creating?: string;
  /** For a planned create: an interrupted run had begun it, so an existing object may be its work. */
  readonly begun?: boolean;
  /**
   * For a planned create that replaces an object: the private data of the old one. Core plans a replacement twice, keeps
   * the answer of the second plan, and passes it to the delete of the old object as well.
   */
  readonly replaced?: Uint8Array;
  /** The machine that it was created on, as `Machines.idOf` gives it; undefined when not known. */
  readonly machine?: string;
  /** Where it was read since it was applied, if that is not where it is stored to be: its host has another address now. */
  readonly readAt?: string;
  /** Slow hashes of what was last written of write-only settings, by name. */
  readonly secrets: ReadonlyMap<string, string>;
  /** Exact names of what settings have on the host, where these are others than the values. Absent: none. */
  readonly exact?: ReadonlyMap<string, string>;
  /** An update failed after it may have changed the host: the revision is renewed, whatever is found now. */
  readonly unsettled?: boolean;
  /** Names of what the plan showed to go besides: see `Going.shown`. */
  readonly shown?: readonly string[];
  /** The settings of `StepKind.claims` that the configuration has set. */
  readonly claimed?: readonly string[];
  /** It was imported and not applied since: a difference from the configuration is not an edit. */
  readonly imported?: boolean;
}

export const noPrivateData: PrivateData = {
  applied: new Map(),
  existedBefore: undefined,
  secrets: new Map(),
};

/** Bytes for whoever stores the instance. */
export function encodePrivate(schema: ResourceSchema, data: PrivateData): Uint8Array {
  const json: Record<string, Json> = {};
  if (data.existedBefore !== undefined) json.existed_before = data.existedBefore;
  if (data.holderMade === true) json.holder_made = true;
  if (data.creating !== undefined) json.creating = data.creating;
  if (data.begun === true) json.begun = true;
  if (data.replaced !== undefined) json.replaced = Buffer.from(data.replaced).toString("utf8");
  if (data.unsettled === true) json.unsettled = true;
  if (data.imported === true) json.imported = true;
  if (data.shown !== undefined) json.shown = [...data.shown];
  if (data.claimed !== undefined && data.claimed.length > 0) json.claimed = [...data.claimed];
  if (data.machine !== undefined) json.machine = data.machine;
  if (data.readAt !== undefined) json.read_at = data.readAt;
  if (data.secrets.size > 0) json.secrets = Object.fromEntries(data.secrets);
  if (data.exact !== undefined && data.exact.size > 0) json.exact = Object.fromEntries(data.exact);
  if (data.applied.size > 0) {
    json.applied = Object.fromEntries(
      [...data.applied].map(([name, value]) => [name, toJson(value, schema.attributes[name]!.type)]),
    );
  }
  return Object.keys(json).length === 0 ? new Uint8Array() : Buffer.from(jsonText(json), "utf8");
}

/** Data in an unknown form counts as none: it only serves to describe drift. */
export function decodePrivate(schema: ResourceSchema, bytes: Uint8Array): PrivateData {
  if (bytes.length === 0) return noPrivateData;
  const json = readJson(bytes);
  if (!isJsonObject(json)) return noPrivateData;
  const applied = new Map<string, Value>();
  for (const [name, inner] of Object.entries(isJsonObject(json.applied) ? json.applied : {})) {
    const attribute = schema.attributes[name];
    const value = attribute === undefined ? undefined : fromJson(inner, attribute.type);
    if (value !== undefined && "value" in value) applied.set(name, value.value);
  }
  const existed = json.existed_before;
  return {
    applied,
    existedBefore: typeof existed === "boolean" ? existed : undefined,
    secrets: textsIn(json.secrets),
    ...(json.exact === undefined ? {} : { exact: textsIn(json.exact) }),
    ...(json.holder_made === true ? { holderMade: true } : {}),
    ...(typeof json.creating === "string" ? { creating: json.creating } : {}),
    ...(json.begun === true ? { begun: true } : {}),
    ...(typeof json.replaced === "string" ? { replaced: Buffer.from(json.replaced, "utf8") } : {}),
    ...(json.unsettled === true ? { unsettled: true } : {}),
    ...(json.imported === true ? { imported: true } : {}),
    ...(typeof json.machine === "string" ? { machine: json.machine } : {}),
    ...(isTexts(json.shown) ? { shown: json.shown } : {}),
    ...(isTexts(json.claimed) ? { claimed: json.claimed } : {}),
    ...(typeof json.read_at === "string" ? { readAt: json.read_at } : {}),
  };
}

const isTexts = (json: Json | undefined): json is readonly string[] =>
  Array.isArray(json) && json.every((entry) => typeof entry === "string");

const textsIn = (json: Json | undefined): ReadonlyMap<string, string> =>
  new Map(
    Object.entries(isJsonObject(json) ? json : {}).filter(
      (entry): entry is [string, string] => typeof entry[1] === "string",
    ),
  );

/** The private data of an object that is deleted, also when it is the old one of a replacement. */
export function privateOfRemoved(schema: ResourceSchema, bytes: Uint8Array): Uint8Array {
  const { creating, replaced } = decodePrivate(schema, bytes);
  return replaced ?? (creating === undefined ? bytes : new Uint8Array());
}

/**
 * The private data of an object whose create an interrupted run had begun, for its removal: {@link privateOfRemoved} would
 * take what was planned for that create for the plan of one that replaces the object. That of other objects is as it was.
 */
export function privateOfBegun(schema: ResourceSchema, bytes: Uint8Array): Uint8Array {
  const { creating, begun: _, replaced: __, ...data } = decodePrivate(schema, bytes);
  return creating === undefined ? bytes : encodePrivate(schema, data);
}

/** Whether the private data can be read. */
export const isReadablePrivate = (bytes: Uint8Array): boolean =>
  bytes.length === 0 || isJsonObject(readJson(bytes));

function readJson(bytes: Uint8Array): Json | undefined {
  try {
    return parseJson(Buffer.from(bytes).toString("utf8"));
  } catch {
    return undefined;
  }
}

/** The object as it was last applied: the stored one with its drifted attributes as they were. */
export function lastApplied(stored: Value, data: PrivateData): Value {
  if (data.applied.size === 0 || !(stored.data instanceof Map)) return stored;
  return objectValue(new Map([...fieldsOf(stored)!, ...data.applied]));
}

/** What to keep of the last applied object after `observed` was read. */
export function rememberApplied(applied: Value, observed: Value, data: PrivateData): PrivateData {
  const old = fieldsOf(applied)!;
  const now = fieldsOf(observed)!;
  const drifted = [...old].filter(([name, value]) => !valuesEqual(value, now.get(name)!));
  return { ...data, applied: new Map(drifted) };
}

/** @param machine which one the host is now; undefined where that is not known */
export const isAnotherMachine = ({ machine: before }: PrivateData, machine: string | undefined): boolean =>
  before !== undefined && machine !== undefined && before !== machine;
