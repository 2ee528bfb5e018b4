/**
 * @module The objects that the instances of a run hold, for those who meet one instance after the other: each is compared
 * with the earlier ones that are about the same, so that a thousand of them do not make a million comparisons.
 */
import type { Diagnostic } from "../../diagnostics/diagnostic.ts";
import { fieldsOf } from "../../revision/proposal.ts";
import { at } from "../../values/path.ts";
import { isNull, unknownValue, type Value } from "../../values/value.ts";
import { valueKey } from "../../values/value-key.ts";
import { getPath } from "../../values/walk.ts";
import { contradictions } from "./contradictions.ts";
import type { Holder } from "./holder.ts";
import { searchesDirectory } from "./purged-paths.ts";
import { identitiesOf } from "./same-object.ts";
import { claimsOf } from "./shared-paths.ts";

export interface HeldObjects {
  /**
   * @param config what the holder is planned from: an instance may come again, and one with an equal configuration is the
   *   same
   * @returns why it and an earlier one cannot both be
   */
  meet(holder: Holder, config: Value): readonly Diagnostic[];
}

interface Met {
  readonly holder: Holder;
  /** Equal for equal configurations. */
  readonly config: string;
}

export function createHeldObjects(): HeldObjects {
  const met = new Map<string, Set<Met>>();
  const share = sharing();
  return {
    meet(holder, config) {
      const key = valueKey(config);
      const { known, sought } = keysOf(holder);
      const alike = [...new Set(sought.flatMap((one) => [...(met.get(one) ?? [])]))];
      const others = alike.filter((other) => other.config !== key);
      if (others.length === alike.length) {
        const one = { holder: { ...holder, planned: share(holder.planned) }, config: key };
        for (const name of known) met.set(name, (met.get(name) ?? new Set()).add(one));
      }
      return others.flatMap((other) => contradictions([other.holder, holder]));
    },
  };
}

/** What an instance is found by, and what it finds others by: objects, paths, and what searches directories of a host. */
function keysOf(holder: Holder): { readonly known: readonly string[]; readonly sought: readonly string[] } {
  const claims = claimsOf(holder);
  const searches = searchesDirectory(holder);
  const hosts = [...new Set(claims.map(({ host }) => host))];
  const objects = [...identitiesOf(holder), ...claims.map(({ path, host }) => `at ${path} ${host}`)];
  const all = hosts.map((host) => `all ${host}`);
  const searching = hosts.map((host) => `searching ${host}`);
  return {
    known: [...objects, ...all, ...(searches ? searching : [])],
    sought: [...objects, ...searching, ...(searches ? all : [])],
  };
}

/** Characters of a text that is kept for comparison: longer ones are compared by their hashes. */
const longestKept = 16 * 1024;

/** Objects as small as they can be compared: thousands of them are kept. Equal logins and nulls are one value. */
function sharing(): (object: Value) => Value {
  const logins = new Map<string, Value>();
  const nulls = new Map<string, Value>();
  const once = (values: Map<string, Value>, key: string, value: Value): Value => {
    const known = values.get(key);
    if (known === undefined) values.set(key, value);
    return known ?? value;
  };
  return (object) => {
    const fields = fieldsOf(object);
    if (fields === undefined) return object;
    const kept = [...fields].map(([name, value]): readonly [string, Value] => {
      if (isNull(value)) return [name, once(nulls, name, value)];
      const isLong = typeof value.data === "string" && value.data.length > longestKept;
      return [name, isLong ? unknownValue(value.type) : value];
    });
    const ssh = getPath(object, at("ssh"));
    const login = ssh === undefined ? undefined : once(logins, valueKey(ssh), ssh);
    return { type: object.type, data: new Map([...kept, ...(login ? [["ssh", login] as const] : [])]) };
  };
}
