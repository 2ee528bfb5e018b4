/**
 * @module ValidateProviderConfig: the provider's configuration, perhaps with unknowns.
 */
import { toWireDiagnostics } from "../wire/diagnostics.ts";
import { diagnostics, value } from "../wire/messages.ts";
import { field, message } from "../wire/protobuf.ts";
import { fromWireValue } from "../wire/values.ts";
import { providerType, rpc } from "./rpc.ts";

export const validateProviderConfig = rpc({
  name: "ValidateProviderConfig",
  request: message({ config: field(1, value) }),
  response: message({ diagnostics: field(2, diagnostics) }),
  handle: ({ config }, context) => ({
    diagnostics: toWireDiagnostics(
      context.provider.validateProviderConfig(fromWireValue(config, providerType(context))),
    ),
  }),
  failed: (problems) => ({ diagnostics: toWireDiagnostics(problems) }),
});
