/**
 * @module Addresses of resources, instances and modules, as written in `moved`, `removed` and `import` blocks.
 */

import type { Expression } from "../hcl/tree.ts";
import type { InstanceKey } from "../values/address.ts";
import { literalString } from "./hosts/literal.ts";
import type { Address } from "./model.ts";

/** One name in an address, with the key in brackets after it. */
interface Part {
  readonly name: string;
  readonly key: InstanceKey;
}

/**
 * @param keyOf gives the key for the expression in brackets; default: only string and number literals are keys
 * @returns undefined for an expression that is not an address
 */
export function readAddress(
  expression: Expression,
  keyOf: (key: Expression) => InstanceKey = literalKey,
): Address | undefined {
  const parts = partsOf(expression, keyOf);
  if (parts === undefined) return undefined;
  const modules: Part[] = [];
  let at = 0;
  while (parts[at]?.name === "module" && parts[at + 1] !== undefined) {
    if (parts[at]!.key !== undefined) return undefined;
    modules.push(parts[at + 1]!);
    at += 2;
  }
  const [type, name, extra] = parts.slice(at);
  if (type === undefined) return modules.length === 0 ? undefined : { modules, resource: undefined };
  if (name === undefined || extra !== undefined || type.key !== undefined) return undefined;
  return { modules, resource: { type: type.name, ...name } };
}

function partsOf(
  expression: Expression,
  keyOf: (key: Expression) => InstanceKey,
): readonly Part[] | undefined {
  switch (expression.kind) {
    case "variable":
      return [{ name: expression.name, key: undefined }];
    case "attributeAccess": {
      const before = partsOf(expression.object, keyOf);
      return before && [...before, { name: expression.name, key: undefined }];
    }
    case "index": {
      const before = partsOf(expression.collection, keyOf);
      const key = keyOf(expression.key);
      const last = before?.at(-1);
      return before === undefined || last === undefined || last.key !== undefined || key === undefined
        ? undefined
        : [...before.slice(0, -1), { name: last.name, key }];
    }
    default:
      return undefined;
  }
}

const literalKey = (key: Expression): InstanceKey =>
  key.kind === "number" ? Number(key.text) : literalString(key);
