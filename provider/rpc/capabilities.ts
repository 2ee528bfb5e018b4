/**
 * @module What OpenTofu may ask of this provider beyond the protocol's first version.
 */

import type { serverCapabilities } from "../wire/messages.ts";
import type { MessageOf } from "../wire/protobuf.ts";

export const capabilities: MessageOf<typeof serverCapabilities> = {
  /** A destroy is planned by us too, so that it can be refused or warned about. */
  planDestroy: true,
  /** A schema that core has from another process of ours is good here as well. */
  getProviderSchemaOptional: true,
  /** We say ourselves what is wrong with a `moved` block between resource types. */
  moveResourceState: true,
};
