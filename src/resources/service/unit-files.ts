/**
 * @module Whether systemd's manager has read the unit files as they are now: systemd.unit(5), systemd.generator(7).
 *
 * Its own answer, `NeedDaemonReload`, is not enough: before version 257 it overlooks a drop-in in a directory that is new,
 * and a file that goes before the one that was read.
 */
import { raw, type Script, script } from "../../script/script.ts";

/** Where unit files and what generators make units of are written, without what the manager writes there itself. */
const sources = [
  "/etc/systemd/system",
  "/etc/systemd/system.attached",
  "/run/systemd/system",
  "/run/systemd/system.attached",
  "/usr/local/lib/systemd/system",
  "/usr/lib/systemd/system",
  "/lib/systemd/system",
  "/etc/init.d",
  "/etc/fstab",
  "/etc/crypttab",
];

/**
 * Written whenever the manager has read all units: the first one since version 250, the directories of its generators
 * are made anew before that.
 */
const stamps = [
  "/run/systemd/systemd-units-load",
  "/run/systemd/generator",
  "/run/systemd/generator.late",
  "/run/systemd/generator.early",
];

/**
 * Makes the manager read all unit files if any may have changed since it did so last, whoever changed them: systemctl
 * would act by the old ones and only warn. The time of a change counts, not that of a content, which may be an old one
 * that was put there. Where neither is known the files are read.
 */
export const current = (unit: string): Script => script`set --
for f in ${sources}; do if [ -e "$f" ]; then set -- "$@" "$f"; fi; done
for f in ${stamps}; do if [ -e "$f" ]; then break; fi; done
if changed=$(find -L "$@" -maxdepth 2 '(' -type f -o -type d ')' -cnewer "$f" 2>/dev/null) && [ -z "$changed" ]; then
  changed=$(systemctl show -p NeedDaemonReload -p LoadState -- ${unit})
else changed='=yes'
fi
case $changed in *=yes* | *=not-found*) systemctl daemon-reload ;; esac`;

/**
 * `c3x_outlived UNIT` succeeds where the unit is active and any of its files, or of the directories of its drop-ins,
 * changed after it was activated. A time without fractions, as before version 247, counts from its beginning.
 */
export const outlived: Script = raw(`c3x_outlived() {
  case $(systemctl show -p ActiveState -- "$1") in *=active) ;; *) return 1 ;; esac
  since=$(TZ=UTC systemctl show --timestamp=us -p ActiveEnterTimestamp -- "$1" 2>/dev/null) ||
    since=$(TZ=UTC systemctl show -p ActiveEnterTimestamp -- "$1")
  of=$(systemctl show -p FragmentPath -p DropInPaths -- "$1")
  for f in $(printf '%s\\n' "$of" | sed 's/^[A-Za-z]*=//') /etc/systemd/system/"$1".d /run/systemd/system/"$1".d; do
    [ -e "$f" ] || continue
    [ -z "$(find -L "$f" -newerct "\${since#*=}" 2>/dev/null)" ] || return 0
  done
  return 1
}`);
