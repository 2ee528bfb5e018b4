/**
 * @module Calls a provider as an engine does, and holds every answer to what core enforces.
 *
 * The rules (P for plans, A for applies, R for results) are those of the plugin protocol that OpenTofu checks after
 * each call.
 */
import { expect } from "vitest";
import type { PlanResponse, Provider } from "../../src/core/provider.ts";
import type { Diagnostic } from "../../src/diagnostics/diagnostic.ts";
import type { Decision } from "../../src/revision/decision.ts";
import {
  type BlockSchema,
  isConfigurable,
  type ResourceSchema,
  schemaType,
} from "../../src/schema/schema.ts";
import { valuesEqual } from "../../src/values/equal.ts";
import { formatPath } from "../../src/values/path.ts";
import { fromPlain, isPlainObject, type PlainObject } from "../../src/values/plain.ts";
import { isNull, isUnknown, nullValue, type Value } from "../../src/values/value.ts";
import { getPath, isElements, isWhollyKnown } from "../../src/values/walk.ts";

/** An instance as an engine stores it. */
export interface Stored {
  readonly state: Value;
  readonly private: Uint8Array;
}

export interface Driver {
  /** Plans; fails the test when the plan breaks a rule. */
  plan(stored: Stored | undefined, settings: PlainObject | undefined): Promise<PlanResponse>;
  /** Plans and applies like an engine, with destroy and create for a replacement. */
  apply(stored: Stored | undefined, settings: PlainObject | undefined): Promise<Applied>;
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
  /** Whether a plan comes with reasons: the protocol has no place for them. */
  readonly tellsReasons: boolean;
}

export const inProcess = (provider: Provider): ContractProvider => ({ ...provider, tellsReasons: true });

export function createDriver(
  provider: Pick<ContractProvider, "schema" | "readResource" | "planResource" | "applyResource">,
  type: string,
): Driver {
  const schema = provider.schema.resources.get(type)!;
  const none = nullValue(schemaType(schema));
  const configOf = (settings: PlainObject | undefined) =>
    settings === undefined ? none : fromPlain(asConfigured(schema, settings), schemaType(schema));

  const plan = async (stored: Stored | undefined, config: Value) => {
    const prior = stored?.state ?? none;
    const response = await provider.planResource({
      type,
      prior,
      config,
      priorPrivate: stored?.private ?? noBytes,
    });
    expect(response.diagnostics.filter(({ severity }) => severity === "error")).toEqual([]);
    checkPlan(schema, config, prior, response);
    return response;
  };

  const act = async (stored: Stored | undefined, config: Value, planned: PlanResponse) => {
    const prior = stored?.state ?? none;
    const response = await provider.applyResource({
      type,
      prior,
      config,
      planned: planned.planned,
      plannedPrivate: planned.private,
    });
    if (response.diagnostics.length === 0) checkResult(planned.planned, response.state);
    return response;
  };

  return {
    plan: (stored, settings) => plan(stored, configOf(settings)),
    async apply(stored, settings) {
      const config = configOf(settings);
      const planned = await plan(stored, config);
      if (planned.decision.action === "none")
        return { ...stored!, decision: planned.decision, diagnostics: [] };
      checkSecondPlan(planned, await plan(stored, config));
      if (planned.decision.action !== "replace") {
        return { ...(await act(stored, config, planned)), decision: planned.decision };
      }
      await act(stored, none, await plan(stored, none));
      const created = await plan(undefined, config);
      return { ...(await act(undefined, config, created)), decision: planned.decision };
    },
    async read(stored) {
      const response = await provider.readResource({ type, current: stored.state, private: stored.private });
      if (!isNull(response.state)) expect(isWhollyKnown(response.state)).toBe(true);
      return response;
    },
  };
}

function checkPlan(schema: ResourceSchema, config: Value, prior: Value, response: PlanResponse): void {
  const { planned, requiresReplace } = response;
  expect(isNull(planned), "P6, P9: null exactly when the configuration is").toBe(isNull(config));
  if (isNull(planned)) return;
  checkBlock(schema, config, prior, planned);
  for (const path of requiresReplace) {
    const before = getPath(prior, path);
    const after = getPath(planned, path);
    expect(
      before !== undefined && after !== undefined && !valuesEqual(before, after),
      `P10: ${formatPath(path)}`,
    ).toBe(true);
  }
}

function checkBlock(schema: BlockSchema, config: Value, prior: Value, planned: Value): void {
  const fields = (value: Value) => value.data as ReadonlyMap<string, Value>;
  for (const [name, attribute] of Object.entries(schema.attributes)) {
    const configured = fields(config).get(name)!;
    const before = isNull(prior) ? undefined : fields(prior).get(name);
    const after = fields(planned).get(name);
    expect(after, `P8: ${name} is there`).toBeDefined();
    if (attribute.writeOnly !== undefined) {
      expect(isNull(after!), `P5: ${name} is write-only and in no plan`).toBe(true);
    } else if (!isNull(configured)) {
      const asPrior = before !== undefined && !isNull(before) && valuesEqual(after!, before);
      expect(asPrior || valuesEqual(after!, configured), `P1: ${name} is as configured or as before`).toBe(
        true,
      );
    } else if (!attribute.computed) expect(isNull(after!), `P4: ${name} stays unset`).toBe(true);
    if (attribute.required) expect(isConfigurable(attribute)).toBe(true);
  }
  for (const [name, inner] of Object.entries(schema.blocks)) {
    const block = fields(planned).get(name)!;
    expect(isNull(block), `P7: block ${name} as configured`).toBe(isNull(fields(config).get(name)!));
    if (isNull(block)) continue;
    if (inner.repeated) {
      expect(valuesEqual(block, fields(config).get(name)!), `P7: blocks ${name} as configured`).toBe(true);
      continue;
    }
    const before = isNull(prior) ? prior : fields(prior).get(name)!;
    checkBlock(inner, fields(config).get(name)!, before, block);
  }
}

/** At apply core plans again; here with the same values. */
function checkSecondPlan(first: PlanResponse, second: PlanResponse): void {
  expect(second.decision.action, "A1: the same action").toBe(first.decision.action);
  expect(isNull(second.planned)).toBe(isNull(first.planned));
  if (isNull(first.planned)) return;
  for (const [name, value] of first.planned.data as ReadonlyMap<string, Value>) {
    if (!isWhollyKnown(value)) continue;
    const again = (second.planned.data as ReadonlyMap<string, Value>).get(name)!;
    expect(valuesEqual(again, value), `A2: ${name} stays as planned`).toBe(true);
  }
}

function checkResult(planned: Value, state: Value): void {
  expect(isNull(state), "R3: null after a delete, an object otherwise").toBe(isNull(planned));
  if (isNull(state)) return;
  expect(isWhollyKnown(state), "R2: nothing unknown").toBe(true);
  for (const [name, value] of planned.data as ReadonlyMap<string, Value>) {
    const result = (state.data as ReadonlyMap<string, Value>).get(name)!;
    if (isElements(value.data))
      expect((result.data as readonly Value[]).length, `R4: elements of ${name}`).toBe(value.data.length);
    if (isUnknown(value) || !isWhollyKnown(value)) continue;
    expect(valuesEqual(result, value), `R1: ${name} is as planned`).toBe(true);
  }
}
