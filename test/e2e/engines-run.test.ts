/**
 * The main job on two real hosts with `conn3x -engine`: the built command drives each engine that is here, its provider
 * attached.
 */
import { findEngines } from "../engines/engine.ts";
import { describeLab, labHosts } from "../lab/for-tests.ts";
import { conn3x } from "./conn3x.ts";
import { mainJob } from "./scenario.ts";

for (const { name, version, program } of findEngines()) {
  describeLab(`conn3x -engine=${name}, ${version}`, () => {
    const lab = labHosts(2);
    const engine = `-engine=${program}`;
    mainJob(
      {
        prepare: async () => undefined,
        plan: (directory, ...options) => conn3x(directory, "plan", "-detailed-exitcode", engine, ...options),
        apply: (directory, ...options) => conn3x(directory, "apply", "-auto-approve", engine, ...options),
        destroy: (directory) => conn3x(directory, "destroy", "-auto-approve", engine),
      },
      () => lab,
    );
  });
}
