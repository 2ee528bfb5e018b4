/**
 * @module Reads a host's instances together though the engine asks for them one by one.
 *
 * The engine reads an instance when those that it depends on are read, so that a circuit of twenty steps costs twenty
 * round trips. Here a host's first read reads everything that the state knows of that host, in one; what the engine asks
 * for then is there already. An answer is given once: who asks again wants to know how it is now. It is read with the
 * login that its host is configured with.
 */
import type { Provider, ReadRequest, ReadResponse } from "../../core/index.ts";
import { readSensitivePaths } from "../../engine/index.ts";
import type { Value } from "../../values/value.ts";
import { valueKey } from "../../values/value-key.ts";
import { getPath } from "../../values/walk.ts";
import type { StoredForRead } from "../state/stored-for-reads.ts";
import type { ReadLogins, StoredLogin } from "../state/stored-logins.ts";

/**
 * @param provider of one connection, which serves one provider configuration
 * @param stored what the state holds; settles with nothing when that cannot be found out
 * @param logins that the configuration has for it; absent: all are as stored
 */
export function withPrefetch(
  provider: Provider,
  stored: Promise<readonly StoredForRead[]>,
  logins: ReadLogins = () => () => undefined,
): Provider {
  let index: Promise<Index> | undefined;
  const answers = new Map<string, Promise<ReadResponse>>();
  const begun = new Set<string>();

  return {
    ...provider,
    async readResource(request) {
      // Most of an engine's connections read nothing.
      index ??= stored.then((instances) => indexOf(provider, instances, logins));
      const known = await index;
      const key = requestKey(request.type, request.current, request.private);
      const group = known.groups.get(key);
      if (group !== undefined && !begun.has(group)) {
        begun.add(group);
        const members = known.members.get(group) ?? [];
        known.members.delete(group);
        for (const other of members) {
          const answer = readWith(provider, other.request, known.logins.get(other.key));
          // Whoever takes the answer sees what went wrong.
          answer.catch(() => undefined);
          answers.set(other.key, answer);
        }
      }
      const answer = answers.get(key);
      answers.delete(key);
      return answer ?? readWith(provider, request, known.logins.get(key));
    },
  };
}

async function readWith(
  provider: Provider,
  request: ReadRequest,
  stored: StoredLogin | undefined,
): Promise<ReadResponse> {
  if (stored === undefined) return provider.readResource(request);
  const response = await provider.readResource({ ...request, login: stored.login });
  if (stored.moved === undefined) return response;
  // That its host is configured to be elsewhere says more than that this is another machine.
  const said = response.rebuilt === true ? [] : response.diagnostics;
  return { ...response, diagnostics: [...said, stored.moved] };
}

interface Member {
  readonly key: string;
  readonly request: ReadRequest;
}

interface Index {
  /** By the key of an instance's read: the host of a provider configuration that it is on. */
  readonly groups: ReadonlyMap<string, string>;
  /** Instances that have not been read yet. */
  readonly members: Map<string, readonly Member[]>;
  /** By the key of an instance's read, where it is not the stored one. */
  readonly logins: ReadonlyMap<string, StoredLogin>;
}

function indexOf(provider: Provider, instances: readonly StoredForRead[], readLogins: ReadLogins): Index {
  const groups = new Map<string, string>();
  const members = new Map<string, Member[]>();
  const logins = new Map<string, StoredLogin>();
  const loginOf = readLogins(instances);
  for (const stored of instances) {
    if (!provider.schema.resources.has(stored.type)) continue;
    const { value } = provider.upgradeState(stored.type, stored.schemaVersion, stored.attributes);
    if (value === undefined) continue;
    const request = {
      type: stored.type,
      current: value,
      private: stored.private,
      sensitivePaths: readSensitivePaths(stored.sensitivePaths).map(({ path }) => path),
    };
    const key = requestKey(request.type, request.current, request.private);
    const configured = loginOf(stored, value);
    if (configured !== undefined) logins.set(key, configured);
    const login = configured?.login ?? getPath(value, [{ attribute: "ssh" }]);
    const group = `${stored.provider} ${login === undefined ? "" : valueKey(login)}`;
    groups.set(key, group);
    const others = members.get(group);
    if (others === undefined) members.set(group, [{ key, request }]);
    else others.push({ key, request });
  }
  return { groups, members, logins };
}

const requestKey = (type: string, current: Value, data: Uint8Array): string =>
  `${type} ${valueKey(current)} ${Buffer.from(data).toString("base64")}`;
