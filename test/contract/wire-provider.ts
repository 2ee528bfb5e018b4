/**
 * @module The bundled provider's process, called through the wire as core calls it, in the form of the core's own calls.
 */
import { expect } from "vitest";
import { applyResourceChange } from "../../provider/rpc/apply-resource-change.ts";
import { configureProvider } from "../../provider/rpc/configure-provider.ts";
import { planResourceChange } from "../../provider/rpc/plan-resource-change.ts";
import { readResource } from "../../provider/rpc/read-resource.ts";
import { upgradeResourceState } from "../../provider/rpc/upgrade-resource-state.ts";
import { validateResourceConfig } from "../../provider/rpc/validate-resource-config.ts";
import { type ProviderClient, startProvider } from "../../provider/testing/client.ts";
import type { WireDiagnostic } from "../../provider/wire/messages.ts";
import { wireSeverity } from "../../provider/wire/messages.ts";
import { bool, bytes, field, message } from "../../provider/wire/protobuf.ts";
import { fromWireValue, toWireValue } from "../../provider/wire/values.ts";
import { providerSchema } from "../../src/core/create-provider.ts";
import type { PlanRequest } from "../../src/core/provider.ts";
import type { Diagnostic } from "../../src/diagnostics/diagnostic.ts";
import type { ContractProvider } from "../../src/kind/testing/harness.ts";
import { actionOf } from "../../src/kind/testing/rules.ts";
import { schemaType } from "../../src/schema/schema.ts";
import type { Path } from "../../src/values/path.ts";
import { nullValue, type Value } from "../../src/values/value.ts";

const typeOf = (name: string) => schemaType(providerSchema.resources.get(name)!);
const toWire = (value: Value, type: string) => toWireValue(value, typeOf(type));

/** @param program the bundled provider */
export async function openWireProvider(program: string): Promise<ContractProvider> {
  const { client, exited } = await startProvider(program);
  const settings = schemaType(providerSchema.provider);
  const begin = async () => {
    const configured = await client.call(configureProvider, {
      engineVersion: "1.12.6",
      config: toWireValue(nullValue(settings), settings),
    });
    expect(configured.diagnostics).toEqual([]);
  };
  await begin();
  return {
    begin,
    schema: providerSchema,
    givesReasons: false,
    async validate(type, config) {
      const answer = await client.call(validateResourceConfig, {
        typeName: type,
        config: toWire(config, type),
        clientCapabilities: { writeOnlyAttributesAllowed: true },
      });
      return answer.diagnostics.map(fromWire);
    },
    async upgrade(type, json) {
      const { version } = providerSchema.resources.get(type)!;
      const answer = await client.call(upgradeResourceState, {
        typeName: type,
        version,
        rawState: { json: Buffer.from(json) },
      });
      return {
        value: fromWireValue(answer.upgradedState, typeOf(type)),
        diagnostics: answer.diagnostics.map(fromWire),
      };
    },
    async readResource({ type, current, private: kept }) {
      const answer = await client.call(readResource, {
        typeName: type,
        currentState: toWire(current, type),
        private: kept,
      });
      return {
        state: fromWireValue(answer.newState, typeOf(type)),
        private: answer.private,
        diagnostics: answer.diagnostics.map(fromWire),
      };
    },
    planResource: (request) => plan(client, request),
    async applyResource({ type, prior, planned, config, plannedPrivate }) {
      const answer = await client.call(applyResourceChange, {
        typeName: type,
        priorState: toWire(prior, type),
        plannedState: toWire(planned, type),
        config: toWire(config, type),
        plannedPrivate,
      });
      return {
        state: fromWireValue(answer.newState, typeOf(type)),
        private: answer.private,
        diagnostics: answer.diagnostics.map(fromWire),
      };
    },
    async close() {
      await client.raw("/plugin.GRPCController/Shutdown");
      client.close();
      expect(await exited).toBe(0);
    },
  };
}

/** What core must never be told: that its checks do not hold, and that it is to come back later. */
const forbidden = message({ legacyTypeSystem: field(5, bool), deferred: field(6, bytes) });

async function plan(client: ProviderClient, { type, prior, config, priorPrivate }: PlanRequest) {
  const answered = await client.raw(
    "/tfplugin6.Provider/PlanResourceChange",
    planResourceChange.request.encode({
      typeName: type,
      priorState: toWire(prior, type),
      config: toWire(config, type),
      priorPrivate,
    }),
  );
  const { legacyTypeSystem, deferred } = forbidden.decode(answered);
  expect([legacyTypeSystem, deferred.length], "E12").toEqual([false, 0]);
  const answer = planResourceChange.response.decode(answered);
  const planned = fromWireValue(answer.plannedState, typeOf(type));
  const requiresReplace = answer.requiresReplace.map(pathFrom);
  return {
    planned,
    requiresReplace,
    private: answer.plannedPrivate,
    diagnostics: answer.diagnostics.map(fromWire),
    decision: {
      action: actionOf(prior, planned, requiresReplace),
      reasons: [],
      edits: [],
      drift: [],
      requiresReplace,
    },
  };
}

const pathFrom = ({
  steps,
}: {
  readonly steps: readonly {
    readonly attributeName?: string | undefined;
    readonly elementKeyString?: string | undefined;
    readonly elementKeyInt?: bigint | number | undefined;
  }[];
}): Path =>
  steps.map(({ attributeName, elementKeyString, elementKeyInt }) => {
    if (attributeName !== undefined) return { attribute: attributeName };
    return elementKeyString !== undefined ? { key: elementKeyString } : { index: Number(elementKeyInt) };
  });

const fromWire = ({ severity, summary, detail, attribute }: WireDiagnostic): Diagnostic => ({
  severity: severity === wireSeverity.error ? "error" : "warning",
  summary,
  detail,
  ...(attribute === undefined ? {} : { attribute: pathFrom(attribute) }),
});
