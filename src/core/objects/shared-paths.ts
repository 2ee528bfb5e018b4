/**
 * @module Reports where objects of different kinds are to be at one path of a host: a file and a directory, a link and what
 * does not follow it. What edits a file that another step writes, as a line does, is at its path as well, and fine.
 */
import { type Diagnostic, errorDiagnostic } from "../../diagnostics/diagnostic.ts";
import { type Endpoint, endpointOf, endpointText, jumpPathOf } from "../../login/index.ts";
import { fieldsOf } from "../../revision/proposal.ts";
import type { BlockSchema, Occupant, Occupies } from "../../schema/schema.ts";
import { withFollowing } from "../../schema/sensitive-parts.ts";
import { groupBy } from "../../values/group-by.ts";
import { plainPath } from "../../values/host-path.ts";
import { at } from "../../values/path.ts";
import { type Plain, toPlain } from "../../values/plain.ts";
import { isNull, type Value } from "../../values/value.ts";
import { getPath, isWhollyKnown } from "../../values/walk.ts";
import { type Holder, isSkipped, named, pointing } from "./holder.ts";

/** An instance, and what it wants to be at a path. */
export interface Claim extends Occupant {
  /** In its plain spelling, without links where its host was asked. */
  readonly path: string;
  /** In its plain spelling, as it is configured. */
  readonly written: string;
  /** The setting that says the path. */
  readonly setting: string;
  /** Where its host is, for messages. */
  readonly endpoint: Endpoint;
  /** Equal for one host that is reached by one jump path. */
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
  const path = [writer, editor].some(hidesPath) ? "one file" : spelled(editor, writer);
  return errorDiagnostic(
    "One file has two contents",
    `On ${endpointText(editor.endpoint)}, ${named(writer.holder)} writes the whole of ${path}, and ${named(editor.holder)} changes a part of it: each undoes in every run what the other has done. Put the line into the content, or leave the content to whoever changes it, with drift { ignore = ["content"] } (or "source").`,
    { ...pointing(editor.holder), attribute: at(editor.setting) },
  );
}

/** The path of one, and how the other calls that. */
const spelled = ({ written }: Claim, other: Claim): string =>
  written === other.written ? written : `${written} (${other.written} is the same there)`;

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
  const { type, planned, realNames } = holder;
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
    const real = realNames?.[path] ?? path;
    return [
      {
        ...occupant,
        path: plainPath(real),
        written: plainPath(path),
        setting,
        endpoint,
        host,
        holder,
      },
    ];
  });
}

/** Whether both cannot be true. A link that surely exists first is followed: what comes after is where it leads to. */
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
  const path = [first, second].some(hidesPath) ? "one path" : spelled(second, first);
  return errorDiagnostic(
    "One path cannot be two things",
    `On ${endpointText(second.endpoint)}, ${named(first.holder)} wants ${path} to be ${words[first.what]}, and ${named(second.holder)} wants it to be ${words[second.what]}. Give one of them another path, or leave it out.`,
    { ...pointing(second.holder), attribute: at(second.setting) },
  );
}

export const hidesPath = ({ holder: { type, marks }, setting }: Claim): boolean =>
  withFollowing(type.schema, marks).some(
    ({ path: [step] }) => step === undefined || ("attribute" in step && step.attribute === setting),
  );
