/**
 * @module Where a host of a circuit is written: in its `hosts`, or in the local value that these come from.
 */

import { literalKey } from "../../compiler/literal.ts";
import type { NamedExpression } from "../../compiler/model.ts";
import type { SourceRange } from "../../diagnostics/source.ts";
import type { Expression, ObjectExpression } from "../../hcl/tree.ts";

export interface HostPlaces {
  /** The host's name; all hosts, where it does not stand in the text. */
  name(host: string): SourceRange;
  /** The host's value. */
  value(host: string): SourceRange;
  /** The name of one of its settings. */
  settingName(host: string, setting: string): SourceRange;
  /** What one of its settings is set to. */
  setting(host: string, setting: string): SourceRange;
}

type Item = ObjectExpression["items"][number];

export function hostPlaces(hosts: Expression, locals: ReadonlyMap<string, NamedExpression>): HostPlaces {
  const itemOf = (object: Expression, key: string, seen: ReadonlySet<string>): Item | undefined => {
    switch (object.kind) {
      case "parentheses":
        return itemOf(object.inner, key, seen);
      case "object":
        return object.items.findLast((item) => literalKey(item.key) === key);
      case "attributeAccess": {
        if (object.object.kind !== "variable" || object.object.name !== "local") return undefined;
        const local = seen.has(object.name) ? undefined : locals.get(object.name);
        return local && itemOf(local.expression, key, new Set([...seen, object.name]));
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
  const none: ReadonlySet<string> = new Set();
  const hostItem = (host: string) => itemOf(hosts, host, none);
  const settingItem = (host: string, setting: string) => {
    const item = hostItem(host);
    return item && itemOf(item.value, setting, none);
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
