/**
 * @module The bytes of small files: one question about many, for kinds that edit what is in them.
 */
import { createHash } from "node:crypto";
import { lines, raw, type Script, script } from "../../script/script.ts";
import { AnswerError, type Found } from "../kind.ts";
import { slices } from "./at-once.ts";
import { askPaths, type DanglingLink, type PathFacts, takePaths } from "./path-facts.ts";

export type ContentFacts = (PathFacts & { readonly content?: Buffer }) | DanglingLink;

/** Bytes; larger files are told without their content. */
export const largestContent = 4 * 1024 * 1024;

/** Bytes of the answer about that many files, at most. */
export const mostOfContents = (files: number): number => files * (largestContent + mostOfFacts);

/** Bytes that are told of one file besides its content, at most: its path is up to 4,096 long, more where it is quoted. */
const mostOfFacts = 64 * 1024;

export const askContents = (paths: readonly string[]): Script =>
  lines([askPaths(paths, true), functions, ...slices(paths).map((some) => script`c3x_contents ${some}`)]);

/** The loop takes each file from the front and puts it back at the end where it is small: the order stays. */
const functions = raw(`
c3x_contents() {
  for p do
    shift
    if [ -f "$p" ] && [ -r "$p" ]; then set -- "$@" "$p"; fi
  done
  [ $# -gt 0 ] || return 0
  if [ -d /proc/1 ]; then stat -L -c %s -- "$@"; else stat -L -f %z -- "$@"; fi | {
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
export function parseContents(stdout: Buffer, paths: readonly string[]): readonly Found<ContentFacts>[] {
  const { found, rest } = takePaths(stdout, paths, true);
  let position = 0;
  const withContent = found.map((one): Found<ContentFacts> => {
    if (one.state !== "present" || one.facts.kind !== "file") return one;
    const { sha256, size } = one.facts;
    if (sha256 === undefined || size > largestContent) return one;
    const content = rest.subarray(position, position + size);
    position += size;
    // The hash was made before the content was printed: where they agree, nothing changed in between.
    if (createHash("sha256").update(content).digest("hex") !== sha256) {
      throw new AnswerError("changed while it was read");
    }
    return { state: "present", facts: { ...one.facts, content } };
  });
  if (position !== rest.length) throw new AnswerError("changed while it was read");
  return withContent;
}
