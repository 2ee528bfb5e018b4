/**
 * @module Removes a file that was written through a link.
 */
import { type Script, script } from "../../script/script.ts";

/** The link is whoever's made it, and stays. (The dot keeps line ends at the end of a name.) */
export const removeTarget = (path: string): Script => script`t=$(readlink -f -- ${path} && echo .) || t=
t=\${t%??}
if [ -z "$t" ] || [ -L "$t" ] || ! [ -f "$t" ]; then
  printf '%s\n' ${`what the link ${path} leads to cannot be told, and nothing was removed`} >&2
  exit 1
fi
rm -f -- "$t"`;
