/**
 * @module Removes a file, by its name in the directory that holds it.
 */
import { raw, type Script, script } from "../../script/script.ts";
import { goTo, walk } from "../../script/walk/go.ts";

export interface Removal {
  /** Whether a link at the path was written through: then what that leads to goes, and the link, whoever's made it, stays. */
  readonly follow: boolean;
  /** Whether it goes only if there is nothing in it. Default false. */
  readonly ifEmpty?: boolean;
}

export const removeFileAt = (path: string, { follow, ifEmpty = false }: Removal): Script => script`${walk}
c3x_refuse() { printf '%s %s\n' ${path} "$1" >&2; exit 1; }
${goTo(path, follow)}
${follow ? onlyFile : raw("")}
${ifEmpty ? raw('[ -s "./$c3x_name" ] ||') : raw("")} rm -f -- "./$c3x_name"`;

const onlyFile = raw(
  'if [ -L "./$c3x_name" ] || ! [ -f "./$c3x_name" ]; then c3x_refuse "leads to what is no file any more, and nothing was removed"; fi',
);
