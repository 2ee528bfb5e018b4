/**
 * @module UpgradeResourceState: a stored object into today's schema. Comes for every instance in every plan.
 */
import { errorDiagnostic } from "../../src/diagnostics/diagnostic.ts";
import { toWireDiagnostics } from "../wire/diagnostics.ts";
import { diagnostics, rawState, value } from "../wire/messages.ts";
import { field, int64, message, nested, string } from "../wire/protobuf.ts";
import { toWireValue } from "../wire/values.ts";
import { resourceType, rpc } from "./rpc.ts";

export const upgradeResourceState = rpc({
  name: "UpgradeResourceState",
  request: message({
    typeName: field(1, string),
    version: field(2, int64),
    rawState: field(
      3,
      nested(() => rawState),
    ),
  }),
  response: message({ upgradedState: field(1, value), diagnostics: field(2, diagnostics) }),
  handle: ({ typeName, version, rawState }, context) => {
    const type = resourceType(typeName, context);
    if (rawState === undefined || rawState.json.length === 0) {
      return { upgradedState: undefined, diagnostics: toWireDiagnostics([tooOld(typeName)]) };
    }
    const json = Buffer.from(rawState.json).toString("utf8");
    const upgraded = context.provider.upgradeState(typeName, version, json);
    return {
      upgradedState: upgraded.value === undefined ? undefined : toWireValue(upgraded.value, type),
      diagnostics: toWireDiagnostics(upgraded.diagnostics),
    };
  },
  failed: (problems) => ({ upgradedState: undefined, diagnostics: toWireDiagnostics(problems) }),
});

const tooOld = (typeName: string) =>
  errorDiagnostic(
    "Stored object cannot be read",
    `The state holds a ${typeName} that is not in JSON, a form which ended with Terraform 0.11. Conn3x never wrote it: remove the instance from the state and import it again.`,
  );
