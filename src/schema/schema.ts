/**
 * @module The vocabulary in which resource kinds and the provider declare their settings.
 *
 * ```ts
 * const file = resourceSchema("A regular file", {
 *   path: string({ required: true, identity: true, describe: "Absolute path" }),
 *   sha256: string({ computed: true, observed: true, describe: "SHA-256 of the content" }),
 * });
 * ```
 */
import type { JsonObject } from "../values/json/json-text.ts";
import type { Plain } from "../values/plain.ts";
import {
  boolType,
  dynamicType,
  listOf,
  mapOf,
  numberType,
  objectOf,
  stringType,
  type Type,
} from "../values/type.ts";
import { nullValue, type Value } from "../values/value.ts";

/**
 * Builds text with a part of a setting's value in it, or nothing where the value may be secret: plugins do not know
 * which values are sensitive.
 */
export type Show = (words: string) => string;
export const showValues: Show = (words) => words;
export const hideValues: Show = () => "";

/** Declaration of one setting: the flags of the plugin protocol, and what decisions need. */
export interface AttributeOptions<P extends Plain = Plain> {
  /** Markdown, one or two sentences: purpose, form, unit, default. */
  readonly describe: string;
  readonly required?: boolean;
  readonly optional?: boolean;
  /** The provider may set it when the configuration does not. */
  readonly computed?: boolean;
  readonly sensitive?: boolean;
  /** It identifies the object: an instance with a new value is replaced. */
  readonly identity?: boolean;
  /** Reads set it from the host, so that drift is detected. */
  readonly observed?: boolean;
  /**
   * For a computed attribute, the settings that it follows from: the owner of one of them owns it, too, and where one is
   * sensitive it is sensitive as well.
   */
  readonly follows?: readonly string[];
  /** For a computed attribute, the settings that it reveals, whoever owns them: where one is sensitive it is as well. */
  readonly reveals?: readonly string[];
  /** False for a setting that changes nothing on the host, and so not the revision (C3). Default true. */
  readonly hostEffect?: boolean;
  /**
   * For a setting whose value goes only to the host, and never into a plan or state: the computed
   * boolean attribute that says whether the host still has what was written.
   */
  readonly writeOnly?: string;
  /** For such a setting: the computed attribute with the SHA-256 of the same, where another setting gives it. */
  readonly twin?: string;
  /** For the absolute path on the host of the object, or of what it makes: what is there. */
  readonly occupies?: Occupies;
  /** Of a group of attributes and blocks at most one may be set. */
  readonly oneOf?: string;
  /** Whether its text may have NUL characters: it goes to the host as bytes, or not at all. Default false. */
  readonly anyCharacter?: boolean;
  /**
   * What is wrong with a known, non-null value, and what a valid one is; undefined for a valid value. The value itself
   * and parts of it are quoted through `tell` only.
   */
  readonly check?: (value: P, tell: Show) => string | undefined;
  /** Whether two different known values mean the same on the host: `"644"` and `"0644"`. */
  readonly equivalent?: (a: P, b: P) => boolean;
  /** What leaving it out means: writing that out, or leaving it out again, changes nothing on the host. */
  readonly standard?: Plain;
  /**
   * Whether another known value means what is on the host, given its exact name there: `"1.*"` where 1.0 is installed, a
   * number for the user who has it. Kinds mark exact names with `exact`.
   */
  readonly fits?: (value: P, exact: string) => boolean;
}

/** What an object is at its path. */
export interface Occupant {
  /** `nothing`: it need not be there, and may be whatever it is. */
  readonly what: "file" | "directory" | "link" | "anything" | "nothing";
  /** Whether a symbolic link at the path may lead to it. */
  readonly followsLinks: boolean;
  /** Of what decides about a file's whole content: that, as far as it is known. Unset: it does not decide. */
  readonly whole?: { readonly text?: Uint8Array };
  /** Of what edits a part of a file: whether it would change that content. */
  readonly edits?: (content: Uint8Array) => boolean;
  /** Of a symbolic link, where that is known: its target, as it is written into it. */
  readonly leadsTo?: string;
}

/**
 * @param setting a setting of the object; undefined where it is not known
 * @returns undefined if that is not known, or if nothing need be there
 */
export type Occupies = (setting: (name: string) => Plain | undefined) => Occupant | undefined;

export interface AttributeSchema<P extends Plain = Plain> extends AttributeOptions<P> {
  readonly type: Type;
}

/** A nested block. Without it its value is null, or an empty list if it may be repeated. */
export interface BlockSchema {
  readonly describe: string;
  /**
   * Whether it may be repeated: its value is then a list of the blocks in the order written. Its
   * attributes must not be dynamic: all elements of a list have one type.
   */
  readonly repeated?: boolean;
  /** Of a group of attributes and blocks at most one may be set. */
  readonly oneOf?: string;
  readonly attributes: Readonly<Record<string, AttributeSchema>>;
  readonly blocks: Readonly<Record<string, BlockSchema>>;
  /** False for a block whose settings do not affect objects on the host. */
  readonly hostEffect?: boolean;
}

/** What a user can write in one kind of resource. */
export interface ResourceSchema extends BlockSchema {
  /** Version of the stored form. A new version needs an upgrade function. */
  readonly version: number;
  /**
   * Makes what was stored in an older form what today's would be.
   *
   * @param stored as it was written: attributes may be missing, null, or of other types than today's
   * @param version that it has, below today's
   */
  readonly upgrade?: (stored: JsonObject, version: number) => JsonObject;
}

type Settings<P extends Plain> = AttributeOptions<P>;

const attribute = <P extends Plain>(type: Type, options: Settings<P>): AttributeSchema =>
  ({ ...options, type }) as AttributeSchema;

export const string = (options: Settings<string>): AttributeSchema => attribute(stringType, options);
export const number = (options: Settings<number>): AttributeSchema => attribute(numberType, options);
export const bool = (options: Settings<boolean>): AttributeSchema => attribute(boolType, options);
/** An attribute of any type: `triggers` may hold strings and maps side by side. */
export const dynamic = (options: Settings<Plain>): AttributeSchema => attribute(dynamicType, options);
export const stringList = (options: Settings<string[]>): AttributeSchema =>
  attribute(listOf(stringType), options);
export const numberList = (options: Settings<number[]>): AttributeSchema =>
  attribute(listOf(numberType), options);
export const stringMap = (options: Settings<{ [key: string]: string }>): AttributeSchema =>
  attribute(mapOf(stringType), options);

/** An attribute of a composite type: an object of facts. */
export const ofType = (type: Type, options: Settings<Plain>): AttributeSchema => attribute(type, options);

/** A string attribute with a fixed set of values. */
export const oneOf = (words: readonly string[], options: Settings<string>): AttributeSchema =>
  string({
    ...options,
    check: (value, tell) =>
      words.includes(value)
        ? undefined
        : `must be one of ${words.map((word) => `"${word}"`).join(", ")}${tell(`, not "${value}"`)}`,
  });

/** The object type that values of this schema have: attributes first, then blocks. */
export function schemaType(schema: BlockSchema): Type {
  const known = typesOfSchemas.get(schema);
  if (known !== undefined) return known;
  const types: Record<string, Type> = {};
  for (const [name, declared] of Object.entries(schema.attributes)) types[name] = declared.type;
  for (const [name, block] of Object.entries(schema.blocks)) types[name] = blockType(block);
  const type = objectOf(types);
  typesOfSchemas.set(schema, type);
  return type;
}

/** Types by schema: thousands of values share one type, so that comparing their types is fast. */
const typesOfSchemas = new WeakMap<BlockSchema, Type>();

/** The type of a nested block in its parent: an object, or a list of objects. */
export const blockType = (block: BlockSchema): Type =>
  block.repeated ? listOf(schemaType(block)) : schemaType(block);

/** The value of an absent nested block in its parent. */
export const absentBlock = (block: BlockSchema): Value =>
  block.repeated ? { type: blockType(block), data: [] } : nullValue(blockType(block));

/** Whether the configuration may set the attribute. */
export const isConfigurable = (schema: AttributeSchema): boolean =>
  (schema.required ?? false) || (schema.optional ?? false);
