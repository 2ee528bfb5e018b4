/**
 * @module `conn3x_service`: whether a service runs and starts with its host.
 */
import { type Diagnostic, errorDiagnostic, warningDiagnostic } from "../../diagnostics/diagnostic.ts";
import type { ResourceDiff } from "../../revision/resource-diff.ts";
import { at } from "../../values/path.ts";
import type { PlainObject } from "../../values/plain.ts";
import type { StepKind } from "../kind.ts";
import { unitsToEnable } from "./also.ts";
import { observeService, serviceFacts } from "./facts.ts";
import type { ServiceFacts } from "./init-system.ts";
import { runningService } from "./name.ts";
import { checkServicePlan, operateService, removeService, startsService, stoppedService } from "./operate.ts";
import { serviceSchema } from "./schema.ts";

export const serviceKind: StepKind<ServiceFacts> = {
  role: "step",
  name: "service",
  type: "conn3x_service",
  schema: serviceSchema,
  id: { from: ["name"], of: (object) => String(object.name) },
  imported: (identity) => ({ name: identity.slice(1) }),
  check: checkSettings,
  facts: serviceFacts,
  observe: observeService,
  isThere: ({ exists }) => exists,
  keepsUnlessAsked: true,
  plan: planService,
  planCheck: checkServicePlan,
  takesAway: ({ name, running }) => (running === false ? [runningService(String(name))] : []),
  gone: stoppedService,
  closer: unitsToEnable,
  operate: operateService,
  starts: startsService,
  remove: removeService,
};

/** Masking takes the links away that start a service with its host, and unmasking does not bring them back. */
function planService(diff: ResourceDiff): void {
  if (diff.hasChange("masked") && diff.config("enabled") === null) diff.setNewComputed("enabled");
}

function checkSettings(config: PlainObject): readonly Diagnostic[] {
  if (config.masked === true && (config.running === true || config.enabled === true)) {
    return [
      errorDiagnostic(
        "Settings contradict each other",
        "A masked service can be neither running nor enabled: leave these out, or set them to false.",
        { attribute: at("masked") },
      ),
    ];
  }
  if (config.running !== null || config.enabled !== null || config.masked !== null) return [];
  return [
    warningDiagnostic(
      "Service without a wish",
      "None of running, enabled and masked is set, so nothing is ever done.",
      { attribute: at("name") },
    ),
  ];
}
