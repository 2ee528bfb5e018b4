/**
 * @module ValidateResourceConfig: a resource's configuration, perhaps with unknowns.
 */
import { toWireDiagnostics } from "../wire/diagnostics.ts";
import { diagnostics, value } from "../wire/messages.ts";
import { field, message, string } from "../wire/protobuf.ts";
import { fromWireValue } from "../wire/values.ts";
import { resourceType, rpc } from "./rpc.ts";

export const validateResourceConfig = rpc({
  name: "ValidateResourceConfig",
  request: message({ typeName: field(1, string), config: field(2, value) }),
  response: message({ diagnostics: field(1, diagnostics) }),
  handle: ({ typeName, config }, context) => {
    const type = resourceType(typeName, context);
    return {
      diagnostics: toWireDiagnostics(
        context.provider.validateResourceConfig(typeName, fromWireValue(config, type)),
      ),
    };
  },
  failed: (problems) => ({ diagnostics: toWireDiagnostics(problems) }),
});
