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
 * Words with a part of a setting's value in them, or nothing where nobody may see that: plugins are not told which values
 * are sensitive.
 */
export type Tell = (words: string) => string;
export const tellValues: Tell = (words) => words;
export const tellNoValues: Tell = () => "";

/** What is said about one setting. Exactly as in the plugin protocol, plus what decisions need. */
export interface AttributeOptions<P extends Plain = Plain> {
  /** Markdown, one or two sentences: what it does, its form, its unit, its default. */
  readonly describe: string;
  readonly required?: boolean;
  readonly optional?: boolean;
  /** The provider may fill it when the configuration does not. */
  readonly computed?: boolean;
  readonly sensitive?: boolean;
  /** Another value means another object: the instance is replaced. */
  readonly identity?: boolean;
  /** A read fills it from the host, so that drift is seen. */
  readonly observed?: boolean;
  /**
   * A computed attribute that follows from these: whoever owns one of them owns it, too, and where one of them is
   * sensitive it is as well.
   */
  readonly follows?: readonly string[];
  /** A computed attribute that these can be told from, whoever owns them: where one of them is sensitive it is as well. */
  readonly tells?: readonly string[];
  /** False for a setting that changes nothing on the host, and so not the revision (C3). Default true. */
  readonly hostEffect?: boolean;
  /**
   * Of a setting whose value goes to the host and nowhere else, neither into a plan nor into a state: the computed
   * attribute, a boolean, that tells whether what was written is still what the host has.
   */
  readonly writeOnly?: string;
  /** Whether it is an absolute path at which the object, or what it makes, is on the host. */
  readonly occupies?: boolean;
  /** Of a group of attributes and blocks at most one may be set. */
  readonly oneOf?: string;
  /**
   * Says what is wrong with a known, non-null value and what a right one is; undefined when it is fine. The value itself
   * and parts of it are named through `tell` only.
   */
  readonly check?: (value: P, tell: Tell) => string | undefined;
  /** Whether two different known values mean the same on the host: `"644"` and `"0644"`. */
  readonly equivalent?: (a: P, b: P) => boolean;
}

export interface AttributeSchema<P extends Plain = Plain> extends AttributeOptions<P> {
  readonly type: Type;
}

/** A nested block; absent it is null, or an empty list where it may be repeated. */
export interface BlockSchema {
  readonly describe: string;
  /**
   * Whether it may stand any number of times in its parent, which then has a list of it, in the order written. Its
   * attributes must not be dynamic: all elements of a list have one type.
   */
  readonly repeated?: boolean;
  /** Of a group of attributes and blocks at most one may be set. */
  readonly oneOf?: string;
  readonly attributes: Readonly<Record<string, AttributeSchema>>;
  readonly blocks: Readonly<Record<string, BlockSchema>>;
  /** False for a block none of whose settings touches the host's objects. */
  readonly hostEffect?: boolean;
}

/** What a user can write in one kind of resource. */
export interface ResourceSchema extends BlockSchema {
  /** Version of the stored form; raised together with an upgrade function. */
  readonly version: number;
}

type Settings<P extends Plain> = AttributeOptions<P>;

const attribute = <P extends Plain>(type: Type, options: Settings<P>): AttributeSchema =>
  ({ ...options, type }) as AttributeSchema;

export const string = (options: Settings<string>): AttributeSchema => attribute(stringType, options);
export const number = (options: Settings<number>): AttributeSchema => attribute(numberType, options);
export const bool = (options: Settings<boolean>): AttributeSchema => attribute(boolType, options);
/** A value of any type: `triggers`, whose entries may be strings and maps side by side. */
export const dynamic = (options: Settings<Plain>): AttributeSchema => attribute(dynamicType, options);
export const stringList = (options: Settings<string[]>): AttributeSchema =>
  attribute(listOf(stringType), options);
export const numberList = (options: Settings<number[]>): AttributeSchema =>
  attribute(listOf(numberType), options);
export const stringMap = (options: Settings<{ [key: string]: string }>): AttributeSchema =>
  attribute(mapOf(stringType), options);

/** A value of a composite type: an object of facts. */
export const ofType = (type: Type, options: Settings<Plain>): AttributeSchema => attribute(type, options);

/** One of a few words. */
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

/** Thousands of objects have it: comparing their types takes no time where it is one. */
const typesOfSchemas = new WeakMap<BlockSchema, Type>();

/** The type that a parent has of a nested block: of its object, or of the list of its objects. */
export const blockType = (block: BlockSchema): Type =>
  block.repeated ? listOf(schemaType(block)) : schemaType(block);

/** What a parent has of a nested block that is not there. */
export const absentBlock = (block: BlockSchema): Value =>
  block.repeated ? { type: blockType(block), data: [] } : nullValue(blockType(block));

/** Whether the configuration may set the attribute at all. */
export const isConfigurable = (schema: AttributeSchema): boolean =>
  (schema.required ?? false) || (schema.optional ?? false);
