/**
 * @module Services of systemd: `systemctl show`, systemd.unit(5), org.freedesktop.systemd1(5).
 */
import { lines, raw, type Script, script } from "../../script/script.ts";
import { AnswerError } from "../kind.ts";
import type { InitSystem, ServiceFacts } from "./init-system.ts";
import { linkedNames, printLinks } from "./run-levels.ts";
import { type Properties, propertiesOf } from "./show.ts";
import { current, outlived } from "./unit-files.ts";

const properties = [
  "Id",
  "LoadState",
  "ActiveState",
  "SubState",
  "UnitFileState",
  "Names",
  "Type",
  "RemainAfterExit",
  "Result",
  "InactiveEnterTimestampMonotonic",
  "CanReload",
];

/** systemctl changes no links by another name of a unit. */
const byItsName = (verb: string) => (unit: string) =>
  script`${current(unit)}
id=$(systemctl show -p Id -- ${unit})
systemctl ${verb} -- "\${id#Id=}"`;

/** How many of the last journal lines of a failed unit are reported. */
const linesOfJournal = 10;

/** What failed before, or too often, is no reason any more not to start when that is wanted. */
const forgiven = (units: Script | string): Script =>
  script`systemctl reset-failed -- ${units} 2>/dev/null || true`;

/**
 * A socket does not start beside the running service that listens on it, and once its changed file was read, a service
 * may get nothing from it any more (systemd.socket(5)): they go and come together then. The socket is named first, for
 * from then on whoever calls does not start the service.
 */
const restart = (unit: string): Script =>
  lines([
    current(unit),
    unit.endsWith(".socket") ? withServices(unit) : withSockets(unit),
    forgiven(all),
    script`if [ $# = 1 ]; then systemctl restart -- ${all}; else ${together}; fi`,
  ]);

/** Units that are the script's arguments. */
const all = raw('"$@"');
const together = script`systemctl stop -- ${all} && systemctl start -- ${all}`;

/** It was started with its own file as it is now; a socket of it may still have an old one. */
const settle = (unit: string): Script =>
  lines([
    current(unit),
    unit.endsWith(".socket") ? script`set -- ${unit}` : withSockets(unit),
    script`if [ $# != 1 ]; then
  ${together}
fi`,
  ]);

/** Makes the arguments a socket and, where they run, the services that it starts. */
const withServices = (socket: string): Script => script`set -- ${socket}
triggers=$(systemctl show -p Triggers -- ${socket})
for s in \${triggers#*=}; do
  case $(systemctl show -p ActiveState -- "$s") in *=inactive | *=failed) ;; *) set -- "$@" "$s" ;; esac
done`;

/** Makes the arguments the sockets of a service that listen by older files than there are now, and the service. */
const withSockets = (service: string): Script => script`set --
triggers=$(systemctl show -p TriggeredBy -- ${service})
for s in \${triggers#*=}; do
  case $s in *.socket) ;; *) continue ;; esac
  ${outlived}
  if c3x_outlived "$s"; then set -- "$@" "$s"; fi
done
set -- "$@" ${service}`;

/**
 * Fails where a service that was just acted on has died: for most types `systemctl` answers before anything of them has
 * run. Looked at for a second, at once done with what is not running; a oneshot and a service that says itself when it is
 * ready have been waited for. Only a failure counts: what ended well has done what it was to do. One that is started
 * again may be up whenever it is looked at: where only a failure makes systemd do so, the count of restarts shows it.
 */
const staysUp = (unit: string): Script => script`n=0
while :; do
  now=$(systemctl show -p ActiveState -p SubState -p Result -p Type -p Restart -p NRestarts -p Id -- ${unit})
  again=$(printf '%s\n' "$now" | grep '^NRestarts=')
  [ "$n" -gt 0 ] || before=$again
  failed=
  case $now in
    *ActiveState=failed*) failed=1 ;;
    *Restart=always* | *Restart=on-success*) ;;
    *) [ "$again" = "$before" ] || failed=1 ;;
  esac
  case $now in
    *Result=success*) ;;
    *SubState=auto-restart*) failed=1 ;;
  esac
  if [ -n "$failed" ]; then
    printf '%s\n' ${`${unit} failed within a second:`} "$now" >&2
    id=$(printf '%s\n' "$now" | sed -n 's/^Id=//p')
    { journalctl --sync; journalctl -q --no-pager -o cat -n ${linesOfJournal} -u "$id"; } >&2 2>/dev/null
    exit 1
  fi
  case $now in
    *Type=simple* | *Type=exec* | *Type=idle* | *Type=forking* | *Type=dbus*) ;;
    *) break ;;
  esac
  case $now in *ActiveState=inactive*) break ;; esac
  [ "$n" -lt 10 ] || break
  n=$((n + 1))
  sleep 0.1
done`;

export const systemd: InitSystem = {
  name: "systemd",
  ask: (units) =>
    lines([
      printLinks(units),
      script`systemctl show ${properties.map((name) => `--property=${name}`)} -- ${units}`,
    ]),
  parse: parseSystemd,
  // Also where a drop-in is; systemd takes nothing for the installation from those (systemd.unit(5)).
  askAlso: (unit) => script`f=$(systemctl show -p FragmentPath -- ${unit})
sed -n 's/^[[:space:]]*Also[[:space:]]*=//p' "\${f#*=}"`,
  start: (unit) => script`${current(unit)}
${forgiven(unit)}
systemctl start -- ${unit} || exit
${staysUp(unit)}`,
  stop: (unit) => script`systemctl stop -- ${unit}`,
  restart: (unit) => script`${restart(unit)} || exit
${staysUp(unit)}`,
  settle: (unit) => script`${settle(unit)} || exit
${staysUp(unit)}`,
  // One that there is not is not running either: systemctl itself says so, rather than nothing being done.
  reload: (unit) => script`${current(unit)}
systemctl is-active -- ${unit} >/dev/null ||
  case $(systemctl show -p LoadState -- ${unit}) in *=not-found*) ;; *) exit 0 ;; esac
systemctl reload -- ${unit} || exit
${staysUp(unit)}`,
  enable: byItsName("enable"),
  disable: byItsName("disable"),
  mask: byItsName("mask"),
  unmask: byItsName("unmask"),
};

function parseSystemd(answer: string, units: readonly string[]): readonly ServiceFacts[] {
  const [links, ...rest] = answer.split("\n\n");
  const blocks = rest.map((block) => block.trim());
  if (links === undefined || blocks.length !== units.length || blocks.some((block) => block === "")) {
    throw new AnswerError(`systemctl told of ${blocks.length} units and was asked about ${units.length}`);
  }
  const linked = linkedNames(links);
  return units.map((unit, i) => factsOf(propertiesOf(blocks[i]!), linked, unit.replace(/\.service$/, "")));
}

function factsOf(show: Properties, linked: ReturnType<typeof linkedNames>, name: string): ServiceFacts {
  const loadState = show.get("LoadState");
  if (loadState === undefined) throw new AnswerError("systemctl told no LoadState");
  const fileState = show.get("UnitFileState") ?? "";
  const notFound = loadState === "not-found";
  const id = show.get("Id");
  const hasScript = linked.scripts.has(name);
  // Made from an init script (or about to be, once systemd has looked again): its links say when it starts.
  const generated = fileState === "generated" || (notFound && hasScript);
  return {
    init: "systemd",
    ...(id === undefined || id === "" ? {} : { id }),
    exists: !notFound || hasScript,
    running: isRunning(show),
    ...(isIdle(show) ? { idle: true as const } : {}),
    ...(isStarting(show) ? { starting: true as const } : {}),
    enabled: generated ? linked.started.has(name) : fileState === "enabled",
    // What is masked until the next boot starts again after that: it is not masked for good.
    masked: fileState === "masked" || (loadState === "masked" && fileState !== "masked-runtime"),
    ...(fileState === "masked-runtime" ? { maskedUntilBoot: true as const } : {}),
    ...(fileState === "" ? {} : { fileState }),
    ...(show.has("CanReload") ? { canReload: show.get("CanReload") === "yes" } : {}),
    canEnable:
      !["static", "transient", "alias"].includes(fileState) &&
      // By a link to it under another name it counts as indirect, too.
      (fileState !== "indirect" || (show.get("Names") ?? "").includes(" ")) &&
      (fileState !== "generated" || hasScript),
  };
}

/** A oneshot that has run and succeeded counts as running: starting it again would be what nobody asked for. */
function isRunning(show: Properties): boolean {
  const active = show.get("ActiveState");
  if (active === "active" || active === "reloading") return true;
  if (active === "activating") return isStarting(show);
  return isIdle(show) && Number(show.get("InactiveEnterTimestampMonotonic") ?? 0) > 0;
}

/**
 * A oneshot that leaves nothing running and did not fail. Whether it has ever run is not always known: of a unit that
 * nothing else refers to systemd forgets that as soon as it is done.
 */
const isIdle = (show: Properties): boolean =>
  show.get("Type") === "oneshot" &&
  show.get("RemainAfterExit") !== "yes" &&
  show.get("ActiveState") === "inactive" &&
  show.get("Result") === "success";

const isStarting = (show: Properties): boolean =>
  show.get("ActiveState") === "activating" && show.get("SubState") !== "auto-restart";
