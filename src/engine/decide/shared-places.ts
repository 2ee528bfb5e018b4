/**
 * @module Tells where objects of different kinds are to be at one path of a host: a file and a directory, a link and what
 * does not follow it. What edits a file that another step writes, as a line does, is at its path as well, and fine.
 */
import { type Diagnostic, errorDiagnostic } from "../../diagnostics/diagnostic.ts";
import { fieldsOf } from "../../revision/proposal.ts";
import type { Occupant } from "../../schema/schema.ts";
import { at } from "../../values/path.ts";
import { type Plain, toPlain } from "../../values/plain.ts";
import { isNull } from "../../values/value.ts";
import { getPath, isWhollyKnown } from "../../values/walk.ts";
import { withFollowing } from "../load/sensitive-places.ts";
import { placeOf } from "./moved-host.ts";
import { type Holder, isSkipped } from "./shared-objects.ts";
import { wayOf } from "./way-of.ts";

/** An instance, and what it wants to be at a path. */
interface Claim extends Occupant {
  readonly path: string;
  /** The setting that says the path. */
  readonly setting: string;
  readonly holder: Holder;
}

/** One error for each path that cannot be what all want it to be, however many want it. */
export function placeConflicts(instances: readonly Holder[]): readonly Diagnostic[] {
  const claims = new Map<string, Claim[]>();
  const problems: Diagnostic[] = [];
  const told = new Set<string>();
  for (const claim of instances.flatMap(claimsOf)) {
    const ssh = getPath(claim.holder.planned, at("ssh"));
    const place = placeOf(ssh);
    if (place === undefined) continue;
    const name = JSON.stringify([claim.path, place, wayOf(ssh)]);
    const others = claims.get(name) ?? [];
    const other = others.find((earlier) => excludes(earlier, claim));
    if (other !== undefined && !told.has(name)) {
      told.add(name);
      problems.push(twoThings(other, claim, place));
    }
    claims.set(name, [...others, claim]);
  }
  return problems;
}

function claimsOf(holder: Holder): readonly Claim[] {
  const { type, planned } = holder;
  const fields = fieldsOf(planned);
  if (fields === undefined || isSkipped(planned)) return [];
  const known = (name: string): Plain | undefined => {
    const value = fields.get(name);
    return value !== undefined && isWhollyKnown(value) ? toPlain(value) : undefined;
  };
  return Object.entries(type.schema.attributes).flatMap(([setting, { occupies }]) => {
    const value = fields.get(setting);
    if (occupies === undefined || value === undefined || isNull(value)) return [];
    const [path, occupant] = [known(setting), occupies(known)];
    if (typeof path !== "string" || occupant === undefined) return [];
    return [{ ...occupant, path: path.replace(/\/+/g, "/").replace(/(.)\/$/, "$1"), setting, holder }];
  });
}

/** Whether both cannot be. What follows a link that surely is there before it is at the place that this leads to. */
function excludes(a: Claim, b: Claim): boolean {
  if (a.what === b.what) return false;
  const [link, other] = a.what === "link" ? [a, b] : [b, a];
  if (link.what !== "link") return true;
  const made = link.holder.loaded?.resource.address;
  const isAfter = made !== undefined && other.holder.loaded?.allAfter.includes(made) === true;
  return !(other.followsLinks && isAfter);
}

const words: Record<Occupant["what"], string> = {
  file: "a file",
  directory: "a directory",
  link: "a symbolic link",
};

function twoThings(first: Claim, second: Claim, place: string): Diagnostic {
  const { subject, loaded } = second.holder;
  const range = loaded?.resource.range;
  const path = [first, second].some(hidesPath) ? "one path" : second.path;
  return errorDiagnostic(
    "One path cannot be two things",
    `On ${place}, ${first.holder.subject.address} wants ${path} to be ${words[first.what]}, and ${subject.address} wants it to be ${words[second.what]}. Give one of them another path, or leave it out.`,
    { address: subject.address, attribute: at(second.setting), ...(range === undefined ? {} : { range }) },
  );
}

const hidesPath = ({ holder: { type, marks }, setting }: Claim): boolean =>
  withFollowing(type.schema, marks).some(
    ({ path: [step] }) => step === undefined || ("attribute" in step && step.attribute === setting),
  );
