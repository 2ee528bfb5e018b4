/**
 * @module All calls that are answered. Any other gets the status Unimplemented, by which core knows that there is none.
 */
import { applyResourceChange } from "./apply-resource-change.ts";
import { callFunction } from "./call-function.ts";
import { configureProvider } from "./configure-provider.ts";
import { getFunctions } from "./get-functions.ts";
import { getMetadata } from "./get-metadata.ts";
import { getProviderSchema } from "./get-provider-schema.ts";
import { importResourceState } from "./import-resource-state.ts";
import { moveResourceState } from "./move-resource-state.ts";
import { planResourceChange } from "./plan-resource-change.ts";
import { readDataSource } from "./read-data-source.ts";
import { readResource } from "./read-resource.ts";
import type { AnyRpc } from "./rpc.ts";
import { stopProvider } from "./stop-provider.ts";
import { upgradeResourceState } from "./upgrade-resource-state.ts";
import { validateDataResourceConfig } from "./validate-data-resource-config.ts";
import { validateProviderConfig } from "./validate-provider-config.ts";
import { validateResourceConfig } from "./validate-resource-config.ts";

export const providerCalls: readonly AnyRpc[] = [
  getMetadata,
  getProviderSchema,
  validateProviderConfig,
  validateResourceConfig,
  validateDataResourceConfig,
  configureProvider,
  upgradeResourceState,
  readResource,
  planResourceChange,
  applyResourceChange,
  importResourceState,
  moveResourceState,
  readDataSource,
  getFunctions,
  callFunction,
  stopProvider,
];
