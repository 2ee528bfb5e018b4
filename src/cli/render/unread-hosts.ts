/**
 * @module Which hosts of a plan were not read, and which in part only: what is chosen with `-target` and its likes is all that
 * is looked at.
 */
import type { Plan, PlannedChange } from "../../engine/index.ts";
import { kinds } from "../../resources/index.ts";
import { compareText } from "../../values/set-order.ts";
import { isNull } from "../../values/value.ts";
import { listed } from "./reason.ts";

/** Names of hosts, in order. */
export interface UnreadHosts {
  /** Nothing that is stored about them was read. */
  readonly wholly: readonly string[];
  /** Some of it was. */
  readonly inPart: readonly string[];
}

export function unreadHosts(changes: readonly PlannedChange[]): UnreadHosts {
  const read = hostsOf(changes.filter(isRead));
  const unread = [...hostsOf(changes.filter((change) => change.unread))].sort(compareText);
  return {
    wholly: unread.filter((host) => !read.has(host)),
    inPart: unread.filter((host) => read.has(host)),
  };
}

/** Whether everything that was to be read was: of the rest nobody knows whether it is as configured. */
export const wasReached = ({ changes }: Pick<Plan, "changes">): boolean =>
  !changes.some(({ unreached }) => unreached);

/** Likewise, once the plan is applied: what was changed was reached then, whether or not it could be read before. */
export const nothingLeftUnread = (plan: Pick<Plan, "changes">): boolean => leftUnread(plan).length === 0;

const leftUnread = ({ changes }: Pick<Plan, "changes">): readonly PlannedChange[] =>
  changes.filter(({ unreached, decision }) => unreached && decision.action === "none");

/** ` 1 of 2 hosts was not read: web2.` of what an applied plan has left unread; empty when nothing is. */
export function leftUnreadText(plan: Pick<Plan, "changes">): string {
  const wholly = [...hostsOf(leftUnread(plan))].sort(compareText);
  return unreadText({ wholly, inPart: [] }, hostsOf(plan.changes).size);
}

/**
 * Of a handler or a command that was run nothing is on a host. What is to be made was looked for there, unless it is said
 * to be unread.
 */
const isRead = ({ unread, type, role, before, decision }: PlannedChange): boolean =>
  !unread && role !== "handler" && (decision.action === "create" || !isNull(before)) && isFound(type);

/** Whether what resources of the type are like is found on a host. */
function isFound(type: string): boolean {
  const kind = kinds.get(type);
  return kind === undefined || Object.values(kind.schema.attributes).some(({ observed }) => observed);
}

/** ` 1 of 2 hosts was not read: web2.`; empty when all were. */
export function unreadText({ wholly, inPart }: UnreadHosts, all: number): string {
  return sentence(wholly, all, "not read") + sentence(inPart, all, "read in part");
}

const sentence = (hosts: readonly string[], all: number, how: string): string =>
  hosts.length === 0
    ? ""
    : ` ${hosts.length} of ${hostCount(all)} ${hosts.length === 1 ? "was" : "were"} ${how}: ${listed(hosts)}.`;

export const hostsOf = (changes: readonly PlannedChange[]): Set<string> =>
  new Set(changes.flatMap(({ host }) => (host === undefined ? [] : [host])));

/** ` on 3 hosts`; nothing where the instances are hand-written resources, which are of no circuit's host. */
export const onHosts = (count: number): string => (count === 0 ? "" : ` on ${hostCount(count)}`);

export const hostCount = (count: number): string => `${count} ${count === 1 ? "host" : "hosts"}`;
