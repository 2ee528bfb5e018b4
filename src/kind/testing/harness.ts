/**
 * @module Calls a provider as an engine does, and holds every answer to what core enforces (`rules.ts`).
 */
import { expect } from "vitest";
import type { PlanResponse, Provider } from "../../core/provider.ts";
import { type Diagnostic, hasErrors } from "../../diagnostics/diagnostic.ts";
import type { Action, Decision } from "../../revision/decision.ts";
import { type BlockSchema, schemaType } from "../../schema/schema.ts";
import { valuesEqual } from "../../values/equal.ts";
import { jsonText, toJson } from "../../values/json/json.ts";
import { fromPlain, isPlainObject, type PlainObject } from "../../values/plain.ts";
import { isNull, nullValue, type Value } from "../../values/value.ts";
import { checkPlan, checkResult, checkSecondPlan, checkStored } from "./rules.ts";

/** An instance as an engine stores it. */
export interface Stored {
  readonly state: Value;
  readonly private: Uint8Array;
}

export interface Driver {
  /** Plans; fails the test when the plan breaks a rule. */
  plan(stored: Stored | undefined, settings: PlainObject | undefined): Promise<PlanResponse>;
  /**
   * Plans and applies like an engine, with destroy and create for a replacement.
   *
   * @param before settings of the first plan, when some were not known yet. Default: those of the apply
   */
  apply(
    stored: Stored | undefined,
    settings: PlainObject | undefined,
    before?: PlainObject,
  ): Promise<Applied>;
  /** Both plans of an apply, without it. @returns the second one's action */
  planTwice(stored: Stored | undefined, before: PlainObject, settings: PlainObject): Promise<Action>;
  read(stored: Stored): Promise<Stored & { readonly diagnostics: readonly Diagnostic[] }>;
}

export interface Applied extends Stored {
  readonly decision: Decision;
  readonly diagnostics: readonly Diagnostic[];
}

const noBytes = new Uint8Array();

/** The settings as core hands them over: a repeated block that is not there is an empty list. */
export function asConfigured({ blocks }: BlockSchema, settings: PlainObject): PlainObject {
  const inner = Object.entries(blocks).map(([name, block]) => {
    const value = settings[name] ?? null;
    if (block.repeated) return [name, value ?? []] as const;
    return [name, isPlainObject(value) ? asConfigured(block, value) : value] as const;
  });
  return { ...settings, ...Object.fromEntries(inner) };
}

/** What the suite calls: the core in this process, or the same calls through the wire. */
export interface ContractProvider
  extends Pick<Provider, "schema" | "readResource" | "planResource" | "applyResource" | "close"> {
  validate(type: string, config: Value): Promise<readonly Diagnostic[]>;
  /** A stored object, as JSON, of today's schema. */
  upgrade(type: string, json: string): Promise<Upgraded>;
  /** A new walk through an engine's graph begins. Absent: what was planned before does not count anyway. */
  begin?(): Promise<void>;
  /** Whether a plan comes with reasons: the protocol has no field for them. */
  readonly givesReasons: boolean;
}

export type Upgraded = ReturnType<Provider["upgradeState"]>;

export const inProcess = (provider: Provider): ContractProvider => ({
  ...provider,
  validate: async (type, config) => provider.validateResourceConfig(type, config),
  upgrade: async (type, json) =>
    provider.upgradeState(type, provider.schema.resources.get(type)!.version, json),
  givesReasons: true,
});

type Called = Pick<ContractProvider, "schema" | "readResource" | "planResource" | "applyResource"> &
  Partial<Pick<ContractProvider, "validate" | "upgrade" | "begin">>;

export function createDriver(provider: Called, type: string): Driver {
  const schema = provider.schema.resources.get(type)!;
  const none = nullValue(schemaType(schema));
  const configOf = (settings: PlainObject | undefined) =>
    settings === undefined ? none : fromPlain(asConfigured(schema, settings), schemaType(schema));

  const plan = async (stored: Stored | undefined, config: Value) => {
    const prior = stored?.state ?? none;
    if (!isNull(config)) expectNoErrors((await provider.validate?.(type, config)) ?? []);
    const priorPrivate = stored?.private ?? noBytes;
    const response = await provider.planResource({ type, prior, config, priorPrivate });
    expectNoErrors(response.diagnostics);
    checkPlan(schema, config, prior, response);
    return response;
  };

  /** As at the time of the plan. Of a replacement core plans what is to be made as well, with the private data (E11). */
  const planFirst = async (stored: Stored | undefined, config: Value) => {
    await provider.begin?.();
    const changing = await plan(stored, config);
    const replaces = changing.decision.action === "replace";
    const making = replaces ? await plan({ state: none, private: changing.private }, config) : changing;
    if (replaces) expect(making.decision.action, "E11: a replacement makes an object").toBe("create");
    return { changing, making };
  };

  /** At apply the old object is gone before what replaces it is planned once more. */
  const planAgain = async (stored: Stored | undefined, first: Planned, config: Value) => {
    await provider.begin?.();
    const second = await plan(first.changing.decision.action === "replace" ? undefined : stored, config);
    checkSecondPlan(first.making, second);
    return second;
  };

  const act = async (
    stored: Stored | undefined,
    config: Value,
    planned: Pick<PlanResponse, "planned" | "private">,
  ) => {
    const prior = stored?.state ?? none;
    const response = await provider.applyResource({
      type,
      prior,
      config,
      planned: planned.planned,
      plannedPrivate: planned.private,
    });
    if (hasErrors(response.diagnostics)) checkStored(schema, response.state);
    else checkResult(schema, planned.planned, response.state);
    return response;
  };

  /** Comes before every plan, for every instance. */
  const upgraded = async (state: Value) => {
    if (provider.upgrade === undefined) return;
    const json = jsonText(toJson(state, schemaType(schema)));
    const { value, diagnostics } = await provider.upgrade(type, json);
    expect(diagnostics).toEqual([]);
    expect(
      value !== undefined && valuesEqual(value, state),
      "an object of today's schema stays as it is",
    ).toBe(true);
  };

  return {
    async plan(stored, settings) {
      await provider.begin?.();
      return plan(stored, configOf(settings));
    },
    async planTwice(stored, before, settings) {
      const first = await planFirst(stored, configOf(before));
      return (await planAgain(stored, first, configOf(settings))).decision.action;
    },
    async apply(stored, settings, before = settings) {
      const config = configOf(settings);
      const first = await planFirst(stored, configOf(before));
      const { decision } = first.changing;
      if (decision.action === "none") return { ...stored!, decision, diagnostics: [] };
      const second = await planAgain(stored, first, config);
      if (second.decision.action === "none") return { ...stored!, decision, diagnostics: [] };
      if (decision.action !== "replace") return { ...(await act(stored, config, second)), decision };
      // Core keeps one plan for both halves: what the second one answered comes to the removal as well.
      const gone = await act(stored, none, { planned: none, private: first.making.private });
      if (hasErrors(gone.diagnostics)) return { ...gone, decision };
      return { ...(await act(undefined, config, await plan(undefined, config))), decision };
    },
    async read(stored) {
      await upgraded(stored.state);
      const response = await provider.readResource({ type, current: stored.state, private: stored.private });
      checkStored(schema, response.state);
      return response;
    },
  };
}

interface Planned {
  readonly changing: PlanResponse;
  /** The same, but of a replacement the plan of what is to be made. */
  readonly making: PlanResponse;
}

const expectNoErrors = (diagnostics: readonly Diagnostic[]): void =>
  expect(diagnostics.filter(({ severity }) => severity === "error")).toEqual([]);
