/**
 * @module What a look at a configuration's values takes for unknown: what this engine does not have, and what the
 * compiler could not make sense of and has reported.
 */

import { type Configuration, isLost, type Lost } from "../../../compiler/index.ts";
import type { Resolution } from "../../../eval/scope.ts";
import { brokenRoot } from "../../../hcl/parse/broken.ts";
import type { Block } from "../../../hcl/tree.ts";
import type { PathStep } from "../../../values/path.ts";
import { dynamicType } from "../../../values/type.ts";
import { unknownValue } from "../../../values/value.ts";

/** @returns undefined for names that have a meaning in a module with that configuration */
export function unknownNames(
  configuration: Configuration,
): (root: string, steps: readonly PathStep[]) => Resolution | undefined {
  const { foreign, lost } = configuration;
  const isMissing = lost === undefined ? () => false : missingNames(configuration, lost);
  const addresses = new Set(foreign.flatMap(({ block }) => addressOf(block) ?? []));
  const types = new Set(foreign.flatMap(({ block }) => otherType(block) ?? []));
  const declared = new Set(configuration.resources.map(({ type }) => type));
  // The compiler has said that there is none.
  const isUndeclared = (root: string): boolean => root.includes("_") && !declared.has(root);
  return (root, steps) => {
    const [first] = steps;
    const name =
      first === undefined || "index" in first ? "" : "attribute" in first ? first.attribute : first.key;
    return root === brokenRoot ||
      anyOf.has(root) ||
      types.has(root) ||
      isUndeclared(root) ||
      addresses.has(`${root}.${name}`) ||
      isMissing(root, name)
      ? { value: unknownValue(dynamicType), consumed: steps.length }
      : undefined;
  };
}

/** Roots of which the language says what they mean. */
const ownRoots: ReadonlySet<string> = new Set(["each", "count", "self", "path", "terraform", "tofu"]);

/** Whether a name may be that of something that was not understood, or not all of it. */
function missingNames(
  { variables, locals, modules, resources }: Configuration,
  lost: Lost,
): (root: string, name: string) => boolean {
  const values: Readonly<Record<string, ReadonlyMap<string, unknown>>> = {
    var: variables,
    local: locals,
    module: modules,
  };
  const understood = resources.filter(({ name }) => !lost.members.has(name));
  const addresses = new Set(understood.map(({ address }) => address));
  return (root, name) => {
    if (ownRoots.has(root) || !isLost(root, name, lost)) return false;
    return Object.hasOwn(values, root) ? !values[root]!.has(name) : !addresses.has(`${root}.${name}`);
  };
}

const anyOf: ReadonlySet<string> = new Set(["data", "ephemeral"]);

/** Of what may be declared by a block that this engine does not accept beside others of its type that it does. */
function addressOf({ type, labels }: Block): string | undefined {
  const names = labels.map(({ value }) => value).join(".");
  return type === "resource" ? names : type === "module" ? `module.${names}` : undefined;
}

const otherType = ({ type, labels }: Block): string | undefined =>
  type === "resource" && !labels[0]?.value.startsWith("conn3x_") ? labels[0]?.value : undefined;
