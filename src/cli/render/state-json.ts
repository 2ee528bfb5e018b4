/**
 * @module A state in the form of `tofu show -json`.
 * Source: https://opentofu.org/docs/internals/json-format/#state-representation
 */
import { type StateFile, stateToolVersion } from "../../engine/state/state.ts";
import { isProblem, type StoredInstance, storedInstances, storedValue } from "../stored.ts";
import { exactJson } from "./exact-json.ts";
import { objectText, plainText } from "./json-object.ts";
import { rootModuleText } from "./modules-json.ts";
import { outputsMember } from "./output-json.ts";
import { sensitiveMask } from "./value-mask.ts";

/** What providers are called in it. */
export const providerName = "registry.opentofu.org/conn3x/conn3x";

/** One line. Sensitive values are in it, as in OpenTofu's. A state that was never written has no `values`. */
export function stateJson(file: StateFile): string {
  return objectText({
    format_version: plainText("1.0"),
    terraform_version: plainText(file.toolVersion === "" ? stateToolVersion : file.toolVersion),
    values: file.lineage === "" ? undefined : valuesJson(file),
  });
}

function valuesJson(file: StateFile): string {
  const instances = storedInstances(file);
  return objectText({
    outputs: file.outputs.size === 0 ? undefined : outputsMember(file.outputs),
    root_module: rootModuleText(
      instances.map((instance) => ({ address: instance.address, text: resourceJson(instance) })),
    ),
  });
}

function resourceJson(instance: StoredInstance): string {
  const { address, type, name, stored } = instance;
  const value = storedValue(instance);
  return objectText({
    address: plainText(address),
    mode: plainText("managed"),
    type: plainText(type),
    name: plainText(name),
    index: stored.key === undefined ? undefined : plainText(stored.key),
    provider_name: plainText(providerName),
    schema_version: plainText(stored.schemaVersion),
    values: isProblem(value) ? stored.attributes : exactJson(value),
    sensitive_values: isProblem(value) ? "{}" : plainText(sensitiveMask(value)),
    depends_on: stored.dependencies.length === 0 ? undefined : plainText(stored.dependencies),
    tainted: stored.tainted ? "true" : undefined,
  });
}
