/**
 * @module Runs the engine on a text, a fake provider and a state file in a folder of its own: for tests.
 */
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { ApplyOutcome } from "../apply-outcome.ts";
import type { Event } from "../event.ts";
import type { Plan } from "../plan.ts";
import { type Run, type RunOptions, startRun } from "../run.ts";
import { configurationOf } from "./configuration.ts";
import { type FakeHosts, fakeHosts, fakeProvider } from "./fake-provider.ts";

export interface TestEngine {
  readonly statePath: string;
  readonly hosts: FakeHosts;
  /** Events of the last plan or apply. */
  readonly events: Event[];
  start(text: string, more?: Partial<RunOptions>): Promise<Run>;
  /** @throws Error with all diagnostics when there is no plan */
  plan(text: string, more?: Partial<RunOptions>): Promise<Plan>;
  /** Diagnostics as `summary: detail`. */
  problems(text: string, more?: Partial<RunOptions>): Promise<readonly string[]>;
  /** Plans and applies. The hosts' log and the events are those of the apply only. */
  apply(text: string, more?: Partial<RunOptions>): Promise<ApplyOutcome>;
  /** The state file, parsed. */
  state(): StoredState;
  remove(): void;
}

export interface StoredState {
  readonly serial: number;
  readonly check_results: unknown;
  readonly outputs: Readonly<Record<string, { readonly value: unknown; readonly sensitive?: boolean }>>;
  readonly resources: readonly {
    readonly module?: string;
    readonly type: string;
    readonly name: string;
    readonly instances: readonly {
      readonly index_key?: string | number;
      readonly status?: string;
      readonly deposed?: string;
      readonly create_before_destroy?: boolean;
      readonly attributes: Readonly<Record<string, unknown>>;
      readonly sensitive_attributes: readonly unknown[];
      readonly dependencies?: readonly string[];
    }[];
  }[];
}

export function testEngine(): TestEngine {
  const folder = mkdtempSync(join(tmpdir(), "conn3x-run-"));
  const statePath = join(folder, "terraform.tfstate");
  const hosts = fakeHosts();
  const events: Event[] = [];
  const start = (text: string, more: Partial<RunOptions> = {}): Promise<Run> => {
    events.length = 0;
    return startRun({
      configuration: configurationOf(text),
      provider: fakeProvider(hosts),
      variables: [],
      statePath,
      mode: "normal",
      refresh: true,
      lockTimeout: 0,
      events: (event) => events.push(event),
      parallelism: 10,
      ...more,
    });
  };
  const planned = (run: Run): Plan => {
    if (run.plan === undefined) throw new Error(said(run).join("\n"));
    return run.plan;
  };
  return {
    statePath,
    hosts,
    events,
    start,
    async plan(text, more) {
      const run = await start(text, more);
      await run.close();
      return planned(run);
    },
    async problems(text, more) {
      const run = await start(text, more);
      await run.close();
      if (run.plan !== undefined) throw new Error("there was a plan");
      return said(run);
    },
    async apply(text, more) {
      const run = await start(text, more);
      planned(run);
      hosts.log.length = 0;
      events.length = 0;
      const outcome = await run.apply();
      await run.close();
      return outcome;
    },
    state: () => JSON.parse(readFileSync(statePath, "utf8")) as StoredState,
    remove: () => rmSync(folder, { recursive: true }),
  };
}

const said = ({ diagnostics }: Run): readonly string[] =>
  diagnostics.map(({ summary, detail }) => `${summary}: ${detail}`);

/** Action and reasons of each instance, by address. */
export const actionsOf = ({ changes }: Plan): Record<string, string> =>
  Object.fromEntries(
    changes.map(({ address, decision: { action, reasons } }) => [
      address,
      [action, ...reasons.map(({ kind }) => kind)].join(" "),
    ]),
  );
