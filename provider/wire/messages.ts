/**
 * @module The messages that several calls of the plugin protocol share (package `tfplugin6`, version 6.10). Only the
 * fields that Conn3x reads or writes are listed; what is left out is read as absent and never sent. Each call's own
 * request and response stand with the call in `provider/rpc/`.
 */
import {
  bool,
  bytes,
  enumeration,
  field,
  int64,
  type Message,
  type MessageOf,
  message,
  nested,
  optional,
  repeated,
  string,
} from "./protobuf.ts";

/** A value in one of two forms; core sends MessagePack. */
export const dynamicValue = message({
  msgpack: field(1, bytes),
  json: field(2, bytes),
});
export type WireValue = MessageOf<typeof dynamicValue>;

/** A stored object: JSON, or the `flatmap` of states older than Terraform 0.12, which is not read. */
export const rawState = message({ json: field(1, bytes) });

const attributePathStep = message({
  attributeName: field(1, optional(string)),
  elementKeyString: field(2, optional(string)),
  elementKeyInt: field(3, optional(int64)),
});
export const attributePath = message({
  steps: field(
    1,
    repeated(() => attributePathStep),
  ),
});
export type WirePath = MessageOf<typeof attributePath>;

export const wireSeverity = { error: 1, warning: 2 } as const;

export const diagnostic = message({
  severity: field(1, enumeration),
  summary: field(2, string),
  detail: field(3, string),
  attribute: field(
    4,
    nested(() => attributePath),
  ),
});
export type WireDiagnostic = MessageOf<typeof diagnostic>;

export const diagnostics = repeated(() => diagnostic);
export const value = nested(() => dynamicValue);

/** How a description is written. */
export const markdownText = 1;

const attribute = message({
  name: field(1, string),
  /** The type's JSON form. */
  type: field(2, bytes),
  description: field(3, string),
  required: field(4, bool),
  optional: field(5, bool),
  computed: field(6, bool),
  sensitive: field(7, bool),
  descriptionKind: field(8, enumeration),
  writeOnly: field(11, bool),
});

/** A block that stands at most once, and is null when it is absent. */
export const singleNesting = 1;
/** A block that stands any number of times: the value is a list. */
export const listNesting = 2;

/** Written out, because the message holds itself. */
export interface WireBlock {
  readonly attributes: readonly MessageOf<typeof attribute>[];
  readonly blocks: readonly WireNestedBlock[];
  readonly description: string;
  readonly descriptionKind: number;
}
interface WireNestedBlock {
  readonly typeName: string;
  readonly block: WireBlock | undefined;
  readonly nesting: number;
}

const block: Message<WireBlock> = message({
  attributes: field(
    2,
    repeated(() => attribute),
  ),
  blocks: field(
    3,
    repeated(() => nestedBlock),
  ),
  description: field(4, string),
  descriptionKind: field(5, enumeration),
});
const nestedBlock: Message<WireNestedBlock> = message({
  typeName: field(1, string),
  block: field(
    2,
    nested(() => block),
  ),
  nesting: field(3, enumeration),
});

export const schema = message({
  version: field(1, int64),
  block: field(
    2,
    nested(() => block),
  ),
});
export type WireSchema = MessageOf<typeof schema>;

/** What the engine can do. */
export const clientCapabilities = message({
  writeOnlyAttributesAllowed: field(2, bool),
});

export const serverCapabilities = message({
  planDestroy: field(1, bool),
  getProviderSchemaOptional: field(2, bool),
  moveResourceState: field(3, bool),
});
