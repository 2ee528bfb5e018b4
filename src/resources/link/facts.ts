/**
 * @module What is known of links: what is at their paths, where symbolic ones lead to, and whether a file is the one that
 * a hard link is to be another name of.
 */

import { lines, raw, script } from "../../script/script.ts";
import { sweepBeside } from "../../script/temporary-files.ts";
import { walk } from "../../script/walk/go.ts";
import { groupBy } from "../../values/group-by.ts";
import { plainPath } from "../../values/host-path.ts";
import type { PlainObject } from "../../values/plain.ts";
import { AnswerError, type Facts, type Found, foundAs } from "../kind.ts";
import { realPath } from "../paths/path-facts.ts";

export type LinkFacts =
  | { readonly kind: "link"; readonly target: string }
  /** `same`: a file that is the target of a hard link. `empty`: a directory. */
  | { readonly kind: "same" | "file" | "directory" | "empty" | "other" };

/** A path, and of a hard link its target. */
type LinkSubject = readonly [path: string, target: string];

export const isHard = ({ kind }: PlainObject): boolean => kind === "hard";

/**
 * `c3x_links DIRECTORY NAME TARGET …` prints a word for each name and target (empty: a symbolic link), then, with one
 * `readlink`, where the links lead to; or only `hidden` and why. It looks from inside the directory, which others may be turning
 * to something else. What is below a directory that may not be searched is neither there nor absent. Before the words stands
 * `@` and the directory as it is without links, where that is another.
 */
const functions = raw(`
c3x_links() (
  d=$1 n=$#
  shift
  c3x_go "$d"
  c3x_r=$?
  case $c3x_r in
    0) r=$c3x_way ;;
    2) r=$c3x_way/\${c3x_rest%/} ;;
    *) r=$d ;;
  esac
  case $r in "$d" | *'
'*) ;; *) printf '@%s\\n' "$r" ;; esac
  case $c3x_r in
    1) echo hidden; printf '%s\\n' "$c3x_why"; exit ;;
    2) while [ $# -gt 0 ]; do echo absent; shift 2; done; exit ;;
  esac
  while [ "$n" -gt 1 ]; do
    p=./$1 h=$2 n=$((n - 2))
    shift 2
    if [ -L "$p" ]; then echo link; set -- "$@" "$p"
    elif [ -d "$p" ]; then if [ -z "$(ls -A -- "$p" 2>/dev/null | head -n 1)" ]; then echo empty; else echo directory; fi
    elif [ -f "$p" ]; then if [ -n "$h" ] && [ "$p" -ef "$h" ]; then echo same; else echo file; fi
    elif [ -e "$p" ]; then echo other
    elif [ -x . ]; then echo absent
    else echo hidden; echo 'is below a directory that the user may not search'; exit; fi
  done
  if [ $# -gt 0 ]; then readlink -- "$@"; fi
)`);

/** By the directory that they are in: positions in the list. */
const groups = (
  links: readonly LinkSubject[],
): readonly (readonly [directory: string, at: readonly number[]])[] =>
  [...groupBy(links.keys(), (i) => split(links[i]![0])[0])].map(([directory, at]) => [directory, [...at]]);

function split(path: string): readonly [directory: string, name: string] {
  const plain = plainPath(path);
  const slash = plain.lastIndexOf("/");
  return [plain.slice(0, slash), plain.slice(slash + 1)];
}

export const linkFacts: Facts<LinkFacts, LinkSubject> = {
  subject: (object) => [String(object.path), isHard(object) ? String(object.target) : ""],
  ask: (links, acts) =>
    lines([
      ...(acts ? [sweepBeside(links.map(([path]) => path))] : []),
      walk,
      functions,
      ...groups(links).map(
        ([directory, at]) =>
          script`c3x_links ${directory} ${at.flatMap((i) => [split(links[i]![0])[1], links[i]![1]])}`,
      ),
    ]),
  parse(stdout, links) {
    const answer = stdout.toString("utf8").split("\n");
    const found: Found<LinkFacts>[] = [];
    for (const [directory, at] of groups(links)) {
      const real = answer[0]?.startsWith("@") ? answer.shift()!.slice(1) : directory;
      if (answer[0] === "hidden") {
        const [, why = ""] = answer.splice(0, 2);
        for (const i of at) found[i] = { state: "unreadable", why };
        continue;
      }
      const words = answer.splice(0, at.length);
      const targets = answer.splice(0, words.filter((word) => word === "link").length);
      for (const [n, i] of at.entries())
        found[i] = foundAs(
          foundOf(words[n], words[n] === "link" ? targets.shift() : ""),
          realPath(links[i]![0], `${real}/${split(links[i]![0])[1]}`),
        );
    }
    if (answer.length !== 1 || answer[0] !== "")
      throw new AnswerError("the answer about links has another number of lines than there are links");
    return found;
  },
};

function foundOf(word: string | undefined, target: string | undefined): Found<LinkFacts> {
  if (target === undefined)
    throw new AnswerError("the answer about links has another number of lines than there are links");
  switch (word) {
    case "link":
      return { state: "present", facts: { kind: "link", target } };
    case "same":
    case "file":
    case "directory":
    case "empty":
    case "other":
      return { state: "present", facts: { kind: word } };
    case "absent":
      return { state: "absent" };
    default:
      throw new AnswerError(`the answer about links has "${word}"`);
  }
}
