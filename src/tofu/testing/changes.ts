/**
 * @module Planned changes for tests, of as much as a test looks at.
 */
import type { Plan, PlannedChange } from "../../engine/plan.ts";
import type { Action } from "../../revision/decision.ts";
import { dynamicType } from "../../values/type.ts";
import { nullValue } from "../../values/value.ts";

/** A change of `conn3x_file.CIRCUIT__STEP["HOST"]`. */
export const changeOf = (circuit: string, step: string, host: string, action: Action): PlannedChange => ({
  address: `conn3x_file.${circuit}__${step}["${host}"]`,
  type: "conn3x_file",
  name: `${circuit}__${step}`,
  key: host,
  circuit,
  member: step,
  role: "step",
  host,
  decision: { action, reasons: [], edits: [], drift: [], requiresReplace: [] },
  before: nullValue(dynamicType),
  after: nullValue(dynamicType),
});

export const planOf = (changes: readonly PlannedChange[], mode: Plan["mode"] = "normal"): Plan => ({
  mode,
  changes,
  outputs: [],
  diagnostics: [],
  stateChanged: false,
});
