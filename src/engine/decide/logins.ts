/**
 * @module How hosts are logged in to for reading and removing: by what is configured now, where it can be known before
 * anything is planned.
 */

import { type Endpoint, endpointOf } from "../../login/index.ts";
import type { InstanceKey } from "../../values/address.ts";
import { containsHidden, unmarkDeep } from "../../values/marks.ts";
import { at } from "../../values/path.ts";
import { objectValue, type Value } from "../../values/value.ts";
import { getPath, isEntries, isWhollyKnown } from "../../values/walk.ts";
import type { Loaded, LoadedResource } from "../evaluate/load.ts";
import { createWorld } from "../evaluate/names/world.ts";
import { type Expansion, expandResource, hasKey, keysOf, selfOf } from "../evaluate/resources/expansion.ts";
import { nothingKnown } from "../evaluate/resources/resource-values.ts";
import { circuitNames, type Subject, subjectOf } from "../evaluate/resources/subject.ts";

export interface Logins {
  /** The configured login of an instance, where it follows without anything being planned. */
  of(resource: string, key: InstanceKey): Value | undefined;
  /** What a circuit's host is logged in with, by its first step for which that is known; a circuit as a person names it. */
  ofHost(circuit: string, host: string): Value | undefined;
  /**
   * A login for an instance that is not configured any more: keys may have been renewed since it was made. It is that of
   * another instance of its circuit which is configured on the same host, by its name or, where that has changed, by its
   * address; who acts there is as stored.
   *
   * @param stored the object
   */
  besides(subject: Subject, stored: Value): Value | undefined;
}

interface Instance {
  /** The address of its resource. */
  readonly address: string;
  readonly key: InstanceKey;
}

export function configuredLogins(loaded: Loaded): Logins {
  // What is wrong here is said when the instance is planned.
  const world = createWorld({ ...loaded.surroundings, fixed: new Map() }, nothingKnown, () => undefined);
  const expansions = new Map<string, Expansion | undefined>();
  const expansionOf = ({ resource, module }: LoadedResource): Expansion | undefined => {
    const { address } = resource;
    if (!expansions.has(address)) {
      expansions.set(address, expandResource(resource, world.scope({}, undefined, module)).expansion);
    }
    return expansions.get(address);
  };
  const loginOf = (address: string, key: InstanceKey): Value | undefined => {
    const resource = loaded.resources.get(address);
    const ssh = resource?.decoder.blocks.get("ssh");
    if (resource === undefined || ssh === undefined) return undefined;
    const expansion = expansionOf(resource);
    if (expansion === undefined || !hasKey(expansion, key)) return undefined;
    let failed = false;
    const scope = world.scope(selfOf(expansion, key), undefined, resource.module);
    const login = ssh.decode(scope, ({ severity }) => {
      failed ||= severity === "error";
    });
    return failed || !isWhollyKnown(login) ? undefined : withoutMarks(login);
  };
  const circuits = new Map<string, ReadonlyMap<string, readonly Instance[]>>();
  /** A circuit's instances by host, one of each step. */
  const instancesOf = (circuit: string): ReadonlyMap<string, readonly Instance[]> => {
    const known = circuits.get(circuit);
    if (known !== undefined) return known;
    const byHost = new Map<string, Instance[]>();
    for (const [address, loadedResource] of loaded.resources) {
      const origin = loadedResource.resource.origin?.circuit;
      if (origin === undefined || !circuitNames(origin).includes(circuit)) continue;
      const expansion = expansionOf(loadedResource);
      for (const key of expansion === undefined ? [] : keysOf(expansion)) {
        const { host } = subjectOf(loadedResource.resource, address, key, expansion);
        if (host === undefined) continue;
        const others = byHost.get(host);
        if (others === undefined) byHost.set(host, [{ address, key }]);
        else if (others.at(-1)!.address !== address) others.push({ address, key });
      }
    }
    circuits.set(circuit, byHost);
    return byHost;
  };
  function* loginsOf(instances: readonly Instance[] = []): Iterable<Value> {
    for (const { address, key } of instances) {
      const login = loginOf(address, key);
      if (login !== undefined) yield login;
    }
  }
  const endpoints = new Map<string, ReadonlyMap<Endpoint, Value>>();
  /** What a circuit's hosts are logged in with, by where they are. */
  const byEndpoint = (circuit: string): ReadonlyMap<Endpoint, Value> => {
    const known = endpoints.get(circuit);
    if (known !== undefined) return known;
    const found = new Map<Endpoint, Value>();
    for (const instances of instancesOf(circuit).values()) {
      const [login] = loginsOf(instances);
      const endpoint = endpointOf(login);
      if (login !== undefined && endpoint !== undefined && !found.has(endpoint)) found.set(endpoint, login);
    }
    endpoints.set(circuit, found);
    return found;
  };
  return {
    of: loginOf,
    ofHost(circuit, host) {
      const [first] = loginsOf(instancesOf(circuit).get(host));
      return first;
    },
    besides({ circuit, host }, stored) {
      const old = getPath(stored, at("ssh"));
      const endpoint = endpointOf(old);
      if (circuit === undefined || host === undefined || old === undefined || endpoint === undefined)
        return undefined;
      for (const login of loginsOf(instancesOf(circuit).get(host)))
        if (endpointOf(login) === endpoint) return actingAs(old, login);
      const renamed = byEndpoint(circuit).get(endpoint);
      return renamed && actingAs(old, renamed);
    },
  };
}

const withoutMarks = (value: Value): Value => (containsHidden(value) ? unmarkDeep(value).value : value);

/** What says who acts on the host once logged in, and how long it may take: a step may have settings of its own. */
const actor = new Set(["become", "become_user", "become_method", "command_timeout"]);

/** One login with another's actor. */
function actingAs(old: Value, login: Value): Value {
  if (!isEntries(old.data) || !isEntries(login.data)) return login;
  const own = [...old.data].filter(([name]) => actor.has(name));
  return objectValue(new Map([...login.data, ...own]));
}
