/**
 * @module `conn3x/kind/testing`: the contract suite for a kind of one's own. It needs vitest.
 *
 * @example
 * lifecycleSuite(demoStage(), [{ type: "conn3x_motd_part", settings: () => ({ name: "a", text: "hello" }), … }], kinds);
 */
import { createProvider } from "../../core/index.ts";
import { addKind } from "../../resources/index.ts";
import type { Kind } from "../../resources/kind.ts";
import { createSessionPool } from "../../ssh/index.ts";
import { inProcess } from "./harness.ts";
import type { LifeCase } from "./life-case.ts";
import { type Stage, lifecycleSuite as suite } from "./lifecycle.ts";

export { type DemoStageOptions, demoStage } from "./demo-stage.ts";
export type { LifeCase } from "./life-case.ts";
export type { Stage } from "./lifecycle.ts";

/**
 * Takes each object through its life, and holds every answer to what OpenTofu's core enforces: create, nothing to do, drift,
 * repair, edit, replacement, removal; unknown values; a host that does not answer.
 *
 * @param stage gives a host: {@link demoStage} one in this process, or your own with a real host
 * @param cases one row or more for each kind
 * @param own the kinds that the rows are about
 */
export function lifecycleSuite(stage: () => Stage, cases: readonly LifeCase[], own: readonly Kind[]): void {
  for (const kind of own) addKind(kind);
  suite(stage, cases, () => inProcess(createProvider({ sessions: createSessionPool() })));
}
