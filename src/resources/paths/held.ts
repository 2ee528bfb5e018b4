/**
 * @module The content of one file that others may be able to turn to something else: opened, looked at, then read.
 */
import { type Script, script } from "../../script/script.ts";
import { goTo, walk } from "../../script/walk/go.ts";
import { held } from "../../script/walk/held.ts";

/**
 * Prints a word and the content, or fails.
 *
 * @param word printed before the content
 */
export const printHeld = (path: string, follow: boolean, word: string): Script => script`(
${walk}
${held}
c3x_refuse() { printf '%s %s\n' ${path} "$1" >&2; exit 1; }
${goTo(path, follow)}
c3x_print() { c3x_held read $(c3x_facts) && printf %s ${word} && cat <&5; }
[ ! -L "./$c3x_name" ] && [ -f "./$c3x_name" ] && c3x_open c3x_print
)`;
