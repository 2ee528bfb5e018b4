/**
 * @module Services of SysV init: scripts in `/etc/init.d` by the LSB's rules, where status 0 of `status` means running.
 * Each is asked by a process of its own: there is no tool that reports several.
 */
import { raw, script } from "../../script/script.ts";
import type { InitSystem } from "./init-system.ts";
import { stillRuns } from "./stays-up.ts";
import { parseWords } from "./words.ts";

const enable = raw(`c3x_boot() {
  if command -v update-rc.d >/dev/null 2>&1; then
    case $2 in on) update-rc.d "$1" defaults && update-rc.d "$1" enable ;; *) update-rc.d "$1" disable ;; esac
  elif command -v chkconfig >/dev/null 2>&1; then chkconfig "$1" "$2"
  else echo 'the host has neither update-rc.d nor chkconfig' >&2; return 1
  fi
}`);

/** The failure of a script that does not know `status` says nothing of the service. */
const staysUp = (unit: string) =>
  stillRuns(
    unit,
    script`/etc/init.d/${unit} status`,
    script`grep -Eq '(^|[|("[:blank:]])status[|)"]' /etc/init.d/${unit}`,
  );

export const sysv: InitSystem = {
  name: "sysv",
  ask: (units) => script`for u in ${units}; do
  e=missing r=stopped b=disabled
  if [ -e "/etc/init.d/$u" ]; then
    e=exists
    if "/etc/init.d/$u" status </dev/null >/dev/null 2>&1; then r=running; fi
  fi
  for f in /etc/rc[2345].d/S[0-9][0-9]"$u"; do if [ -e "$f" ]; then b=enabled; fi; done
  echo "$e $r $b"
done`,
  parse: (answer, units) => parseWords("sysv", answer, units),
  start: (unit) => script`/etc/init.d/${unit} start || exit
${staysUp(unit)}`,
  stop: (unit) => script`/etc/init.d/${unit} stop`,
  restart: (unit) => script`/etc/init.d/${unit} restart || exit
${staysUp(unit)}`,
  reload: (unit) => script`if [ -e /etc/init.d/${unit} ]; then
  /etc/init.d/${unit} status >/dev/null 2>&1 || exit 0
fi
/etc/init.d/${unit} reload || exit
${staysUp(unit)}`,
  enable: (unit) => script`${enable}
c3x_boot ${unit} on`,
  disable: (unit) => script`${enable}
c3x_boot ${unit} off`,
};
