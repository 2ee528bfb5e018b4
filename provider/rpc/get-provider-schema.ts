/**
 * @module GetProviderSchema: every setting of the provider and its resources.
 */
import { toWireDiagnostics } from "../wire/diagnostics.ts";
import { diagnostics, schema, serverCapabilities } from "../wire/messages.ts";
import { field, mapOf, message, nested } from "../wire/protobuf.ts";
import { toWireSchema } from "../wire/schemas.ts";
import { capabilities } from "./capabilities.ts";
import { rpc } from "./rpc.ts";

export const getProviderSchema = rpc({
  name: "GetProviderSchema",
  request: message({}),
  // Data sources (3), functions (7) and what came later: there are none, and an empty map is not sent.
  response: message({
    provider: field(
      1,
      nested(() => schema),
    ),
    resources: field(
      2,
      mapOf(() => schema),
    ),
    diagnostics: field(4, diagnostics),
    capabilities: field(
      6,
      nested(() => serverCapabilities),
    ),
  }),
  handle: (_, { provider }) => ({
    provider: toWireSchema(provider.schema.provider),
    resources: new Map(
      [...provider.schema.resources].map(([name, resource]) => [
        name,
        toWireSchema(resource, resource.version),
      ]),
    ),
    diagnostics: toWireDiagnostics(provider.problems ?? []),
    capabilities,
  }),
  failed: (problems) => ({
    provider: undefined,
    resources: new Map(),
    diagnostics: toWireDiagnostics(problems),
    capabilities,
  }),
});
