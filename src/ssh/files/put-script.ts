/**
 * @module The script that puts a file in place on the host: temporary file beside the target, verified, then renamed.
 */
import { createHash } from "node:crypto";
import { makeParentsForNow, removeMadeParents } from "../../script/parents.ts";
import type { Script } from "../../script/script.ts";
import { raw, script } from "../../script/script.ts";
import { sweep, temporaryName } from "../../script/temporary-files.ts";
import type { PutRequest } from "../session.ts";

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
 * @param nonce makes the temporary file's name one of a kind within the run
 */
export function putScript(request: PutRequest, source: Script, run: string, nonce: string): Script {
  const { path, content, mode, owner, group, follow, parents, validate, backup, inPlace } = request;
  const { size, sha256 } = measure(content);
  return script`
target=${path} old= old_mode= old_owner=
refuse() { printf '%s\n' "$1" >&2; exit ${refusedStatus}; }
${parents ? makeParentsForNow(path) : raw("")}
${follow ? followLinks : raw("")}
dir=\${target%/*}
[ -d "$dir/" ] || refuse "the directory $dir does not exist"
if [ -e "$target" ] && ${follow ? raw("true") : raw('[ ! -L "$target" ]')}; then
  [ ! -d "$target" ] || refuse 'it is a directory'
  [ -f "$target" ] || refuse 'it is not a regular file'
  ${oldMetadata}
fi
umask 077
${sweep(raw('"$dir"'), [path])}
temp=$dir/${temporaryName(path, run, nonce)}
trap 'rm -f -- "$temp"${parents ? script`; ${removeMadeParents}` : raw("")}' EXIT
trap 'exit 1' HUP INT TERM PIPE
set -C
exec 4>"$temp" || exit 1
set +C
${source} | cat >&4 || exit 1
exec 4>&-
[ "$(($(wc -c <"$temp")))" -eq ${size} ] || exit ${damagedStatus}
${sha256OfTemp}
[ "$sum" = ${sha256} ] || exit ${damagedStatus}
${ownership(owner, group)}
${inPlace ? raw("") : accessList}
${mode === undefined ? script`chmod -- "\${old_mode:-${newFileMode.toString(8)}}" "$temp" || exit 1` : script`chmod -- ${octal(mode)} "$temp" || exit 1`}
${
  inPlace
    ? script`if [ -z "$old" ]; then
${keepLabel}
fi`
    : keepLabel
}
${validate === undefined ? raw("") : validation(validate)}
dd if=/dev/null of="$temp" conv=notrunc,fsync 2>/dev/null || sync
${backup ? keepOld(inPlace === true) : raw("")}
${inPlace ? overwriteOr(request, renameTemporary) : renameTemporary}
`;
}

const octal = (mode: number): string => mode.toString(8).padStart(4, "0");

/** What must have arrived. */
function measure(content: PutRequest["content"]): { readonly size: number; readonly sha256: string } {
  if (!Buffer.isBuffer(content)) return content;
  return { size: content.length, sha256: createHash("sha256").update(content).digest("hex") };
}

/** The user's command, in a subshell: what it says, it says to us; what it sets, it keeps. */
function validation(command: string): Script {
  const text = command.replace(/%([%s])/g, (_, what) => (what === "%" ? "%" : '"$temp"'));
  return script`( eval ${text} ) </dev/null >&2 || exit ${invalidStatus}`;
}

/** A second name for the old file, which the rename leaves alone; a copy where there can be none. */
const keepOld = (inPlace: boolean): Script => script`if [ -n "$old" ]; then
  kept=$target.$(date -u +%Y-%m-%dT%H%M%SZ)~
  ${inPlace ? raw("") : raw('ln -- "$target" "$kept" 2>/dev/null ||')} cp -p -- "$target" "$kept" || exit 1
fi`;

/** Writes over a file that is there: by itself it has the owner and the mode that are not asked for. */
function overwriteOr({ mode, owner, group }: PutRequest, rename: Script): Script {
  const chown =
    owner === undefined && group === undefined
      ? raw("")
      : script`chown -- ${`${owner ?? ""}${group === undefined ? "" : `:${group}`}`} "$target" || exit 1`;
  const chmod = mode === undefined ? raw("") : script`chmod -- ${octal(mode)} "$target" || exit 1`;
  return script`if [ -n "$old" ]; then
  ( : >>"$target" ) || exit 1
  cat <"$temp" >"$target" || refuse 'it could only be written over in part and is damaged now: the disk is full, or fails. Apply again when that is mended'
  ${chown}
  ${chmod}
  dd if=/dev/null of="$target" conv=notrunc,fsync 2>/dev/null || sync
else
${rename}
fi`;
}

/** As many links as Linux itself follows. Only `readlink` without options: `-f` differs where the end is missing. */
const followLinks = raw(`links=0
while [ -L "$target" ]; do
  links=$((links + 1))
  [ $links -le 40 ] || refuse 'too many levels of symbolic links'
  to=$(readlink "$target" && printf x) || exit 1
  to=\${to%?x}
  case $to in /*) target=$to ;; *) target=\${target%/*}/$to ;; esac
done`);

/** Mode, user and group as numbers: GNU and busybox, then BSD and macOS. */
const oldMetadata =
  raw(`old=$(stat -c '%a %u %g' "$target" 2>/dev/null || stat -f '%Mp%Lp %u %g' "$target") || exit 1
  old_mode=\${old%% *} old_owner=\${old#* }
  old_owner=\${old_owner% *}:\${old_owner#* }`);

const sha256OfTemp = raw(`if command -v sha256sum >/dev/null 2>&1; then sum=$(sha256sum <"$temp")
elif command -v shasum >/dev/null 2>&1; then sum=$(shasum -a 256 <"$temp")
elif command -v openssl >/dev/null 2>&1; then sum=$(openssl dgst -sha256 -r <"$temp")
elif command -v busybox >/dev/null 2>&1; then sum=$(busybox sha256sum <"$temp")
else refuse 'the host has none of sha256sum, shasum, openssl'
fi
sum=\${sum%%[ *]*}`);

/**
 * An access control list goes along (a `+` in what `ls` prints tells of one), before the mode, which then limits it. GNU cp
 * takes it to be part of the mode.
 */
const accessList = raw(`if [ -n "$old" ]; then
  case $(LC_ALL=C ls -ld -- "$target") in
  ??????????+*)
    cp --attributes-only --preserve=mode -- "$target" "$temp" 2>/dev/null ||
      { getfacl -cp -- "$target" | setfacl --set-file=- -- "$temp"; } 2>/dev/null ||
      refuse 'it has an access control list, and the host has no getfacl and setfacl to keep it'
    ;;
  esac
fi`);

/**
 * The label of the file it replaces, or what the policy has for a new one of that name: selinuxenabled(8), chcon(1),
 * matchpathcon(8). Some file systems have no labels; where there are some, one that cannot be kept would let nobody use
 * the file.
 */
const keepLabel =
  raw(`if command -v selinuxenabled >/dev/null 2>&1 && selinuxenabled || [ -e /sys/fs/selinux/enforce ]; then
  said=
  if [ -n "$old" ]; then said=$(chcon --reference="$target" -- "$temp" 2>&1)
  elif context=$(matchpathcon -n "$target" 2>/dev/null); then said=$(chcon -- "$context" "$temp" 2>&1)
  fi || case $said in
    *'not supported'*) ;;
    *) refuse "it cannot be given its SELinux label: $said" ;;
  esac
fi`);

/**
 * A link to a directory would swallow the file: GNU and BSD have options against that. Busybox has none, and there the
 * path is missing for a moment.
 */
const renameTemporary =
  raw(`if [ -L "$target" ]; then mv -fT -- "$temp" "$target" 2>/dev/null || mv -fh "$temp" "$target" 2>/dev/null ||
  { rm -f -- "$target" && mv -f -- "$temp" "$target"; }
else mv -f -- "$temp" "$target"
fi || exit 1
trap - EXIT`);

/** What is asked for; else as the old file had it. Not called at all where it is so already, for users without the right. */
function ownership(owner: string | undefined, group: string | undefined): Script {
  const keep = script`if [ -n "$old" ]; then
  new=$(stat -c '%u:%g' "$temp" 2>/dev/null || stat -f '%u:%g' "$temp") || exit 1
  [ "$new" = "$old_owner" ] || chown -- "$old_owner" "$temp" || exit 1
fi`;
  if (owner === undefined && group === undefined) return keep;
  const asked =
    owner === undefined
      ? script`chgrp -- ${group!} "$temp" || exit 1`
      : script`chown -- ${group === undefined ? owner : `${owner}:${group}`} "$temp" || exit 1`;
  return script`${keep}
${asked}`;
}
