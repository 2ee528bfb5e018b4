/**
 * @module GetFunctions: `provider::conn3x::…` has none.
 */
import { toWireDiagnostics } from "../wire/diagnostics.ts";
import { diagnostics } from "../wire/messages.ts";
import { field, message } from "../wire/protobuf.ts";
import { rpc } from "./rpc.ts";

export const getFunctions = rpc({
  name: "GetFunctions",
  request: message({}),
  // The functions themselves (1): an empty map is not sent.
  response: message({ diagnostics: field(2, diagnostics) }),
  handle: () => ({ diagnostics: [] }),
  failed: (problems) => ({ diagnostics: toWireDiagnostics(problems) }),
});
