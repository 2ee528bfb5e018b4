/**
 * @module Where the text of a circuit's host is: in `hosts`, or in the local value that `hosts` refers to.
 */

import { literalKey, type NamedExpression } from "../../../compiler/index.ts";
import type { SourceRange } from "../../../diagnostics/source.ts";
import type { Expression, ObjectExpression } from "../../../hcl/tree.ts";

export interface HostRanges {
  /** The host's name; all hosts, where it does not stand in the text. */
  name(host: string): SourceRange;
  /** The host's value. */
  value(host: string): SourceRange;
  /** The name of one of its settings. */
  settingName(host: string, setting: string): SourceRange;
  /** What one of its settings is set to. */
  setting(host: string, setting: string): SourceRange;
}

/** How many local values that lead to each other are followed: more need more stack than there may be. */
const longestChain = 200;

type Item = ObjectExpression["items"][number];

export function hostRanges(hosts: Expression, locals: ReadonlyMap<string, NamedExpression>): HostRanges {
  /** @param seen local values that were looked at: those that gave nothing give nothing again */
  const itemOf = (object: Expression, key: string, seen: Set<string>): Item | undefined => {
    switch (object.kind) {
      case "parentheses":
        return itemOf(object.inner, key, seen);
      case "object":
        return object.items.findLast((item) => literalKey(item.key) === key);
      case "attributeAccess": {
        if (object.object.kind !== "variable" || object.object.name !== "local") return undefined;
        if (seen.has(object.name) || seen.size === longestChain) return undefined;
        const local = locals.get(object.name);
        return local && itemOf(local.expression, key, seen.add(object.name));
      }
      case "call":
        if (object.name === "tomap") return object.args[0] && itemOf(object.args[0], key, seen);
        return object.name === "merge" && !object.expandFinal
          ? lastOf(object.args, (arg) => itemOf(arg, key, seen))
          : undefined;
      default:
        return undefined;
    }
  };
  const hostItem = (host: string) => itemOf(hosts, host, new Set());
  const settingItem = (host: string, setting: string) => {
    const item = hostItem(host);
    return item && itemOf(item.value, setting, new Set());
  };
  const value = (host: string): SourceRange => hostItem(host)?.value ?? hosts;
  return {
    name: (host) => hostItem(host)?.key ?? hosts,
    value,
    settingName: (host, setting) => settingItem(host, setting)?.key ?? value(host),
    setting: (host, setting) => settingItem(host, setting)?.value ?? value(host),
  };
}

/** What the last of them gives that gives anything: of a merge it is the one that counts. */
function lastOf<T, R>(items: readonly T[], find: (item: T) => R | undefined): R | undefined {
  for (const item of items.toReversed()) {
    const found = find(item);
    if (found !== undefined) return found;
  }
  return undefined;
}
