/**
 * The main job on two real hosts with the embedded engine, through the built command.
 */
import { describeLab, labHosts } from "../lab/for-tests.ts";
import { conn3x } from "./conn3x.ts";
import { type EngineDriver, mainJob } from "./scenario.ts";

const embedded: EngineDriver = {
  prepare: async () => undefined,
  plan: (directory, ...options) => conn3x(directory, "plan", "-detailed-exitcode", ...options),
  apply: (directory, ...options) => conn3x(directory, "apply", "-auto-approve", ...options),
  destroy: (directory) => conn3x(directory, "destroy", "-auto-approve"),
};

describeLab("embedded engine", () => {
  const lab = labHosts(2);
  mainJob(embedded, () => lab);
});
