/**
 * @module The demo host's stand-in for `systemctl`, a POSIX shell script.
 *
 * A unit is a file in `etc/systemd/system` under the host's directory; what it is doing is kept in files under
 * `run/units/UNIT`: `active` (its invocation), `loaded` (checksum of the unit file when it was last read), `enabled`,
 * `masked`. No process is started: a service of the demo is "running" as long as its file says so, and at once ready
 * (`Type=notify`).
 */
export const systemctlScript = String.raw`#!/bin/sh
# Stand-in for systemctl of the Conn3x demo host: keeps the state of units in files, starts no process.
units=$CONN3X_DEMO_ROOT/etc/systemd/system
state=$CONN3X_DEMO_ROOT/run/units
properties= value_only= quiet= now= command= names=

fail() { echo "$1" >&2; exit "$2"; }
unit_name() { case $1 in *.*) printf '%s\n' "$1" ;; *) printf '%s.service\n' "$1" ;; esac; }
checksum() { cksum <"$units/$1" 2>/dev/null; }
note_loaded() { [ -d "$state/$1" ] || mkdir -p "$state/$1"; checksum "$1" >"$state/$1/loaded"; }
new_invocation() { od -An -N16 -tx1 /dev/urandom | tr -d ' \n'; }
must_exist() { [ -f "$units/$1" ] || fail "Unit $1 could not be found." 5; }
not_masked() { [ ! -e "$state/$1/masked" ] || fail "Failed to $2 $1: Unit $1 is masked." 1; }
is_active() { [ -e "$state/$1/active" ]; }

start() { not_masked "$1" start; must_exist "$1"; is_active "$1" && return; [ -e "$state/$1/loaded" ] || note_loaded "$1"; new_invocation >"$state/$1/active"; }
stop() { must_exist "$1"; rm -f "$state/$1/active"; }
restart() { not_masked "$1" restart; stop "$1"; start "$1"; }
reload() {
  must_exist "$1"
  is_active "$1" || fail "Job for $1 invalid: $1 is not active, cannot reload." 1
  echo reload >>"$state/$1/reloads"
}
enable() { not_masked "$1" enable; must_exist "$1"; mkdir -p "$state/$1"; : >"$state/$1/enabled"; }
disable() { must_exist "$1"; rm -f "$state/$1/enabled"; }
mask() { mkdir -p "$state/$1"; : >"$state/$1/masked"; }
unmask() { rm -f "$state/$1/masked"; }
daemon_reload() { for file in "$units"/*; do [ -f "$file" ] && note_loaded "$(basename "$file")"; done; }

property() {
  case $2 in
    Id | Names) echo "$1" ;;
    LoadState)
      if [ -e "$state/$1/masked" ]; then echo masked
      elif [ -f "$units/$1" ]; then echo loaded
      else echo not-found; fi ;;
    ActiveState) if is_active "$1"; then echo active; else echo inactive; fi ;;
    SubState) if is_active "$1"; then echo running; else echo dead; fi ;;
    UnitFileState)
      if [ -e "$state/$1/masked" ]; then echo masked
      elif [ ! -f "$units/$1" ]; then echo
      elif [ -e "$state/$1/enabled" ]; then echo enabled
      else echo disabled; fi ;;
    NeedDaemonReload)
      if [ -e "$state/$1/loaded" ] && [ -f "$units/$1" ] && [ "$(checksum "$1")" != "$(cat "$state/$1/loaded")" ]; then echo yes
      else echo no; fi ;;
    InvocationID) if is_active "$1"; then cat "$state/$1/active"; fi; echo ;;
    FragmentPath) if [ -f "$units/$1" ]; then echo "$units/$1"; else echo; fi ;;
    Type) echo notify ;;
    Result) echo success ;;
    CanReload | CanStart | CanStop) echo yes ;;
    *) return 1 ;;
  esac
}

show() {
  for name in $(printf %s "$properties" | tr , ' '); do
    text=$(property "$1" "$name") || continue
    if [ -n "$value_only" ]; then printf '%s\n' "$text"; else printf '%s=%s\n' "$name" "$text"; fi
  done
}

while [ $# -gt 0 ]; do
  case $1 in
    -p) properties=$properties,$2; shift ;;
    -p?*) properties=$properties,\${1#-p} ;;
    --property=*) properties=$properties,\${1#*=} ;;
    --property) properties=$properties,$2; shift ;;
    --value) value_only=1 ;;
    --now) now=1 ;;
    -q | --quiet) quiet=1 ;;
    --) ;;
    -*) ;;
    *) if [ -z "$command" ]; then command=$1; else names="$names $(unit_name "$1")"; fi ;;
  esac
  shift
done
: "\${properties:=Id,LoadState,ActiveState,SubState,UnitFileState,NeedDaemonReload,InvocationID,FragmentPath,Type,Result}"

status=0 first=1
case $command in
  daemon-reload) daemon_reload; exit 0 ;;
  is-system-running) echo running; exit 0 ;;
  '') fail 'systemctl of the demo host: a command is needed' 1 ;;
esac
[ -n "$names" ] || fail 'systemctl of the demo host: a unit is needed' 1
for unit in $names; do
  case $command in
    start | stop | restart | reload | mask | unmask) "$command" "$unit" ;;
    try-restart) if is_active "$unit"; then restart "$unit"; fi ;;
    reload-or-restart) if is_active "$unit"; then reload "$unit"; else start "$unit"; fi ;;
    enable) enable "$unit"; if [ -n "$now" ]; then start "$unit"; fi ;;
    disable) disable "$unit"; if [ -n "$now" ]; then stop "$unit"; fi ;;
    is-active)
      text=$(property "$unit" ActiveState)
      [ -n "$quiet" ] || echo "$text"
      [ "$text" = active ] || status=3 ;;
    is-enabled)
      text=$(property "$unit" UnitFileState)
      [ -n "$text" ] || text=not-found
      [ -n "$quiet" ] || echo "$text"
      [ "$text" = enabled ] || status=1 ;;
    is-failed) [ -n "$quiet" ] || property "$unit" ActiveState; status=1 ;;
    show | status)
      [ -n "$first" ] || echo
      first=
      show "$unit" ;;
    cat) must_exist "$unit"; cat "$units/$unit" ;;
    *) fail "systemctl of the demo host does not know '$command'" 1 ;;
  esac
done
exit "$status"
`.replaceAll("\\${", "${");
