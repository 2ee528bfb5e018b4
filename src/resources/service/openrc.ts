/**
 * @module Services of OpenRC: openrc-run(8), rc-service(8), rc-update(8), rc-status(8). What is started and enabled is shown
 * by links in `/run/openrc/started` and `/etc/runlevels`; one process finds which of the started ones have died since.
 */
import { raw, script } from "../../script/script.ts";
import type { InitSystem } from "./init-system.ts";
import { stillRuns } from "./stays-up.ts";
import { parseWords } from "./words.ts";

/** `inactive` (8) is one that waits for something: started, and nothing has died. */
const staysUp = (unit: string) =>
  stillRuns(unit, script`rc-service ${unit} status || [ $? = 8 ]`, raw("true"));

export const openrc: InitSystem = {
  name: "openrc",
  ask: (units) => script`crashed=$(rc-status --crashed 2>/dev/null)
for u in ${units}; do
  if [ -e "/etc/init.d/$u" ]; then e=exists; else e=missing; fi
  if [ -e "/run/openrc/started/$u" ]; then r=running; else r=stopped; fi
  case "
$crashed
" in *"
$u
"*) r=stopped ;; esac
  b=disabled
  for f in /etc/runlevels/*/"$u"; do if [ -e "$f" ]; then b=enabled; fi; done
  echo "$e $r $b"
done`,
  parse: (answer, units) => parseWords("openrc", answer, units),
  // One that has died (32) counts as started there until its state is taken back.
  start: (unit) => script`rc-service ${unit} status >/dev/null 2>&1
[ $? != 32 ] || rc-service ${unit} zap
rc-service ${unit} start || exit
${staysUp(unit)}`,
  stop: (unit) => script`rc-service ${unit} stop`,
  restart: (unit) => script`rc-service ${unit} restart || exit
${staysUp(unit)}`,
  reload: (unit) => script`[ ! -e /etc/init.d/${unit} ] || [ -e /run/openrc/started/${unit} ] || exit 0
rc-service ${unit} reload || exit
${staysUp(unit)}`,
  enable: (unit) => script`rc-update add ${unit} default`,
  disable: (unit) => script`rc-update -a del ${unit}`,
};
