/**
 * @module The bytes of small files: one question about many, for kinds that edit what is in them.
 */

import { createHash } from "node:crypto";
import { lines, raw, type Script, script } from "../../script/script.ts";
import { plainPath } from "../../values/host-path.ts";
import { AnswerError, type Found } from "../kind.ts";
import { slices } from "./at-once.ts";
import { askPaths, type DanglingLink, type PathAnswers, type PathFacts, takePaths } from "./path-facts.ts";
import type { PathSubject } from "./subject.ts";

export type ContentFacts = (PathFacts & { readonly content?: Buffer }) | DanglingLink;

/** Bytes; larger files are reported without their content. */
export const largestContent = 4 * 1024 * 1024;

/** Bytes of the answer about that many files, at most. */
export const mostOfContents = (files: number): number => files * (largestContent + mostOfFacts);

/** Most bytes that are reported of one file besides its content: its path is up to 4,096 long, more where it is quoted. */
const mostOfFacts = 64 * 1024;

export const askContents = (subjects: readonly PathSubject[]): Script =>
  lines([askPaths(subjects, true), functions, ...contentsOf(subjects, true), ...contentsOf(subjects, false)]);

const contentsOf = (subjects: readonly PathSubject[], follow: boolean): readonly Script[] =>
  slices(subjects.filter((one) => one[1] === follow).map(([path]) => plainPath(path))).map(
    (some) => script`c3x_follow=${follow ? "y" : "n"}; c3x_contents ${some}`,
  );

/**
 * The loop takes each file from the front and puts it back at the end where it is small: the order stays. Before them come
 * those that have to be looked at one by one.
 */
const functions = raw(`
c3x_content_of() (
  c3x_at "$1" "$c3x_follow" && [ ! -L "./$c3x_name" ] && [ -f "./$c3x_name" ] && [ -r "./$c3x_name" ] &&
    c3x_open c3x_print_small
) 2>/dev/null
c3x_print_small() {
  set -- $(c3x_facts)
  c3x_held read "$@" && [ "$9" -le ${largestContent} ] && cat <&5
}
c3x_contents() {
  for p do
    shift
    if c3x_is_special "$p"; then c3x_content_of "$p"
    elif [ ! -L "$p" ] && [ -f "$p" ] && [ -r "$p" ]; then set -- "$@" "$p"; fi
  done
  [ $# -gt 0 ] || return 0
  c3x_stat "$c3x_bytes" -L "$@" | {
    while read -r size; do
      p=$1
      shift
      if [ "$size" -le ${largestContent} ]; then set -- "$@" "$p"; fi
    done
    if [ $# -gt 0 ]; then cat -- "$@"; fi
  }
}`);

/**
 * @param stdout what {@link askContents} printed for the same paths
 * @returns one for each path, in their order
 * @throws AnswerError when it printed something else, or a file changed while it was read
 */
export function parseContents(
  stdout: Buffer,
  subjects: readonly PathSubject[],
): readonly Found<ContentFacts>[] {
  const { found, apart, rest } = takePaths(stdout, subjects, true);
  const contents = new Map<Found<unknown>, Buffer>();
  let position = 0;
  for (const one of inOrderOfAnswer({ found, apart }, subjects)) {
    const { sha256, size } = one.facts;
    const content = rest.subarray(position, position + size);
    position += size;
    // The hash was made before the content was printed: where they agree, nothing changed in between.
    if (createHash("sha256").update(content).digest("hex") !== sha256) {
      throw new AnswerError("changed while it was read");
    }
    contents.set(one, content);
  }
  if (position !== rest.length) throw new AnswerError("changed while it was read");
  return found.map((one) => {
    const content = contents.get(one);
    if (one.state !== "present" || one.facts.kind === "dangling" || content === undefined) return one;
    return { ...one, facts: { ...one.facts, content } };
  });
}

type Readable = { readonly state: "present"; readonly facts: PathFacts };

const isPrinted = (one: Found<PathFacts | DanglingLink>): one is Readable =>
  one.state === "present" &&
  one.facts.kind === "file" &&
  one.facts.sha256 !== undefined &&
  one.facts.hidden !== true &&
  one.facts.size <= largestContent;

/** Those whose contents were printed, as {@link askContents} goes through them. */
const inOrderOfAnswer = (
  { found, apart }: Pick<PathAnswers, "found" | "apart">,
  subjects: readonly PathSubject[],
): readonly Readable[] =>
  [true, false].flatMap((follow) =>
    slices(found.filter((_, i) => subjects[i]![1] === follow)).flatMap((some) => {
      const printed = some.filter(isPrinted);
      return [...printed.filter((one) => apart.has(one)), ...printed.filter((one) => !apart.has(one))];
    }),
  );
