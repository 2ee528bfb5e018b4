/**
 * @module Tells where objects of different kinds are to be at one path of a host: a file and a directory, a link and what
 * does not follow it. What edits a file that another step writes, as a line does, is at its path as well, and fine.
 */
import { type Diagnostic, errorDiagnostic } from "../../../diagnostics/diagnostic.ts";
import { fieldsOf } from "../../../revision/proposal.ts";
import type { BlockSchema, Occupant, Occupies } from "../../../schema/schema.ts";
import { groupBy } from "../../../values/group-by.ts";
import { plainPath } from "../../../values/host-path.ts";
import { at } from "../../../values/path.ts";
import { type Plain, toPlain } from "../../../values/plain.ts";
import { isNull, type Value } from "../../../values/value.ts";
import { getPath, isWhollyKnown } from "../../../values/walk.ts";
import { withFollowing } from "../../evaluate/resources/sensitive-parts.ts";
import { jumpPathOf } from "../jump-path-of.ts";
import { type Endpoint, endpointOf } from "../stored/moved-host.ts";
import { type Holder, isSkipped } from "./shared-objects.ts";

/** An instance, and what it wants to be at a path. */
export interface Claim extends Occupant {
  /** In its plain spelling. */
  readonly path: string;
  /** The setting that says the path. */
  readonly setting: string;
  /** Where its host is, for messages. */
  readonly endpoint: Endpoint;
  /** Equal for one host that is reached in one way. */
  readonly host: string;
  readonly holder: Holder;
}

/** One error for each path that cannot be what all want it to be, however many want it. */
export const placeConflicts = (claims: readonly Claim[]): readonly Diagnostic[] =>
  [...groupBy(claims, ({ path, host }) => `${path} ${host}`).values()].flatMap((here) => {
    for (const [i, claim] of here.entries()) {
      const other = here.slice(0, i).find((earlier) => excludes(earlier, claim));
      if (other !== undefined) return [twoThings(other, claim)];
    }
    return [];
  });

/** One error for each file of which one instance writes the whole content, and another a part that is otherwise there. */
export const contentConflicts = (claims: readonly Claim[]): readonly Diagnostic[] =>
  [...groupBy(claims, ({ path, host }) => `${path} ${host}`).values()].flatMap((here) => {
    const writer = here.find(({ whole }) => whole !== undefined);
    const text = writer?.whole?.text;
    const editor = writer && here.find(({ edits }) => edits?.(text ?? new Uint8Array()));
    return writer === undefined || editor === undefined ? [] : [undone(writer, editor)];
  });

function undone(writer: Claim, editor: Claim): Diagnostic {
  const { subject, loaded } = editor.holder;
  const range = loaded?.resource.range;
  const path = [writer, editor].some(hidesPath) ? "one file" : editor.path;
  return errorDiagnostic(
    "One file has two contents",
    `On ${editor.endpoint}, ${writer.holder.subject.address} writes the whole of ${path}, and ${subject.address} changes a part of it: each undoes in every run what the other has done. Put the line into the content, or leave the content to whoever changes it, with drift { ignore = ["content"] } (or "source").`,
    { address: subject.address, attribute: at(editor.setting), ...(range === undefined ? {} : { range }) },
  );
}

/** A setting of an object, if it is known. */
export function knownSetting(planned: Value, name: string): Plain | undefined {
  const value = fieldsOf(planned)?.get(name);
  return value !== undefined && isWhollyKnown(value) ? toPlain(value) : undefined;
}

interface OccupyingSetting {
  readonly setting: string;
  readonly occupies: Occupies;
}

const settingsOfSchemas = new WeakMap<BlockSchema, readonly OccupyingSetting[]>();

function occupyingSettings(schema: BlockSchema): readonly OccupyingSetting[] {
  const known = settingsOfSchemas.get(schema);
  if (known !== undefined) return known;
  const settings = Object.entries(schema.attributes).flatMap(([setting, { occupies }]) =>
    occupies === undefined ? [] : [{ setting, occupies }],
  );
  settingsOfSchemas.set(schema, settings);
  return settings;
}

/** What an instance wants to be on its host, and where. */
export function claimsOf(holder: Holder): readonly Claim[] {
  const { type, planned } = holder;
  const occupying = occupyingSettings(type.schema);
  const fields = occupying.length === 0 ? undefined : fieldsOf(planned);
  if (fields === undefined || isSkipped(planned)) return [];
  const known = (name: string) => knownSetting(planned, name);
  const ssh = getPath(planned, at("ssh"));
  const endpoint = endpointOf(ssh);
  if (endpoint === undefined) return [];
  const host = `${endpoint} ${jumpPathOf(ssh)}`;
  return occupying.flatMap(({ setting, occupies }) => {
    const value = fields.get(setting);
    if (value === undefined || isNull(value)) return [];
    const [path, occupant] = [known(setting), occupies(known)];
    if (typeof path !== "string" || occupant === undefined) return [];
    return [{ ...occupant, path: plainPath(path), setting, endpoint, host, holder }];
  });
}

/** Whether both cannot be. What follows a link that surely is there before it is at the place that this leads to. */
function excludes(a: Claim, b: Claim): boolean {
  const isAny = ({ what }: Claim) => what === "anything" || what === "nothing";
  if (a.what === b.what || isAny(a) || isAny(b)) return false;
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
  anything: "there",
  nothing: "there",
};

function twoThings(first: Claim, second: Claim): Diagnostic {
  const { subject, loaded } = second.holder;
  const range = loaded?.resource.range;
  const path = [first, second].some(hidesPath) ? "one path" : second.path;
  return errorDiagnostic(
    "One path cannot be two things",
    `On ${second.endpoint}, ${first.holder.subject.address} wants ${path} to be ${words[first.what]}, and ${subject.address} wants it to be ${words[second.what]}. Give one of them another path, or leave it out.`,
    { address: subject.address, attribute: at(second.setting), ...(range === undefined ? {} : { range }) },
  );
}

export const hidesPath = ({ holder: { type, marks }, setting }: Claim): boolean =>
  withFollowing(type.schema, marks).some(
    ({ path: [step] }) => step === undefined || ("attribute" in step && step.attribute === setting),
  );
