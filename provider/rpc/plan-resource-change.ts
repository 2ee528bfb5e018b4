/**
 * @module PlanResourceChange: what an instance will be, decided from what it was and what is configured.
 */
import { toWireDiagnostics, toWirePath } from "../wire/diagnostics.ts";
import { attributePath, diagnostics, value } from "../wire/messages.ts";
import { bytes, field, message, repeated, string } from "../wire/protobuf.ts";
import { fromKnownWireValue, fromWireValue, toWireValue } from "../wire/values.ts";
import { nothingPrivate, resourceType, rpc } from "./rpc.ts";

export const planResourceChange = rpc({
  name: "PlanResourceChange",
  // Core's own proposal (3) is not read: it merges prior and configured values by rules that ownership needs otherwise.
  request: message({
    typeName: field(1, string),
    priorState: field(2, value),
    config: field(4, value),
    priorPrivate: field(5, bytes),
  }),
  // Never sent: legacy_type_system (5), which would switch core's checks off, and deferred (6).
  response: message({
    plannedState: field(1, value),
    requiresReplace: field(
      2,
      repeated(() => attributePath),
    ),
    plannedPrivate: field(3, bytes),
    diagnostics: field(4, diagnostics),
  }),
  handle: async (request, context) => {
    const type = resourceType(request.typeName, context);
    const plan = await context.provider.planResource({
      type: request.typeName,
      prior: fromKnownWireValue(request.priorState, type),
      config: fromWireValue(request.config, type),
      priorPrivate: request.priorPrivate,
      // Destroys are planned one after the other.
      mayFollow: true,
    });
    return {
      plannedState: toWireValue(plan.planned, type),
      requiresReplace: plan.requiresReplace.map(toWirePath),
      plannedPrivate: plan.private,
      diagnostics: toWireDiagnostics(plan.diagnostics),
    };
  },
  failed: (problems) => ({
    plannedState: undefined,
    requiresReplace: [],
    plannedPrivate: nothingPrivate,
    diagnostics: toWireDiagnostics(problems),
  }),
});
