/**
 * @module What a state holds, for commands that show it or name parts of it.
 */
import type { Configuration } from "../compiler/model.ts";
import { providerSchema } from "../core/create-provider.ts";
import { type Diagnostic, errorDiagnostic } from "../diagnostics/diagnostic.ts";
import { nearest } from "../diagnostics/nearest.ts";
import { quoted } from "../diagnostics/quoted.ts";
import { schemaMarks, sensitiveIn, withFollowing } from "../engine/load/sensitive-places.ts";
import { isOwnBackend } from "../engine/state/backend/backends.ts";
import { configuredPlace, refusedPlace } from "../engine/state/backend/configured-place.ts";
import { filePlace } from "../engine/state/file-place.ts";
import { type Peeked, peekState } from "../engine/state/peek.ts";
import type { StatePlace } from "../engine/state/place.ts";
import { readSensitivePaths } from "../engine/state/sensitive-paths.ts";
import { instanceAddress, type StateFile, type StateInstance } from "../engine/state/state.ts";
import { compareKeys } from "../engine/state/write-state.ts";
import type { Block } from "../hcl/tree.ts";
import { schemaType } from "../schema/schema.ts";
import { chosenEngine } from "../tofu/program.ts";
import { moduleText, parseAddress } from "../values/address.ts";
import { isConversionError } from "../values/convert.ts";
import { fromJson, parseJson } from "../values/json.ts";
import { markPaths } from "../values/marks.ts";
import { compareText } from "../values/set-order.ts";
import type { Value } from "../values/value.ts";
import { readConfiguration } from "./configuration.ts";
import { type Options, parseDuration } from "./option.ts";
import { otherWorkspace } from "./workspace.ts";

/** One instance, by its address; or an old object of one, which has the same. */
export interface StoredInstance {
  readonly address: string;
  readonly resource: string;
  readonly type: string;
  readonly name: string;
  readonly stored: StateInstance;
}

/**
 * `-state`, or where the configuration has it, in the default workspace.
 *
 * @param known the configuration, where it was read already
 */
export async function statePlaceOf(
  options: Options,
  known?: Pick<Configuration, "backend" | "incomplete" | "foreign">,
): Promise<StatePlace> {
  const path = options.value("state");
  if (path !== undefined) return filePlace(path);
  const problem = otherWorkspace(process.env);
  if (problem !== undefined) return refusedPlace(problem);
  const configuration = known ?? (await readConfiguration({ lists: [] })).configuration;
  const elsewhere = placeOfOthers(configuration);
  if (elsewhere !== undefined) return refusedPlace(elsewhere);
  const { place, problems } = await configuredPlace(configuration, process.env);
  return place ?? refusedPlace(problems[0]!);
}

/** Where only other engines have the state: a file of the usual name beside the configuration is then another one. */
function placeOfOthers({
  backend,
  foreign,
}: Pick<Configuration, "backend" | "foreign">): Diagnostic | undefined {
  const isCloud = foreign.some(({ block }) => isCloudBlock(block));
  const isElsewhere = backend !== undefined && !isOwnBackend(backend.type);
  if (!isCloud && !isElsewhere) return undefined;
  const name = isElsewhere ? `backend ${quoted(backend.type)}` : "cloud";
  return errorDiagnostic(
    "Not for the embedded engine",
    `The state is in ${name}, where the embedded engine cannot look at it in this version. Use -engine=tofu. -state=PATH takes a state in a file.`,
  );
}

/** Whether it is `terraform { cloud { … } }`. */
const isCloudBlock = ({ type, body }: Block): boolean =>
  (type === "terraform" || type === "tofu") &&
  body.items.some((item) => item.kind === "block" && item.type === "cloud");

/** `-lock-timeout` in milliseconds: 0, no waiting, unless given. */
export const lockTimeoutOf = (options: Options): number =>
  parseDuration(options.value("lock-timeout") ?? "0s") ?? 0;

/** From the file, or from the engine where the command has one and was told so. */
export async function readStored(options: Options): Promise<Peeked> {
  const engine = options.has("engine") ? chosenEngine(options.value("engine"), process.env) : undefined;
  const fromEngine = engine !== undefined && options.value("state") === undefined;
  if (!fromEngine) return peekState(await statePlaceOf(options));
  const { pullState } = await import("../tofu/external-state.ts");
  return pullState(engine);
}

/** All of the engine's own, in OpenTofu's order: old objects, too, that replacements have left. */
export function storedInstances({ resources }: Pick<StateFile, "resources">): readonly StoredInstance[] {
  return [...resources]
    .sort(
      ([, a], [, b]) =>
        compareText(a.module, b.module) || compareText(a.type, b.type) || compareText(a.name, b.name),
    )
    .flatMap(([resource, { type, name, instances, deposed }]) =>
      [...instances.values(), ...(deposed?.values() ?? [])]
        .sort((a, b) => compareKeys(a.key, b.key) || compareText(a.deposed ?? "", b.deposed ?? ""))
        .map((stored) => ({ address: instanceAddress(resource, stored.key), resource, type, name, stored })),
    );
}

/** The addresses, each once. */
export const addressesOf = (instances: readonly { readonly address: string }[]): readonly string[] => [
  ...new Set(instances.map(({ address }) => address)),
];

/**
 * Those that the addresses name: of instances, or of resources and modules, which stand for all of their instances.
 *
 * @returns a problem when one of them names nothing
 */
export function selectInstances(
  instances: readonly StoredInstance[],
  addresses: readonly string[],
): { readonly selected: readonly StoredInstance[]; readonly problem?: Diagnostic } {
  const known = new Set(instances.flatMap(namesOf));
  const unknown = addresses.find((address) => !known.has(address));
  if (unknown !== undefined) return { selected: [], problem: noSuchAddress(unknown, known) };
  const wanted = new Set(addresses);
  return { selected: instances.filter((instance) => namesOf(instance).some((name) => wanted.has(name))) };
}

const namesOf = ({ address, resource }: StoredInstance): readonly string[] => [
  address,
  resource,
  ...modulesOf(resource),
];

/** Every module that a resource is in, with its key and without: `module.a`, `module.a["x"]`. */
export function modulesOf(resource: string): readonly string[] {
  if (!resource.startsWith("module.")) return [];
  const { modules = [] } = parseAddress(resource) ?? {};
  return modules.flatMap(({ name, key }, at) => {
    const before = modules.slice(0, at);
    const call = moduleText({ modules: [...before, { name, key: undefined }] });
    return key === undefined ? [call] : [call, moduleText({ modules: [...before, { name, key }] })];
  });
}

function noSuchAddress(address: string, known: Iterable<string>): Diagnostic {
  const near = nearest(address, known);
  const quotes = /\[[^"\d]/.test(address)
    ? ` The shell takes quotes away: write '${address.replace(/\[(.*)\]$/, '["$1"]')}'.`
    : "";
  return errorDiagnostic(
    "There is nothing at this address",
    `${address} is not in the state.${near === undefined ? "" : ` Did you mean ${near}?`}${quotes} conn3x state list shows what is.`,
  );
}

/** The object of an instance with its sensitive parts marked; a problem when another version wrote it. */
export function storedValue({ address, type, stored }: StoredInstance): Value | Diagnostic {
  const schema = providerSchema.resources.get(type);
  const read = schema && fromJson(parseJson(stored.attributes), schemaType(schema));
  if (schema === undefined || read === undefined || isConversionError(read)) return notOurs(address);
  // What the schema says is sensitive is so whatever the state says.
  const marks = [
    ...readSensitivePaths(stored.sensitivePaths),
    ...sensitiveIn({ schema, sensitive: schemaMarks(schema) }, read.value),
  ];
  return markPaths(read.value, withFollowing(schema, marks));
}

export const isProblem = (value: Value | Diagnostic): value is Diagnostic => "severity" in value;

const notOurs = (address: string): Diagnostic =>
  errorDiagnostic(
    `${address} cannot be shown`,
    "The state holds it in a form that this version of Conn3x does not know. It was written by another version.",
    { address },
  );
