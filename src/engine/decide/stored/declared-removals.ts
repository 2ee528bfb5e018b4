/**
 * @module `removed` blocks and the instances that they name.
 */
import type { Configuration, Removed } from "../../../compiler/index.ts";
import { parseAddress } from "../../../values/address.ts";
import { configurationsOf } from "../../evaluate/modules/module-tree.ts";
import type { PlannedInstance } from "../planned-instance.ts";

/** A block, and the names of the calls that lead to where it stands. */
export type DeclaredRemoval = Removed & { readonly path: readonly string[] };

/** The blocks of a configuration and of the modules that it calls. */
export const removalsOf = (configuration: Configuration): readonly DeclaredRemoval[] =>
  [...configurationsOf(configuration)].flatMap(({ configuration: { removed }, path }) =>
    removed.map((block) => ({ ...block, path })),
  );

/** Whether a block is about an instance. A module or resource without a key means all of its instances. */
export function isRemoved(
  { path, from: { modules, resource } }: DeclaredRemoval,
  { resource: address, key }: Pick<PlannedInstance, "resource" | "key">,
): boolean {
  const own = parseAddress(address);
  if (own === undefined) return false;
  const steps = [...path.map((name) => ({ name, key: undefined })), ...modules];
  const leadsThere = steps.every(
    (step, at) =>
      step.name === own.modules[at]?.name && (step.key === undefined || step.key === own.modules[at]?.key),
  );
  if (!leadsThere) return false;
  if (resource === undefined) return true;
  if (steps.length !== own.modules.length) return false;
  if (resource.type !== own.type || resource.name !== own.name) return false;
  return resource.key === undefined || resource.key === key;
}
