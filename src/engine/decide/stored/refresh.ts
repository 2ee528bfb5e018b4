/**
 * @module Reads stored instances from their hosts: all in the same tick, so that each host
 * is asked once.
 */

import { isDeepStrictEqual } from "node:util";
import type { Provider, RealNames } from "../../../core/index.ts";
import { type Diagnostic, errorDiagnostic, hasErrors } from "../../../diagnostics/diagnostic.ts";
import type { Endpoint } from "../../../login/index.ts";
import { differences } from "../../../revision/compare.ts";
import { sensitiveIn } from "../../../schema/sensitive-parts.ts";
import type { InstanceKey } from "../../../values/address.ts";
import { valuesEqual } from "../../../values/equal.ts";
import type { MarkedPath } from "../../../values/marks.ts";
import { formatPath } from "../../../values/path.ts";
import { isNull, type Value } from "../../../values/value.ts";
import { now } from "../../clock.ts";
import type { Loaded, LoadedResource, LoadedType } from "../../evaluate/load.ts";
import type { Problems } from "../../evaluate/problems.ts";
import { type Subject, subjectOf } from "../../evaluate/resources/subject.ts";
import { withoutSecrets } from "../../evaluate/without-secrets.ts";
import type { EventSink } from "../../event.ts";
import { eventId } from "../../event-id.ts";
import { readSensitivePaths } from "../../state/sensitive-paths.ts";
import type { StateInstance, StateResource } from "../../state/state.ts";
import { type HostWindow, hostWindow } from "../host-window.ts";
import type { Logins } from "../logins.ts";
import { loginPlace, type Share, sharedValues, withSharedLogin } from "../objects/shared-values.ts";
import type { Imports } from "./imports.ts";
import { movedFrom } from "./moved-host.ts";

/** One stored instance after a read. */
export interface Refreshed {
  readonly subject: Subject;
  /** Address of its resource. */
  readonly resource: string;
  readonly key: InstanceKey;
  readonly type: LoadedType;
  readonly stored: StateInstance;
  /** The object in the state, in today's schema. Without marks, as all objects here. */
  readonly before: Value;
  /** The object as the read left it; null when it is gone from its host. */
  readonly object: Value;
  readonly private: Uint8Array;
  /** The `ssh` block that its host is configured with, where it can be known before anything is planned. */
  readonly login: Value | undefined;
  /** Where the stored object is sensitive. */
  readonly marks: readonly MarkedPath[];
  /** Where it was made, when its host is configured to be somewhere else now. */
  readonly movedFrom: Endpoint | undefined;
  /** Whether the host was asked and did not say: what is stored stands for it. Not where there is nothing to ask. */
  readonly unread: boolean;
  /** Whether it was to be read and could not be. */
  readonly unreached?: true;
  /** The id that it is imported by, where this run does so. */
  readonly importing?: string | undefined;
  /** What its host calls the object, where that is another name than the stored one. */
  readonly realNames?: RealNames;
  /** For an object that is gone: whether another machine is at its host's address now. */
  readonly rebuilt?: true;
  /** Whether the state is to be written again even when nothing else happens to the instance. */
  readonly changed: boolean;
}

export type RefreshedInstances = ReadonlyMap<string, ReadonlyMap<InstanceKey, Refreshed>>;

export interface RefreshOptions {
  readonly loaded: Loaded;
  readonly provider: Provider;
  /** By address: what is stored. */
  readonly resources: ReadonlyMap<string, StateResource>;
  /** What is read: of the rest the stored objects stand for the hosts' (C12). */
  readonly reads: (resource: string, subject: Subject) => boolean;
  readonly logins: Logins;
  /** What this run imports: it is in no state yet. */
  readonly imports?: Imports;
  /** Whether all of it is to end: it is looked for where it was made then, wherever its host is configured to be. */
  readonly ends?: boolean;
  readonly events: EventSink;
  /** Shared by reads whose questions are to travel together. */
  readonly window?: HostWindow;
}

/** Reads everything that is stored. By address of the resource, then by key. */
export async function refresh(options: RefreshOptions, problems: Problems): Promise<RefreshedInstances> {
  const refreshed = new Map<string, Map<InstanceKey, Refreshed>>();
  for (const instance of await refreshEach(options, ({ instances }) => instances.values(), problems)) {
    const resource = refreshed.get(instance.resource) ?? new Map<InstanceKey, Refreshed>();
    refreshed.set(instance.resource, resource.set(instance.key, instance));
  }
  return refreshed;
}

/** Reads the old objects that are still to be deleted. */
export const refreshDeposed = (options: RefreshOptions, problems: Problems): Promise<readonly Refreshed[]> =>
  refreshEach(options, ({ deposed }) => deposed?.values() ?? [], problems);

async function refreshEach(
  options: RefreshOptions,
  objectsOf: (resource: StateResource) => Iterable<StateInstance>,
  problems: Problems,
): Promise<readonly Refreshed[]> {
  const { window = hostWindow() } = options;
  const share = sharedValues();
  const reads: Promise<Refreshed | undefined>[] = [];
  for (const [address, resource] of options.resources) {
    const type = options.loaded.types.get(resource.type);
    if (type === undefined) {
      problems.report(unknownType(address));
      continue;
    }
    for (const stored of objectsOf(resource)) {
      const unread = unreadInstance(options, address, type, stored, share, problems);
      if (unread === undefined) continue;
      reads.push(
        unread.importing !== undefined || options.reads(address, unread.subject)
          ? window.run(unread.subject.host, () => readInstance(options, unread, problems))
          : Promise.resolve(unread),
      );
    }
  }
  return (await Promise.all(reads)).filter((instance) => instance !== undefined);
}

function unreadInstance(
  { loaded, provider, logins, imports, ends = false }: RefreshOptions,
  address: string,
  type: LoadedType,
  stored: StateInstance,
  share: Share,
  problems: Problems,
): Refreshed | undefined {
  const subject = subjectOf(loaded.resources.get(address)?.resource, address, stored.key);
  const upgraded = provider.upgradeState(type.name, stored.schemaVersion, stored.attributes);
  problems.reportAll(upgraded.diagnostics.map((diagnostic) => ({ address: subject.address, ...diagnostic })));
  if (upgraded.value === undefined) return undefined;
  const object = withSharedLogin(upgraded.value, subject.host, share);
  const login = logins.of(address, stored.key) ?? logins.besides(subject, object);
  const configured = login && share(loginPlace(subject.host), login);
  const from = movedFrom(object, configured);
  const leaves = ends && from !== undefined;
  return {
    subject,
    resource: address,
    key: stored.key,
    type,
    stored,
    before: object,
    object,
    private: stored.private,
    marks: storedMarks(sensitiveIn(type, object), stored.sensitivePaths),
    login: leaves ? undefined : configured,
    movedFrom: leaves ? undefined : from,
    unread: subject.role !== "handler",
    importing: imports?.get(subject.address)?.id,
    changed:
      imports?.has(subject.address) === true ||
      stored.schemaVersion !== type.schema.version ||
      isStoredOtherwise(stored, loaded.resources.get(address)),
  };
}

/** Whether the order that the configuration gives the resource is another than the stored one, which destroys go by. */
const isStoredOtherwise = (stored: StateInstance, configured: LoadedResource | undefined): boolean =>
  configured !== undefined &&
  (stored.createBeforeDestroy !== configured.createBeforeDestroy ||
    !isDeepStrictEqual(stored.dependencies, configured.dependencies));

/** What is stored as sensitive, and what the schema says is so. */
function storedMarks(sensitive: readonly MarkedPath[], text: string): readonly MarkedPath[] {
  const stored = readSensitivePaths(text);
  if (stored.length === 0) return sensitive;
  const said = new Set(sensitive.map(({ path }) => formatPath(path)));
  const more = stored.filter(({ path }) => !said.has(formatPath(path)));
  return more.length === 0 ? sensitive : [...more, ...sensitive];
}

async function readInstance(
  { provider, events }: RefreshOptions,
  unread: Refreshed,
  problems: Problems,
): Promise<Refreshed | undefined> {
  const { subject, type, before, login } = unread;
  const id = eventId(type, before, unread.marks);
  events({ kind: "refresh_start", subject, id, at: now() });
  const response = await provider.readResource({
    type: type.name,
    current: before,
    private: unread.private,
    ...(login === undefined ? {} : { login }),
    sensitivePaths: unread.marks.map(({ path }) => path),
  });
  const said = withoutSecrets(response.diagnostics, before, unread.marks);
  events({ kind: "refresh_complete", subject, id: isNull(response.state) ? undefined : id, at: now() });
  // That its host is configured to be elsewhere is said by itself.
  if (response.rebuilt !== true || unread.movedFrom === undefined)
    problems.reportAll(said.map((diagnostic) => onHost(diagnostic, subject)));
  if (hasErrors(response.diagnostics)) return undefined;
  if (unread.importing !== undefined && isNull(response.state)) {
    problems.report(nothingThere(subject, unread.importing));
    return undefined;
  }
  const same = valuesEqual(response.state, before);
  // What is stored is somewhere else, and stays stored until it is made here.
  if (isNull(response.state) && unread.movedFrom !== undefined) {
    return { ...unread, object: response.state, unread: false };
  }
  return {
    ...unread,
    ...(response.rebuilt === true ? { rebuilt: true } : {}),
    // The same object where nothing differs: thousands of them are kept.
    object: same ? before : response.state,
    unread: response.unread === true,
    ...(response.unread === true ? { unreached: true } : {}),
    ...(response.realNames === undefined ? {} : { realNames: response.realNames }),
    private: isNull(response.state) ? unread.private : response.private,
    changed: unread.changed || !same || !sameBytes(response.private, unread.private),
  };
}

/** About a host rather than one of its instances: a host that does not answer is said once (C12). */
function onHost(diagnostic: Diagnostic, { host, address }: Subject): Diagnostic {
  if (diagnostic.attribute !== undefined || host === undefined) return { address, ...diagnostic };
  return { host, ...diagnostic };
}

const sameBytes = (a: Uint8Array, b: Uint8Array): boolean => Buffer.compare(a, b) === 0;

const nothingThere = ({ address }: Subject, id: string): Diagnostic =>
  errorDiagnostic("There is nothing to be imported", `${id} is not there: ${address} can only be created.`, {
    address,
  });

const unknownType = (address: string): Diagnostic => ({
  severity: "error",
  summary: "State holds a resource of an unknown type",
  detail: `${address} is not of a type that this version of Conn3x has. Use the version that made it.`,
  address,
});

/** Whether the hosts have something else than the state says. */
export function stateChanged(refreshed: RefreshedInstances): boolean {
  for (const instances of refreshed.values()) {
    for (const { before, object } of instances.values())
      if (before !== object && differences(before, object).length > 0) return true;
  }
  return false;
}
