/**
 * @module `import` blocks: what is on a host already becomes an instance. It is taken into the state that is planned
 * with, as if it had always been there, and read like everything else.
 */

import { type Address, type Import, readAddress } from "../../../compiler/index.ts";
import { type ImportedInstance, namedTarget, type Provider } from "../../../core/index.ts";
import {
  type Diagnostic,
  errorDiagnostic,
  hasErrors,
  warningDiagnostic,
} from "../../../diagnostics/diagnostic.ts";
import type { SourceRange } from "../../../diagnostics/source.ts";
import { evaluate } from "../../../eval/evaluate.ts";
import type { Scope } from "../../../eval/scope.ts";
import { endpointOf } from "../../../login/index.ts";
import { sensitiveIn } from "../../../schema/sensitive-parts.ts";
import {
  type InstanceKey,
  instanceAddress,
  moduleText,
  resourceAddress,
  resourceNameOf,
} from "../../../values/address.ts";
import { BigFloat } from "../../../values/big-float.ts";
import { containsHidden, containsMark } from "../../../values/marks.ts";
import { at } from "../../../values/path.ts";
import { isUnknown, type Value } from "../../../values/value.ts";
import { getPath, isWhollyKnown } from "../../../values/walk.ts";
import type { Loaded, LoadedResource } from "../../evaluate/load.ts";
import { configurationsOf } from "../../evaluate/modules/module-tree.ts";
import { createWorld } from "../../evaluate/names/world.ts";
import type { Problems } from "../../evaluate/problems.ts";
import { expand, keysOf, selfOf } from "../../evaluate/resources/expansion.ts";
import { nothingKnown } from "../../evaluate/resources/resource-values.ts";
import { State, type StateInstance } from "../../state/state.ts";
import { storedInstance } from "../../state/stored-object.ts";
import { configuredLogins, type Logins } from "../logins.ts";

/** An object to import. */
export interface ImportTarget {
  /** Address of the resource. */
  readonly resource: string;
  readonly key: InstanceKey;
  readonly id: string;
  /** Range of the block. Absent: from the command line. */
  readonly range?: SourceRange;
}

/** Import targets by address of the instance. */
export type Imports = ReadonlyMap<string, ImportTarget>;

export interface StateWithImports {
  /** A copy when something was imported, else the state itself. */
  readonly state: State;
  readonly imports: Imports;
}

/** The imports of the root module's blocks. Reports errors in them. */
export function importTargets(
  loaded: Loaded,
  problems: Problems,
  unknown: "error" | "passed" = "error",
): readonly ImportTarget[] {
  for (const { configuration, path } of configurationsOf(loaded.configuration))
    if (path.length > 0) for (const block of configuration.imports) problems.report(inModules(block));
  const { imports } = loaded.configuration;
  if (imports.length === 0) return [];
  const world = createWorld(loaded.surroundings, nothingKnown, (problem) => problems.report(problem));
  const found = new Map<string, ImportTarget>();
  for (const block of imports) {
    if (unknown === "passed" && isOpen(block, world.scope({}))) continue;
    const { expansion, diagnostics } = expand(block.forEach, undefined, world.scope({}));
    problems.reportAll(diagnostics);
    for (const key of expansion === undefined ? [] : keysOf(expansion)) {
      const scope = world.scope(selfOf(expansion!, key));
      if (unknown === "passed" && isUnknown(evaluate(block.id, scope).value)) continue;
      const target = targetOf(block, scope, problems);
      if (target === undefined) continue;
      const address = instanceAddress(target.resource, target.key);
      const other = found.get(address);
      if (other === undefined) found.set(address, target);
      else problems.report(twice(address, block.range));
    }
  }
  return [...found.values()];
}

/** Reports what is wrong with imports as far as it is known without a state and without a host. */
export function checkImports(loaded: Loaded, problems: Problems): void {
  const targets = importTargets(loaded, problems, "passed");
  // What the text has errors in may be what is to be imported.
  if (hasErrors(loaded.configuration.diagnostics)) return;
  for (const target of targets)
    if (!loaded.resources.has(target.resource)) problems.report(notConfigured(target));
}

/** Whether it is not known for which keys something is imported. */
function isOpen({ forEach }: Import, scope: Scope): boolean {
  const value = forEach && evaluate(forEach, scope).value;
  return value !== undefined && !isWhollyKnown(value);
}

function targetOf({ to, id, range }: Import, scope: Scope, problems: Problems): ImportTarget | undefined {
  const address = readAddress(to, (expression) => {
    const { value, diagnostics } = evaluate(expression, scope);
    problems.reportAll(diagnostics);
    const { data } = value;
    if (typeof data === "string") return data;
    return data instanceof BigFloat && data.isInteger ? data.toNumber() : undefined;
  });
  if (address?.resource === undefined) {
    problems.report(notAnInstance(to));
    return undefined;
  }
  const { value, diagnostics } = evaluate(id, scope);
  if (!problems.reportAll(diagnostics)) return undefined;
  const wrong = containsHidden(value)
    ? `It is ${containsMark(value, "sensitive") ? "sensitive" : "ephemeral"}, and ids are shown.`
    : isUnknown(value)
      ? "It is not known before an apply. Apply what it comes from first."
      : typeof value.data !== "string" || value.data === ""
        ? "It must be text."
        : undefined;
  if (wrong !== undefined) {
    problems.report(errorDiagnostic("This cannot be the id of an import", wrong, { range: id }));
    return undefined;
  }
  return { ...placeOf(address, address.resource), id: value.data as string, range };
}

const placeOf = ({ modules }: Address, { key, ...name }: NonNullable<Address["resource"]>) => ({
  resource: resourceAddress({ module: moduleText({ modules }), type: name.type, name: name.name }),
  key,
});

/** Imports what is not in the state yet: what is there was imported by an earlier run. */
export async function takeInImports(
  state: State,
  targets: readonly ImportTarget[],
  loaded: Loaded,
  provider: Provider,
  problems: Problems,
): Promise<StateWithImports> {
  const missing = targets.filter(({ resource, key }) => state.get(resource, key) === undefined);
  if (missing.length === 0) return { state, imports: new Map() };
  const logins = configuredLogins(loaded);
  const found = await Promise.all(
    missing.map(async (target) => ({
      target,
      instance: await imported(target, loaded, logins, provider, problems),
    })),
  );
  const taking = new State(state.toFile({ serial: 0, lineage: "" }));
  const imports = new Map<string, ImportTarget>();
  for (const { target, instance } of found) {
    if (instance === undefined) continue;
    const { module, type, name } = resourceNameOf(target.resource);
    taking.put(type, name, instance, module);
    imports.set(instanceAddress(target.resource, target.key), target);
  }
  return { state: taking, imports };
}

/** The instance as it is to be stored; undefined where there were errors. */
export async function imported(
  target: ImportTarget,
  loaded: Loaded,
  logins: Logins,
  provider: Provider,
  problems: Problems,
): Promise<StateInstance | undefined> {
  const { resource, key, id, range } = target;
  const address = instanceAddress(resource, key);
  const place = range === undefined ? { address } : { address, range };
  const configured = loaded.resources.get(resource);
  if (configured === undefined) {
    problems.report(notConfigured(target));
    return undefined;
  }
  const answer = await provider.importResource(configured.type.name, id, importLogin(target, logins));
  problems.reportAll(answer.diagnostics.map((diagnostic) => ({ ...place, ...diagnostic })));
  const [first] = answer.imported;
  if (hasErrors(answer.diagnostics) || first === undefined) return undefined;
  const elsewhere = fromElsewhere(target, logins, first);
  if (elsewhere !== undefined) problems.report({ ...elsewhere, ...place });
  return asStored(first, key, configured);
}

/** The login of the host that the id of an import names, as far as the configuration has it. */
export function importLogin({ resource, key, id }: ImportTarget, logins: Logins): Value | undefined {
  const own = logins.of(resource, key);
  const named = namedTarget(id);
  if (named === undefined) return own;
  const host = logins.ofHost(named.circuit, named.host);
  // A step may log in as another user than the first one.
  return own !== undefined && host !== undefined && endpointOf(own) === endpointOf(host) ? own : host;
}

/** The error for an object on another host than the one that it is configured for. */
export function fromElsewhere(
  { resource, key }: ImportTarget,
  logins: Logins,
  { state }: ImportedInstance,
): Diagnostic | undefined {
  const login = logins.of(resource, key);
  const from = getPath(state, at("ssh", "address"))?.data;
  const to = login && getPath(login, at("address"))?.data;
  if (to === undefined || from === to) return undefined;
  return anotherHost(instanceAddress(resource, key), from, to);
}

const anotherHost = (address: string, from: unknown, to: unknown): Diagnostic =>
  warningDiagnostic(
    "Imported from another host",
    `The id of ${address} leads to ${from}, and the configuration to ${to}: the next plan makes it there, and no longer knows the one on ${from}.`,
  );

function asStored(
  { state, private: secret }: ImportedInstance,
  key: InstanceKey,
  { type, dependencies, createBeforeDestroy }: LoadedResource,
): StateInstance {
  return storedInstance({
    key,
    tainted: false,
    schemaVersion: type.schema.version,
    object: state,
    marks: sensitiveIn(type, state),
    type: type.objectType,
    private: secret,
    dependencies,
    createBeforeDestroy,
  });
}

/** What was to be imported and is nothing that the configuration has: it would be deleted at once. */
export function notConfigured({ resource, key, range }: ImportTarget): Diagnostic {
  const address = instanceAddress(resource, key);
  return errorDiagnostic(
    "There is no configuration for what is imported",
    `${address} is not configured: write the resource, or the step, first. Its settings say what becomes of the object.`,
    range === undefined ? { address } : { address, range },
  );
}

const inModules = ({ range }: Import): Diagnostic =>
  errorDiagnostic(
    "An import block in a module",
    "Only the root module may have these: put it there, with the module in its address (module.NAME.…).",
    { range },
  );

const twice = (address: string, range: SourceRange): Diagnostic =>
  errorDiagnostic("Two import blocks for one instance", `Another block imports ${address} too.`, { range });

const notAnInstance = (range: SourceRange): Diagnostic =>
  errorDiagnostic(
    "This is not the address of an instance",
    'Write where the object goes: conn3x_file.motd, conn3x_file.web__config["web1"]. Keys are known before an apply.',
    { range },
  );
