/**
 * @module ConfigureProvider: comes before every call that touches a host.
 */
import { toWireDiagnostics } from "../wire/diagnostics.ts";
import { diagnostics, value } from "../wire/messages.ts";
import { field, message, string } from "../wire/protobuf.ts";
import { fromWireValue } from "../wire/values.ts";
import { providerType, rpc } from "./rpc.ts";

export const configureProvider = rpc({
  name: "ConfigureProvider",
  request: message({ engineVersion: field(1, string), config: field(2, value) }),
  response: message({ diagnostics: field(1, diagnostics) }),
  handle: ({ config, engineVersion }, context) => {
    context.log("info", "configured", { engineVersion });
    return {
      diagnostics: toWireDiagnostics(
        context.provider.configure(fromWireValue(config, providerType(context))),
      ),
    };
  },
  failed: (problems) => ({ diagnostics: toWireDiagnostics(problems) }),
});
