/**
 * @module Names in a directory, as find(1) prints them.
 */
import { AnswerError } from "../kind.ts";

/** Names that are listed; of more only how many there are. */
const namesListed = 1000;

/**
 * @param names each after `./` and before a NUL
 * @returns names relative to the directory, in the order of their bytes
 * @throws AnswerError when it is not of that form
 */
export function parseNames(names: Buffer): readonly string[] {
  if (names.length === 0) return [];
  const all = names.toString("utf8").split("\0");
  if (all.pop() !== "" || !all.every((name) => name.startsWith("./"))) {
    throw new AnswerError("the answer about what is in it is not one name after the other");
  }
  const sorted = all
    .map((name) => name.slice(2))
    .sort((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)));
  if (sorted.length <= namesListed) return sorted;
  return [...sorted.slice(0, namesListed), `(and ${sorted.length - namesListed} more)`];
}
