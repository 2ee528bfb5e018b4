/**
 * @module How hosts are logged in to for reading: by what is configured now, where it can be known before anything is
 * planned.
 */
import { containsMark, unmarkDeep } from "../../values/marks.ts";
import type { Value } from "../../values/value.ts";
import { isWhollyKnown } from "../../values/walk.ts";
import { type Expansion, expand, hasKey, selfOf } from "../load/expansion.ts";
import type { Loaded } from "../load/load.ts";
import { createWorld, nothingKnown } from "../load/world.ts";
import type { InstanceKey } from "../plan.ts";

/** The configured login of an instance, where it follows without anything being planned. */
export function configuredLogins(loaded: Loaded): (resource: string, key: InstanceKey) => Value | undefined {
  // What is wrong here is said when the instance is planned.
  const world = createWorld({ ...loaded.surroundings, fixed: new Map() }, nothingKnown, () => undefined);
  const expansions = new Map<string, Expansion | undefined>();
  return (address, key) => {
    const resource = loaded.resources.get(address);
    const ssh = resource?.decoder.blocks.get("ssh");
    if (resource === undefined || ssh === undefined) return undefined;
    if (!expansions.has(address)) {
      const { forEach, count } = resource.resource;
      expansions.set(address, expand(forEach, count, world.scope({})).expansion);
    }
    const expansion = expansions.get(address);
    if (expansion === undefined || !hasKey(expansion, key)) return undefined;
    let failed = false;
    const login = ssh.decode(world.scope(selfOf(expansion, key)), ({ severity }) => {
      failed ||= severity === "error";
    });
    return failed || !isWhollyKnown(login) ? undefined : withoutMarks(login);
  };
}

const withoutMarks = (value: Value): Value =>
  containsMark(value, "sensitive") ? unmarkDeep(value).value : value;
