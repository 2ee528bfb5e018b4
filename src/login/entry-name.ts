/**
 * @module Names of the entries of `circuit_logins`: `CIRCUIT` (for all hosts), `CIRCUIT/HOST`, `CIRCUIT/HOST/MEMBER` where a
 * step or handler logs in differently, and `CIRCUIT//MEMBER` for it on any host. No part has a slash in it.
 */

/** What an entry is for. Parts are texts, or whatever a text is made of later. */
export interface EntryParts<P = string> {
  readonly circuit: string;
  /** Undefined with a member: any host. */
  readonly host?: P | undefined;
  readonly member?: string | undefined;
}

/** The parts of the name, to be written one after the other. */
export function entryName<P>({ circuit, host, member }: EntryParts<P>): readonly (string | P)[] {
  if (member === undefined) return host === undefined ? [circuit] : [`${circuit}/`, host];
  return host === undefined ? [`${circuit}//${member}`] : [`${circuit}/`, host, `/${member}`];
}

export const entryNameText = (parts: EntryParts): string => entryName(parts).join("");

/** A step and a handler may have the same name; a step's name has no dot. */
export const entryMember = (role: "step" | "handler", name: string): string =>
  role === "step" ? name : `handler.${name}`;

/** The step or handler by its own name. */
export const memberOf = (entryMember: string): string => entryMember.replace(/^handler\./, "");

/** What a stored `ssh` block names: nothing else is left of what is not configured any more. */
export function entryParts(name: string): EntryParts {
  const [circuit = "", host, member] = name.split("/");
  return { circuit, host, member };
}

/** The names that stand in for one another, the nearest first: the member's own, that for any host, the host's, the circuit's. */
export function entriesFor({ circuit, host, member }: EntryParts): readonly string[] {
  return [
    ...(member === undefined
      ? []
      : [entryNameText({ circuit, host, member }), entryNameText({ circuit, member })]),
    ...(host === undefined ? [] : [entryNameText({ circuit, host })]),
    entryNameText({ circuit }),
  ];
}
