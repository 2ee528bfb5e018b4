/**
 * @module A provider that refuses to plan what contradicts an instance that it has planned before in the same run: an
 * engine asks about one instance after the other, and nobody else sees several of them.
 *
 * The protocol does not say which instance a call is about: messages name the kind, the object and the settings of both,
 * and the engine adds the address of the later one.
 */
import {
  createHeldObjects,
  type HeldObjects,
  type PlanRequest,
  type PlanResponse,
  type Provider,
  type RealNames,
  wantedSettings,
} from "../src/core/index.ts";
import { hasErrors } from "../src/diagnostics/diagnostic.ts";
import { isConfigurable } from "../src/schema/schema.ts";
import { at } from "../src/values/path.ts";
import { isNull, type Value } from "../src/values/value.ts";
import { getPath } from "../src/values/walk.ts";

/**
 * @param held shared by all providers of a run
 * @param isActive whether it compares and remembers now: where a whole plan is compared afterwards, that is needless
 */
export function refusingContradictions(
  provider: Provider,
  held: HeldObjects,
  isActive: () => boolean = () => true,
): Provider {
  /** Other names that hosts have for objects, as reads found them. */
  const read = new Map<string, RealNames>();
  return {
    ...provider,
    async readResource(request) {
      const response = await provider.readResource(request);
      const key = keyOf(request.type, response.state);
      if (response.realNames !== undefined) read.set(key, response.realNames);
      return response;
    },
    async planResource(request) {
      const response = await provider.planResource(request);
      if (!isActive() || isNull(request.config) || hasErrors(response.diagnostics)) return response;
      const realNames = response.realNames ?? read.get(keyOf(request.type, response.planned));
      const found = held.meet(holderOf(provider, request, response, realNames), request.config);
      return found.length === 0
        ? response
        : { ...response, diagnostics: [...response.diagnostics, ...found] };
    },
  };
}

/**
 * The same for a process of the provider: a walk of an engine through its graph begins with configuring it, and what an
 * earlier walk planned is nothing that the next one contradicts.
 */
export function refusingInEachWalk(provider: Provider): Provider {
  let walk = refusingContradictions(provider, createHeldObjects());
  return {
    ...provider,
    configure(config) {
      walk = refusingContradictions(provider, createHeldObjects());
      return provider.configure(config);
    },
    readResource: (request) => walk.readResource(request),
    planResource: (request) => walk.planResource(request),
  };
}

function holderOf(
  { schema }: Provider,
  { type, config }: PlanRequest,
  { planned }: PlanResponse,
  realNames: RealNames | undefined,
) {
  const kind = schema.resources.get(type)!;
  const wanted = wantedSettings(kind, config);
  const settings = [...wanted].filter(
    (name) =>
      isConfigurable(kind.attributes[name]!) &&
      kind.attributes[name]!.observed &&
      !isNull(getPath(config, at(name))!),
  );
  const id = getPath(planned, at("id"))?.data;
  return {
    type: { name: type, schema: kind },
    planned,
    marks: [],
    subject: { address: `${type} "${String(id)}" (${settings.join(", ")})` },
    wanted,
    ...(realNames === undefined ? {} : { realNames }),
  };
}

/** One object of one host, however its settings are. */
function keyOf(type: string, object: Value): string {
  const [id, address, port] = [at("id"), at("ssh", "address"), at("ssh", "port")].map((path) =>
    isNull(object) ? null : (getPath(object, path)?.data ?? null),
  );
  return JSON.stringify([type, id, address, String(port)]);
}
