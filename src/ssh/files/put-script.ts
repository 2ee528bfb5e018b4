/**
 * @module The script that puts a file in place on the host: temporary file beside the target, verified, then renamed.
 */
import { createHash, randomBytes } from "node:crypto";
import { capabilities } from "../../script/capabilities.ts";
import type { Script } from "../../script/script.ts";
import { raw, script } from "../../script/script.ts";
import { sweepHere, temporaryName } from "../../script/temporary-files.ts";
import { goTo, walk } from "../../script/walk/go.ts";
import { held } from "../../script/walk/held.ts";
import type { FilePut } from "../session.ts";

/** Exit status of the script where `stderr` holds the reason in our own words. */
export const refusedStatus = 71;
/** Exit status where the file that arrived is not the one that was sent. */
export const damagedStatus = 72;
/** Exit status where the request's own check refused the file; `stderr` holds what it said. */
export const invalidStatus = 73;

/** Permission bits of a new file for which none are asked; whatever the host's umask is. */
const newFileMode = 0o644;

/**
 * @param source shell command that writes the content to its standard output
 * @param run names this process among those that write
 */
export function putScript(request: FilePut, source: Script, run: string): Script {
  const { path, content, mode, owner, group, follow, parents, validate, backup, inPlace = false } = request;
  const { size, sha256 } = measure(content);
  return script`
old= old_mode= old_owner= like_mode= like_owner= temp=
refuse() { printf '%s\n' "$1" >&2; exit ${refusedStatus}; }
c3x_refuse() { refuse "it $1"; }
${walk}
${held}
${inPlace ? capabilities : raw("")}
trap '[ -z "$temp" ] || rm -f -- "$temp"; c3x_unmake' EXIT
trap 'exit 1' HUP INT TERM PIPE
${goTo(path, follow, parents)}
name=./$c3x_name
${lookAtOld}
${inPlace ? refuseInPlace : raw("")}
umask 077
${sweepHere([path])}
${write(source, temporaryName(path, run))}
[ "$(($(wc -c <"$held")))" -eq ${size} ] || exit ${damagedStatus}
sum=$(c3x_sum <"$held") || refuse 'the host has none of sha256sum, shasum, openssl'
[ "\${sum%%[ *]*}" = ${sha256} ] || exit ${damagedStatus}
${validate === undefined ? raw("") : script`[ -z "$c3x_shared" ] || { ${validateCopy(validate)}; }`}
${strangers(owner)}
${ownership(owner, group)}
${inPlace ? raw("") : accessList}
${mode === undefined ? script`chmod -- "\${like_mode:-${newFileMode.toString(8)}}" "$held" || exit 1` : script`chmod -- ${octal(mode)} "$held" || exit 1`}
${inPlace ? raw("") : attributes}
${
  inPlace
    ? script`if [ -z "$old" ]; then
${keepLabel}
fi`
    : keepLabel
}
${validate === undefined ? raw("") : script`[ -n "$c3x_shared" ] || { ${validateHere(validate)}; }`}
dd if=/dev/null of="$held" conv=notrunc,fsync 2>/dev/null || sync
${backup ? keepOld(inPlace) : raw("")}
${inPlace ? overwriteOr(request, renameTemporary) : renameTemporary}
`;
}

const octal = (mode: number): string => mode.toString(8).padStart(4, "0");

/** What must have arrived. */
function measure(content: FilePut["content"]): { readonly size: number; readonly sha256: string } {
  if (!Buffer.isBuffer(content)) return content;
  return { size: content.length, sha256: createHash("sha256").update(content).digest("hex") };
}

/** What is there, without following a link: one is replaced. Set-id bits that somebody else put there are not kept. */
const lookAtOld = raw(`if [ -e "$name" ] && [ ! -L "$name" ]; then
  [ ! -d "$name" ] || refuse 'it is a directory'
  [ -f "$name" ] || refuse 'it is not a regular file'
  old=$(c3x_stat "$c3x_hex %u $c3x_count %g $c3x_bits" "$name") || exit 1
  set -- $old
  c3x_may touch "$1" "$2" "$3" "$4" || c3x_refuse "$c3x_why"
  old_mode=$5 old_owner=$2:$4 like_owner=$2:$4
  [ -z "$c3x_shared" ] || case $old_mode in ????) old_mode=\${old_mode#?} ;; esac
  like_mode=$old_mode
fi`);

const refuseInPlace = raw(
  `[ -z "$c3x_shared" ] || [ -z "$old" ] || refuse 'others can write to its directory, where it cannot be written over safely: without unsafe_write it is replaced'`,
);

/**
 * From here on the new file is what is open as descriptor 3, by a name that no one else can turn to something else. (It is
 * not open for writing any more: a validation may run it.) Where there is no such name, nobody else may have the directory.
 */
const write = (source: Script, temporary: Script): Script => script`temp=./${temporary}
set -C
exec 4>"$temp" || { temp=; exit 1; }
set +C
held=/proc/self/fd/4
if ! [ -e "$held" ]; then
  [ -z "$c3x_shared" ] || refuse 'others can write to its directory, where nothing can be written safely without /proc'
  held=$temp
fi
${source} | cat >&4 || exit 1
exec 3<"$held" 4>&- || exit 1
[ "$held" = "$temp" ] || held=/proc/self/fd/3`;

/** The user's command, in a subshell: what it says, it says to us; what it sets, it keeps. */
const validation = (command: string, file: string): Script => {
  const text = command.replace(/%([%s])/g, (_, what) => (what === "%" ? "%" : file));
  return script`( eval ${text} ) </dev/null >&2 3<&- || exit ${invalidStatus}`;
};

/** Beside the file that it is to replace, as those programs want it that look for others there. */
const validateHere = (command: string): Script => script`file=$c3x_way/\${temp#./}
${validation(command, '"$file"')}`;

/** Where others can change names, a copy that nobody else can reach, made before anybody else can write to the file. */
const validateCopy = (command: string): Script => script`copy=$(mktemp -d) || exit 1
trap 'rm -rf -- "$copy"; rm -f -- "$temp"; c3x_unmake' EXIT
cat <"$held" >"$copy/$c3x_name" || exit 1
${validation(command, '"$copy/$c3x_name"')}
rm -rf -- "$copy"`;

/**
 * A second name for the old file, which the rename leaves alone; a copy where there can be none. The name is new: its end is
 * not to be foretold. Where others can change names, a copy into a file that nobody else has made: of what is open, which
 * must have owner, mode and names of what was looked at, since the copy gets those. Else the directory's owner could link to
 * a file of root's by then, and would be given what is in it.
 */
const keepOld = (inPlace: boolean): Script => script`if [ -n "$old" ]; then
  kept=$name.$(date -u +%Y-%m-%dT%H%M%SZ)-${randomBytes(8).toString("hex")}~
  if [ -z "$c3x_shared" ]; then
    ${inPlace ? raw("") : raw('ln -- "$name" "$kept" 2>/dev/null ||')} cp -p -- "$name" "$kept" || exit 1
  else
    c3x_keep() {
    set -- $(c3x_facts)
    [ "$1 $2 $3 $4 $6" = "$old" ] && c3x_held touch "$@" || c3x_refuse 'was changed while it was looked at'
    set -C
    exec 6>"$kept" || exit 1
    set +C
    cat <&5 >&6 || exit 1
    [ "$(c3x_stat %u:%g -L /proc/self/fd/6)" = "$old_owner" ] || chown -- "$old_owner" /proc/self/fd/6 || exit 1
    chmod -- "$old_mode" /proc/self/fd/6 || exit 1
    exec 6>&-; }
    c3x_open c3x_keep || exit
  fi
fi`;

/** Owners and writers take them away: set again as they were. */
const keepSetId = raw('case $old_mode in [2467]???) chmod -- "$old_mode" "$name" || exit 1 ;; esac');

/** Writes over a file that is there: by itself it has the owner and the mode that are not asked for. */
function overwriteOr({ mode, owner, group }: FilePut, rename: Script): Script {
  const chown =
    owner === undefined && group === undefined
      ? raw("")
      : script`chown -- ${`${owner ?? ""}${group === undefined ? "" : `:${group}`}`} "$name" || exit 1`;
  const chmod = mode === undefined ? keepSetId : script`chmod -- ${octal(mode)} "$name" || exit 1`;
  return script`if [ -n "$old" ]; then
  ( : >>"$name" ) || exit 1
  c3x_capabilities "$name"
  cat <"$held" >"$name" || refuse 'it could only be written over in part and is damaged now: the disk is full, or fails. Apply again when that is mended'
  ${chown}
  ${chmod}
  c3x_put_back "$name" || exit 1
  dd if=/dev/null of="$name" conv=notrunc,fsync 2>/dev/null || sync
else
${rename}
fi`;
}

/**
 * An access control list is copied too (`ls` prints a `+` where there is one), before the mode, which then limits it. GNU cp
 * takes it to be part of the mode.
 */
const accessList = raw(`if [ -n "$like_owner" ]; then
  case $(LC_ALL=C ls -ld -- "$name") in
  ??????????+*)
    [ -z "$c3x_shared" ] || ! c3x_is_trusted "\${like_owner%:*}" ||
      refuse 'it has an access control list, and may be another file that somebody moved to there: others can write to its directory. Remove the list with setfacl -b'
    cp --attributes-only --preserve=mode -- "$name" "$held" 2>/dev/null ||
      { getfacl -cp -- "$name" | setfacl --set-file=- -- "$held"; } 2>/dev/null ||
      refuse 'it has an access control list, and the host has no getfacl and setfacl to keep it'
    ;;
  esac
fi`);

/** Extended attributes, capabilities among them, go along where nobody else can have put them there. */
const attributes = raw(`if [ -n "$old" ] && [ -z "$c3x_shared" ]; then
  cp --attributes-only --preserve=xattr -- "$name" "$held" 2>/dev/null ||
    { x=$(getfattr -d -m - -e hex -- "$name") && [ -n "$x" ] && printf '%s\\n' "# file: $held" "\${x#*
}" | setfattr --restore=-; } 2>/dev/null || :
fi`);

/**
 * The label of the file it replaces, or what the policy has for a new one of that name: selinuxenabled(8), chcon(1),
 * matchpathcon(8). Some file systems have no labels; where there are some, one that cannot be kept would let nobody use
 * the file.
 */
const keepLabel =
  raw(`if command -v selinuxenabled >/dev/null 2>&1 && selinuxenabled || [ -e /sys/fs/selinux/enforce ]; then
  said=
  if [ -n "$old" ]; then said=$(chcon --reference="$name" -- "$held" 2>&1)
  elif context=$(matchpathcon -n "$c3x_way/$c3x_name" 2>/dev/null); then said=$(chcon -- "$context" "$held" 2>&1)
  fi || case $said in
    *'not supported'*) ;;
    *) refuse "it cannot be given its SELinux label: $said" ;;
  esac
fi`);

/**
 * A link to a directory would swallow the file: GNU and BSD have options against that. Where there are none, the path is
 * missing for a moment, and others must not be able to make such a link in it. Whoever can, may also have turned the
 * temporary name to something else.
 */
const renameTemporary = raw(`if [ -n "$c3x_shared" ]; then
  mv -fT -- "$temp" "$name" || exit 1
  [ "$name" -ef "$held" ] || refuse 'it was changed while it was written'
elif [ -L "$name" ]; then mv -fT -- "$temp" "$name" 2>/dev/null || mv -fh "$temp" "$name" 2>/dev/null ||
  { rm -f -- "$name" && mv -f -- "$temp" "$name"; }
else mv -f -- "$temp" "$name"
fi || exit 1
trap - EXIT`);

/** A directory of somebody else that hands its group on does not decide who may read a new file. */
const ownGroup = raw(`elif [ -g . ] && ! c3x_is_trusted "$c3x_owner"; then
  chgrp -- "$(id -g)" "$held" || exit 1`);

/**
 * Where others can write, who put the old file there decides about its owner, group, mode and access control list, and gets
 * the new content by them. They are kept for the owner of the directory, who has all that is in it; from anybody else's only
 * for that user, who must be asked for.
 */
const strangers = (
  owner: string | undefined,
): Script => script`if [ -n "$old" ] && [ -n "$c3x_shared" ] && ! c3x_is_trusted "\${old_owner%:*}"; then
${
  owner === undefined
    ? raw(
        `  [ "\${old_owner%:*}" = "$c3x_owner" ] || refuse "it belongs to user \${old_owner%:*}, who may have put it there to get what is written: set owner, or give it to root by hand"`,
      )
    : script`  chown -- ${owner} "$held" || exit 1
  [ "$(c3x_stat %u -L "$held")" = "\${old_owner%:*}" ] || like_owner= like_mode=`
}
fi`;

/** What is asked for; else as the old file had it. Not called at all where it is so already, for users without the right. */
function ownership(owner: string | undefined, group: string | undefined): Script {
  const keep = script`if [ -n "$like_owner" ]; then
  new=$(c3x_stat '%u:%g' -L "$held") || exit 1
  [ "$new" = "$like_owner" ] || chown -- "$like_owner" "$held" || exit 1
${group === undefined ? ownGroup : raw("")}
fi`;
  if (owner === undefined && group === undefined) return keep;
  const asked =
    owner === undefined
      ? script`chgrp -- ${group!} "$held" || exit 1`
      : script`chown -- ${group === undefined ? owner : `${owner}:${group}`} "$held" || exit 1`;
  return script`${keep}
${asked}`;
}
