/**
 * @module What is known of symbolic links: what is at their paths, and where those that are links lead to.
 */
import { lines, raw, script } from "../../script/script.ts";
import { sweepBeside } from "../../script/temporary-files.ts";
import { AnswerError, type Facts, type Found } from "../kind.ts";
import { pathId } from "../paths/settings.ts";

export type LinkFacts =
  | { readonly kind: "link"; readonly target: string }
  | { readonly kind: "file" | "directory" | "other" };

/**
 * A word for each path, then one `readlink` for all that are links. What is below a directory that may not be searched
 * is neither there nor absent.
 */
const functions = raw(`
c3x_links() {
  for p do
    shift
    if [ -L "$p" ]; then echo link; set -- "$@" "$p"
    elif [ -d "$p" ]; then echo directory
    elif [ -f "$p" ]; then echo file
    elif [ -e "$p" ]; then echo other
    else
      q=$p
      while q=\${q%/*}; [ -n "$q" ] && ! [ -e "$q" ]; do :; done
      if [ -n "$q" ] && [ -d "$q" ] && ! [ -x "$q" ]; then echo hidden; else echo absent; fi
    fi
  done
  if [ $# -gt 0 ]; then readlink -- "$@"; fi
}`);

export const linkFacts: Facts<LinkFacts> = {
  subject: pathId.of,
  ask: (paths, acts) => lines([...(acts ? [sweepBeside(paths)] : []), functions, script`c3x_links ${paths}`]),
  parse(stdout, paths) {
    const answer = stdout.toString("utf8").split("\n");
    const words = answer.slice(0, paths.length);
    const targets = answer.slice(paths.length, -1);
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
