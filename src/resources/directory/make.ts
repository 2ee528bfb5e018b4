/**
 * @module Makes a directory, and sets owner and mode of one: from inside, so that nothing else can replace it meanwhile.
 */
import { lines, raw, type Script, script } from "../../script/script.ts";
import { held } from "../../script/walk/held.ts";
import type { PlainObject } from "../../values/plain.ts";
import type { ScriptOperation } from "../operation.ts";
import { changeMode, changeOwner, type MetadataChange, setting } from "../paths/settings.ts";
import { follows } from "../paths/subject.ts";
import { enter, goToHolder, into } from "./enter.ts";

/** One script, so that a directory is never there with the wrong owner and mode for longer than it takes to set them. */
export const makeDirectory = (want: PlainObject): ScriptOperation => ({
  do: "script",
  script: makeOrNothing(want),
  purpose: `make the directory ${String(want.path)}`,
  own: false,
});

/**
 * Where the new directory cannot be settled (there is no such owner), it and the parents made for it go again. What was made
 * is gone into and looked at: in a directory of somebody else it may be another of root's by then. A set-group-id directory of
 * somebody else does not decide about its group.
 */
const makeOrNothing = (want: PlainObject): Script => {
  const owner = setting(want, "owner");
  const group = setting(want, "group");
  const mode = changeMode(".", setting(want, "mode") ?? "0755");
  const settle = lines([
    ...(group === undefined ? [raw('c3x_is_trusted "$c3x_owner" || chgrp -- "$(id -g)" . || exit')] : []),
    ...(owner === undefined && group === undefined
      ? []
      : [script`${changeOwner(".", owner, group)} || exit`]),
    mode,
  ]);
  return script`set -e
trap c3x_unmake EXIT
trap 'exit 1' HUP INT TERM PIPE
${goToHolder(String(want.path), follows(want), true)}
(umask 077 && mkdir -- "./$c3x_name")
${held}
${into}
( c3x_into
  [ "$(c3x_stat %u .)" = "$c3x_me" ] && { [ -z "$c3x_shared" ] || c3x_is_empty; } || c3x_refuse 'was changed by somebody else while it was made'
  ${settle}
) || { rmdir -- "./$c3x_name"; exit 1; }
trap - EXIT`;
};

/** What differs is set on the directory itself, if it cannot be another that somebody renamed to there. */
export const setDirectory = (want: PlainObject, change: MetadataChange): ScriptOperation => ({
  do: "script",
  script: script`(
${enter(String(want.path), follows(want))}
${held}
[ -z "$c3x_shared" ] || c3x_may_here ${change.deed} || c3x_refuse "$c3x_why. Set its owner and mode by hand, or remove it"
${change.at(".")}
)`,
  purpose: `set owner and mode of ${String(want.path)}`,
  own: false,
});
