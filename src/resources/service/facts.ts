/**
 * @module Facts about services on a host, for every init system.
 */
import { lines, script } from "../../script/script.ts";
import type { PlainObject } from "../../values/plain.ts";
import { AnswerError, type Facts, foundAs, type RealNames } from "../kind.ts";
import type { ServiceFacts } from "./init-system.ts";
import { initSystems, withInitSystem } from "./init-systems.ts";
import { runningService } from "./name.ts";

export const serviceFacts: Facts<ServiceFacts> = {
  subject: (object) => String(object.name),
  ask: (units) =>
    withInitSystem(
      Object.fromEntries(
        initSystems.map((init) => [init.name, lines([script`echo ${init.name}`, init.ask(units)])]),
      ),
    ),
  parse(stdout, units) {
    const text = stdout.toString("utf8");
    const end = text.indexOf("\n");
    const init = initSystems.find(({ name }) => name === text.slice(0, Math.max(end, 0)));
    if (init === undefined) throw new AnswerError("the host did not tell what starts its services");
    return init
      .parse(text.slice(end + 1), units)
      .map((facts, i) => foundAs({ state: "present", facts }, namedOtherwise(units[i]!, facts)));
  },
};

const namedOtherwise = (unit: string, { id }: ServiceFacts): RealNames | undefined =>
  id === undefined || runningService(id) === runningService(unit) ? undefined : { [unit]: id };

/**
 * A service that is not there is neither running nor enabled. One that has nothing to run any more is as it was made: it
 * was started then.
 */
export const observeService = (
  { running, idle, enabled, masked }: ServiceFacts,
  object: PlainObject,
): PlainObject => ({
  ...object,
  running: running || (idle === true && object.running === true),
  enabled,
  masked,
});
