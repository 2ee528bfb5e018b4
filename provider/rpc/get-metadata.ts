/**
 * @module GetMetadata: what the provider has, without schemas.
 */
import { toWireDiagnostics } from "../wire/diagnostics.ts";
import { diagnostics, serverCapabilities } from "../wire/messages.ts";
import { field, message, nested, repeated, string } from "../wire/protobuf.ts";
import { capabilities } from "./capabilities.ts";
import { rpc } from "./rpc.ts";

const resource = message({ typeName: field(1, string) });

export const getMetadata = rpc({
  name: "GetMetadata",
  request: message({}),
  response: message({
    capabilities: field(
      1,
      nested(() => serverCapabilities),
    ),
    diagnostics: field(2, diagnostics),
    resources: field(
      4,
      repeated(() => resource),
    ),
  }),
  handle: (_, { provider }) => ({
    capabilities,
    diagnostics: [],
    resources: [...provider.schema.resources.keys()].map((typeName) => ({ typeName })),
  }),
  failed: (problems) => ({ capabilities, diagnostics: toWireDiagnostics(problems), resources: [] }),
});
