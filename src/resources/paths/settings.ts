/**
 * @module Settings that everything at a path has, their meaning, and the operations that set them.
 */
import { type Occupies, string } from "../../schema/schema.ts";
import { keepingCapabilities } from "../../script/capabilities.ts";
import { raw, type Script, script } from "../../script/script.ts";
import type { PlainObject } from "../../values/plain.ts";
import type { Identifier, NamedNeed } from "../kind.ts";
import type { ScriptOperation } from "../operation.ts";
import type { PathFacts } from "./path-facts.ts";

export const absolutePath = (occupies: Occupies) =>
  string({
    required: true,
    identity: true,
    occupies,
    equivalent: (a: string, b: string) => simplePath(a) === simplePath(b),
    describe: "Absolute path on the host. Another path is another object.",
    check: (path, show) => {
      if (!path.startsWith("/"))
        return `must be an absolute path${show(`, and "${path}" does not start with "/"`)}`;
      if (path.includes("\0")) return "must not contain a NUL character";
      // Two spellings of one path would be two objects that undo each other's work.
      if (/(^|\/)\.\.?(\/|$)/.test(path))
        return `must be written without "." and ".." as parts${show(`, not "${path}"`)}`;
      // The system has none but a directory there, whatever is to be made.
      const { what } = occupies(() => undefined) ?? {};
      if (path.length > 1 && path.endsWith("/") && what === "file")
        return `must not end with "/"${show(`, as "${path}" does`)}: that is a directory`;
      return path === "/" ? 'must not be the root directory "/"' : undefined;
    },
  });

/** Without what changes nothing of where a path leads. */
export const simplePath = (path: string): string => path.replace(/\/+/g, "/").replace(/(.)\/$/, "$1");

/** An object at a path is known by it. */
export const pathId: Identifier = { from: ["path"], of: (object) => String(object.path) };

/** An import's identity is the path. */
export const importPath = (identity: string): PlainObject => ({ path: identity });

/** @param standard what a new object gets: `0644` */
export const fileMode = (standard: string) =>
  string({
    optional: true,
    computed: true,
    observed: true,
    describe: `Permission bits in octal: \`0640\`. Unset: a new one gets \`${standard}\`, independent of the umask, an existing one keeps its own.`,
    check: (mode, show) =>
      /^0?[0-7]{3,4}$/.test(mode)
        ? undefined
        : `must be octal permission bits such as "0644"${show(`, not "${mode}"`)}`,
    equivalent: (a, b) => parseMode(a) === parseMode(b),
  });

/** Number 0 has one name everywhere; what others are called only their host knows. */
const principalSetting = {
  optional: true,
  computed: true,
  observed: true,
  equivalent: (a: string, b: string) => [a, b].every((name) => name === "root" || /^0+$/.test(name)),
  fits: (name: string, exact: string) => name === exact,
} as const;

export const owner = string({
  ...principalSetting,
  describe:
    "User name or number. Unset: a new object belongs to the acting user, an existing one keeps its owner.",
  check: (name) => badPrincipal(name),
});

export const group = string({
  ...principalSetting,
  describe: "Group name or number. Unset: as with `owner`.",
  check: (name) => badPrincipal(name),
});

const badPrincipal = (name: string): string | undefined =>
  name === "" || /[:\n\0]/.test(name) ? "must be a name or a number, without a colon" : undefined;

/** @throws RangeError for what is not octal; `check` lets no such mode through */
export function parseMode(text: string): number {
  if (!/^[0-7]+$/.test(text)) throw new RangeError(`not an octal mode: ${text}`);
  return Number.parseInt(text, 8);
}

export const formatMode = (mode: number): string => mode.toString(8).padStart(4, "0");

/** Mode, owner and group as the host has them, in the prior object's spelling where that means the same. */
export function observeMetadata(
  facts: PathFacts,
  prior: PlainObject,
): Pick<PlainObject, "mode" | "owner" | "group"> {
  const mode = prior.mode;
  return {
    mode: typeof mode === "string" && parseMode(mode) === facts.mode ? mode : formatMode(facts.mode),
    owner: principal(prior.owner, facts.owner, facts.uid),
    group: principal(prior.group, facts.group, facts.gid),
  };
}

/** The other name of an object's owner and group: the number of a name, the name of a number. */
export function exactPrincipals(
  facts: PathFacts,
  observed: PlainObject,
): Readonly<Record<string, string | null>> {
  const other = (shown: unknown, name: string, id: number) => {
    if (id === 0 || name === "UNKNOWN") return null;
    return shown === name ? String(id) : name;
  };
  return {
    owner: other(observed.owner, facts.owner, facts.uid),
    group: other(observed.group, facts.group, facts.gid),
  };
}

function principal(prior: unknown, name: string, id: number): string {
  if (typeof prior === "string" && isPrincipal(prior, name, id)) return prior;
  return name === "UNKNOWN" ? String(id) : name;
}

/** The user and the group that an object is to belong to. Numbers need no name. */
export function namedOwners(object: PlainObject): readonly NamedNeed[] {
  const need = (what: "user" | "group", attribute: "owner" | "group"): readonly NamedNeed[] => {
    const name = setting(object, attribute);
    return name === undefined || /^\d+$/.test(name) ? [] : [{ what, name, attribute }];
  };
  return [...need("user", "owner"), ...need("group", "group")];
}

/** A name is looked for first; digits are a number otherwise (POSIX `chown`). */
const isPrincipal = (wanted: string, name: string, id: number): boolean =>
  wanted === name || (/^\d+$/.test(wanted) && Number(wanted) === id);

/** A wanted setting as text; undefined where it is left to the host. */
export const setting = (want: PlainObject, name: string): string | undefined => {
  const value = want[name];
  return typeof value === "string" ? value : undefined;
};

/** Sets what differs of mode, owner and group of an object. */
export interface MetadataChange {
  /** What that is to whoever may have moved the object to where it is. */
  readonly deed: string;
  /** Shell text that does it, to what is at a path. */
  readonly at: (path: string) => Script;
}

/**
 * What it is to set these of an object, as `c3x_may` on the host has it. Root gets nothing that it has not.
 *
 * @param mode octal
 */
export function deedOf(
  owner: string | undefined,
  group: string | undefined,
  mode: string | undefined,
): string {
  const isGiven = [owner, group].some((name) => name !== undefined && name !== "root" && !/^0+$/.test(name));
  if (isGiven) return "give";
  return mode === undefined ? "touch" : `open:${mode}`;
}

/**
 * What is to be set on an object that is there; undefined when nothing is. Owner first: `chown` takes set-id bits and
 * capabilities from a file, which are put back where nothing else is asked for.
 */
export function metadataChange(want: PlainObject, facts: PathFacts): MetadataChange | undefined {
  const mode = setting(want, "mode");
  const user = setting(want, "owner");
  const team = setting(want, "group");
  const newOwner = user !== undefined && !isPrincipal(user, facts.owner, facts.uid) ? user : undefined;
  const newGroup = team !== undefined && !isPrincipal(team, facts.group, facts.gid) ? team : undefined;
  const newMode = mode !== undefined && parseMode(mode) !== facts.mode ? mode : undefined;
  const isOwned = newOwner !== undefined || newGroup !== undefined;
  const takenMode =
    isOwned && facts.kind === "file" && (facts.mode & setId) !== 0 ? formatMode(facts.mode) : undefined;
  const nextMode = newMode ?? (isOwned ? mode : undefined) ?? takenMode;
  if (!isOwned && nextMode === undefined) return undefined;
  const at = (path: string) => {
    const steps = [
      ...(isOwned ? [changeOwner(path, newOwner, newGroup).text] : []),
      ...(nextMode === undefined ? [] : [changeMode(path, nextMode).text]),
    ];
    const change = raw(steps.join(" && "));
    return isOwned && facts.kind === "file" ? keepingCapabilities(path, change) : change;
  };
  return { deed: deedOf(newOwner, newGroup, nextMode), at };
}

/** Sets what differs of mode, owner and group on an object that is there. */
export function adjustMetadata(
  path: string,
  want: PlainObject,
  facts: PathFacts,
): readonly ScriptOperation[] {
  const change = metadataChange(want, facts);
  if (change === undefined) return [];
  return [{ do: "script", script: change.at(path), purpose: `set owner and mode of ${path}`, own: false }];
}

const setId = 0o6000;

/** Five digits: with fewer, GNU `chmod` leaves a directory's set-id bits as they are. */
export const changeMode = (path: string, mode: string): Script =>
  script`chmod -- ${formatMode(parseMode(mode)).padStart(5, "0")} ${path}`;

/** `chown` or `chgrp`, whichever is enough. */
export function changeOwner(path: string, user: string | undefined, team: string | undefined): Script {
  if (user === undefined) return script`chgrp -- ${team ?? ""} ${path}`;
  return script`chown -- ${team === undefined ? user : `${user}:${team}`} ${path}`;
}
