/**
 * @module Which units are to be enabled instead of one that cannot be.
 */
import { type Closer, isOfPlan } from "../kind.ts";
import type { ServiceFacts } from "./init-system.ts";
import { initSystems } from "./init-systems.ts";

/** Asked only for what would fail, to say what would not. */
export const unitsToEnable: Closer<ServiceFacts> = {
  ask({ init, enabled, canEnable, fileState }, want, look) {
    if (!isOfPlan(look) && look !== "act") return undefined;
    if (want.enabled !== true || enabled || canEnable || fileState !== "indirect") return undefined;
    const script = initSystems.find(({ name }) => name === init)?.askAlso?.(String(want.name));
    return script === undefined ? undefined : { ask: "script", script };
  },
  parse: ({ stdout }, facts) => ({
    ...facts,
    also: stdout
      .toString("utf8")
      .split(/\s+/)
      .filter((name) => name !== ""),
  }),
};
