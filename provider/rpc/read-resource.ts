/**
 * @module ReadResource: the object as the host has it now.
 */
import { toWireDiagnostics } from "../wire/diagnostics.ts";
import { diagnostics, value } from "../wire/messages.ts";
import { bytes, field, message, string } from "../wire/protobuf.ts";
import { fromKnownWireValue, toWireValue } from "../wire/values.ts";
import { nothingPrivate, resourceType, rpc } from "./rpc.ts";

export const readResource = rpc({
  name: "ReadResource",
  request: message({ typeName: field(1, string), currentState: field(2, value), private: field(3, bytes) }),
  response: message({
    newState: field(1, value),
    diagnostics: field(2, diagnostics),
    private: field(3, bytes),
  }),
  handle: async (request, context) => {
    const type = resourceType(request.typeName, context);
    const read = await context.provider.readResource({
      type: request.typeName,
      current: fromKnownWireValue(request.currentState, type),
      private: request.private,
    });
    return {
      newState: toWireValue(read.state, type),
      diagnostics: toWireDiagnostics(read.diagnostics),
      private: read.private,
    };
  },
  failed: (problems) => ({
    newState: undefined,
    diagnostics: toWireDiagnostics(problems),
    private: nothingPrivate,
  }),
});
