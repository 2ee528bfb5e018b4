/**
 * @module ApplyResourceChange: makes the host as planned.
 */
import { toWireDiagnostics } from "../wire/diagnostics.ts";
import { diagnostics, value } from "../wire/messages.ts";
import { bytes, field, message, string } from "../wire/protobuf.ts";
import { fromKnownWireValue, fromWireValue, toWireValue } from "../wire/values.ts";
import { nothingPrivate, resourceType, rpc } from "./rpc.ts";

export const applyResourceChange = rpc({
  name: "ApplyResourceChange",
  request: message({
    typeName: field(1, string),
    priorState: field(2, value),
    plannedState: field(3, value),
    config: field(4, value),
    plannedPrivate: field(5, bytes),
  }),
  // Never sent: legacy_type_system (4).
  response: message({
    newState: field(1, value),
    private: field(2, bytes),
    diagnostics: field(3, diagnostics),
  }),
  handle: async (request, context) => {
    const type = resourceType(request.typeName, context);
    const applied = await context.provider.applyResource({
      type: request.typeName,
      prior: fromKnownWireValue(request.priorState, type),
      planned: fromWireValue(request.plannedState, type),
      config: fromKnownWireValue(request.config, type),
      plannedPrivate: request.plannedPrivate,
    });
    return {
      newState: toWireValue(applied.state, type),
      private: applied.private,
      diagnostics: toWireDiagnostics(applied.diagnostics),
    };
  },
  // With errors and no state core keeps what it had, which is all that can be said here.
  failed: (problems) => ({
    newState: undefined,
    private: nothingPrivate,
    diagnostics: toWireDiagnostics(problems),
  }),
});
