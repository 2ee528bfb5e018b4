/**
 * @module What is known of links: what is at their paths, where symbolic ones lead to, and whether a file is the one that
 * a hard link is to be another name of.
 */

import { lines, raw, script } from "../../script/script.ts";
import { sweepBeside } from "../../script/temporary-files.ts";
import { oneUp } from "../../script/upwards.ts";
import type { PlainObject } from "../../values/plain.ts";
import { AnswerError, type Facts, type Found } from "../kind.ts";

export type LinkFacts =
  | { readonly kind: "link"; readonly target: string }
  /** `same`: a file that is the target of a hard link. */
  | { readonly kind: "same" | "file" | "directory" | "other" };

/** A path, and of a hard link its target. */
type LinkSubject = readonly [path: string, target: string];

export const isHard = ({ kind }: PlainObject): boolean => kind === "hard";

/**
 * A word for each path and target (empty: a symbolic link), then one `readlink` for all that are links. What is below a
 * directory that may not be searched is neither there nor absent.
 */
const functions = raw(`
c3x_links() {
  n=$#
  while [ "$n" -gt 0 ]; do
    p=$1 h=$2 n=$((n - 2))
    shift 2
    if [ -L "$p" ]; then echo link; set -- "$@" "$p"
    elif [ -d "$p" ]; then echo directory
    elif [ -f "$p" ]; then if [ -n "$h" ] && [ "$p" -ef "$h" ]; then echo same; else echo file; fi
    elif [ -e "$p" ]; then echo other
    else
      q=$p
      while ${oneUp("q")}; [ -n "$q" ] && ! [ -e "$q" ]; do :; done
      if [ -n "$q" ] && [ -d "$q" ] && ! [ -x "$q" ]; then echo hidden; else echo absent; fi
    fi
  done
  if [ $# -gt 0 ]; then readlink -- "$@"; fi
}`);

export const linkFacts: Facts<LinkFacts, LinkSubject> = {
  subject: (object) => [String(object.path), isHard(object) ? String(object.target) : ""],
  ask: (links, acts) =>
    lines([
      ...(acts ? [sweepBeside(links.map(([path]) => path))] : []),
      functions,
      script`c3x_links ${links.flat()}`,
    ]),
  parse(stdout, links) {
    const answer = stdout.toString("utf8").split("\n");
    const words = answer.slice(0, links.length);
    const targets = answer.slice(links.length, -1);
    if (targets.length !== words.filter((word) => word === "link").length) {
      throw new AnswerError("the answer about links has another number of lines than there are links");
    }
    let next = 0;
    return words.map((word) => foundOf(word, word === "link" ? targets[next++]! : ""));
  },
};

function foundOf(word: string, target: string): Found<LinkFacts> {
  switch (word) {
    case "link":
      return { state: "present", facts: { kind: "link", target } };
    case "same":
    case "file":
    case "directory":
    case "other":
      return { state: "present", facts: { kind: word } };
    case "absent":
      return { state: "absent" };
    case "hidden":
      return { state: "unreadable", why: "is below a directory that the user may not search" };
    default:
      throw new AnswerError(`the answer about links has "${word}"`);
  }
}
