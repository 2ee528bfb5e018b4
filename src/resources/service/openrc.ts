/**
 * @module Services of OpenRC: openrc-run(8), rc-service(8), rc-update(8). What is started and enabled is told by links
 * in `/run/openrc/started` and `/etc/runlevels`, so no process is needed to look.
 */
import { script } from "../../script/script.ts";
import type { InitSystem } from "./init-system.ts";
import { parseWords } from "./words.ts";

export const openrc: InitSystem = {
  name: "openrc",
  ask: (units) => script`for u in ${units}; do
  if [ -e "/etc/init.d/$u" ]; then e=exists; else e=missing; fi
  if [ -e "/run/openrc/started/$u" ]; then r=running; else r=stopped; fi
  b=disabled
  for f in /etc/runlevels/*/"$u"; do if [ -e "$f" ]; then b=enabled; fi; done
  echo "$e $r $b"
done`,
  parse: (answer, units) => parseWords("openrc", answer, units),
  start: (unit) => script`rc-service ${unit} start`,
  stop: (unit) => script`rc-service ${unit} stop`,
  restart: (unit) => script`rc-service ${unit} restart`,
  reload: (unit) => script`! [ -e /run/openrc/started/${unit} ] || rc-service ${unit} reload`,
  enable: (unit) => script`rc-update add ${unit} default`,
  disable: (unit) => script`rc-update -a del ${unit}`,
};
