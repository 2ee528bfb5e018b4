/**
 * @module Paths through symbolic links that the same run makes: their host does not know yet where these lead to.
 */
import { groupBy } from "../../values/group-by.ts";
import { plainPath } from "../../values/host-path.ts";
import type { Holder } from "./holder.ts";
import { type Claim, claimsOf, knownSetting } from "./shared-paths.ts";

/** A symbolic link of one host. */
interface PlannedLink {
  readonly claim: Claim;
  readonly target: string;
}

/** As many as the kernel follows; path_resolution(7). */
const mostLinks = 40;

/** The instances, with the paths of their objects as they will be once the links are there. */
export function throughPlannedLinks(instances: readonly Holder[]): readonly Holder[] {
  const links = instances.flatMap(linksOf);
  if (links.length === 0) return instances;
  const byHost = groupBy(links, ({ claim }) => claim.host);
  return instances.map((instance) => {
    const found = claimsOf(instance).flatMap((claim) => {
      const real = pathThrough(byHost.get(claim.host) ?? [], claim);
      return real === claim.written ? [] : [[String(knownSetting(instance.planned, claim.setting)), real]];
    });
    if (found.length === 0) return instance;
    return { ...instance, realNames: { ...instance.realNames, ...Object.fromEntries(found) } };
  });
}

/** What is as it is to be is there, so that where it leads to was seen. */
function linksOf(instance: Holder): readonly PlannedLink[] {
  if (instance.decision?.action === "none") return [];
  return claimsOf(instance).flatMap((claim) =>
    claim.what === "link" && claim.leadsTo !== undefined ? [{ claim, target: claim.leadsTo }] : [],
  );
}

function pathThrough(links: readonly PlannedLink[], { written, followsLinks, holder }: Claim): string {
  let path = written;
  for (let hops = 0; hops < mostLinks; hops += 1) {
    const link = links.find(
      ({ claim }) =>
        path.startsWith(`${claim.written}/`) ||
        (path === claim.written && followsLinks && isAfter(holder, claim.holder)),
    );
    if (link === undefined) return path;
    const at = link.claim.written;
    const target = link.target.startsWith("/")
      ? link.target
      : `${at.slice(0, at.lastIndexOf("/"))}/${link.target}`;
    path = withoutDots(`${target}${path.slice(at.length)}`);
  }
  return written;
}

const isAfter = ({ loaded }: Holder, link: Holder): boolean =>
  link.loaded !== undefined && loaded?.allAfter.includes(link.loaded.resource.address) === true;

/** By its text: what `..` leads to is another directory only below a further link. */
function withoutDots(path: string): string {
  const parts: string[] = [];
  for (const part of plainPath(path).split("/").slice(1)) {
    if (part === "..") parts.pop();
    else if (part !== ".") parts.push(part);
  }
  return `/${parts.join("/")}`;
}
