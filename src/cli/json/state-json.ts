/**
 * @module A state in the form of `tofu show -json`.
 * Source: https://opentofu.org/docs/internals/json-format/#state-representation
 */
import { readCheckResults, type StateFile, stateToolVersion } from "../../engine/index.ts";
import type { UrnOf } from "../state/instance-name.ts";
import { isProblem, type StoredInstance, storedInstances, storedValue } from "../state/stored.ts";
import { checksData } from "./checks-json.ts";
import { exactJson } from "./exact-json.ts";
import { objectText, plainText } from "./json-object.ts";
import { memberItems, modulesJson, type Place, urnMember } from "./modules-json.ts";
import { outputsMember } from "./output-json.ts";
import { sensitiveMask } from "./value-mask.ts";

/** One line. Sensitive values are in it, as in OpenTofu's. A state that was never written has no `values`. */
export function stateJson(file: StateFile, urnOf: UrnOf): string {
  const checks = checksData(readCheckResults(file.checkResults));
  return objectText({
    format_version: plainText("1.0"),
    terraform_version: plainText(file.toolVersion === "" ? stateToolVersion : file.toolVersion),
    values: file.lineage === "" ? undefined : valuesJson(file, urnOf),
    checks: checks === undefined ? undefined : plainText(checks),
  });
}

const valuesJson = (file: StateFile, urnOf: UrnOf): string =>
  stateValues({
    outputs: file.outputs.size === 0 ? undefined : outputsMember(file.outputs),
    root_module: modulesJson(
      storedInstances(file).map((instance) => ({ ...instance, key: instance.stored.key })),
      (instance) => resourceJson(instance, urnOf),
    ),
  });

/** Of JSON texts. */
export const stateValues = (members: {
  readonly outputs: string | undefined;
  readonly root_module: string;
}): string => objectText(members);

function resourceJson(instance: StoredInstance & Place, urnOf: UrnOf): string {
  const { stored } = instance;
  const value = storedValue(instance);
  const texts = isProblem(value)
    ? { values: stored.attributes, sensitive_values: "{}" }
    : { values: exactJson(value), sensitive_values: plainText(sensitiveMask(value)) };
  return storedJson(instance, stored, urnOf, { deposed: stored.deposed, ...texts });
}

/** An instance as it is stored, with the JSON texts of its object. */
export const storedJson = (
  place: Place,
  stored: {
    readonly schemaVersion: number;
    readonly tainted: boolean;
    readonly dependencies: readonly string[];
  },
  urnOf: UrnOf,
  {
    deposed,
    ...texts
  }: { readonly values: string; readonly sensitive_values: string; readonly deposed?: string | undefined },
): string =>
  objectText({
    ...memberItems(place),
    schema_version: plainText(stored.schemaVersion),
    ...texts,
    depends_on: stored.dependencies.length === 0 ? undefined : plainText(stored.dependencies),
    tainted: stored.tainted ? "true" : undefined,
    deposed_key: deposed === undefined ? undefined : plainText(deposed),
    urn: urnMember(place.address, urnOf),
  });
