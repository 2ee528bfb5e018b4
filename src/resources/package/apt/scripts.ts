/**
 * @module What is done with apt and dpkg: apt-get(8), apt-mark(8), dpkg(1).
 *
 * Nothing is asked of anybody, configuration files that somebody changed stay, and what the tools print is caught by our
 * shell: a lost connection, and with it a closed stream, cannot end dpkg half-way.
 */
import { lines, raw, type Script, script } from "../../../script/script.ts";
import type { Patience, Wanted } from "../manager.ts";

/**
 * `c3x_try COMMAND…` runs it, again while another process holds one of the locks: apt's own `DPkg::Lock::Timeout` covers
 * not all of them, and exists from apt 1.9.11 only. The last message names the process that holds it.
 */
const functions = ({ lockTimeout }: Patience): Script => script`
if [ "$(id -u)" != 0 ]; then echo 'only root can change packages: set become in the ssh block' >&2; exit 1; fi
export DEBIAN_FRONTEND=noninteractive LC_ALL=C
unset LANGUAGE
c3x_deadline=$(($(date +%s) + ${lockTimeout}))
c3x_try() {
  while :; do
    c3x_out=$("$@" </dev/null 2>&1) && return 0
    c3x_status=$?
    case $c3x_out in
      *'Could not get lock'* | *'Unable to lock'* | *'Unable to acquire'* | *'is locked by another process'*)
        if [ "$(date +%s)" -lt "$c3x_deadline" ]; then sleep 1; continue; fi
        echo 'another process works on packages' >&2 ;;
    esac
    printf '%s\n' "$c3x_out" | grep -E '^(E|W|Err|dpkg):|^ [^ ]' >&2 || printf '%s\n' "$c3x_out" >&2
    return "$c3x_status"
  done
}
c3x_apt() {
  c3x_try apt-get -q -y -o Dpkg::Options::=--force-confdef -o Dpkg::Options::=--force-confold "$@"
}`;

/** A script with the functions above. */
const withTools = (patience: Patience, ...body: readonly Script[]): Script =>
  lines([functions(patience), ...body]);

/** What still fails is the affair of the package that fails: it may be the very one that is to go. */
export const repair = (patience: Patience): Script =>
  withTools(patience, script`c3x_try dpkg --force-confdef --force-confold --configure -a 2>/dev/null || :`);

/** apt writes the stamp only where a timer of its own is enabled; the directory changes with each update. */
export const update = (age: number, patience: Patience): Script =>
  withTools(
    patience,
    script`for f in /var/lib/apt/lists /var/lib/apt/lists/partial /var/lib/apt/periodic/update-success-stamp; do
  if [ -e "$f" ] && [ $(($(date +%s) - $(stat -c %Y "$f"))) -lt ${age} ]; then exit 0; fi
done
c3x_apt update`,
  );

/**
 * A name that no package has is told here: apt would take it for a pattern, and a `+` at its end for a verb. A name that
 * several packages provide is apt's to refuse.
 */
export const install = (wanted: readonly Wanted[], patience: Patience): Script => {
  const names = wanted.map(({ name }) => name);
  const words = wanted.map(({ name, version }) => (version === undefined ? name : `${name}=${version}`));
  const exact = wanted.some(({ version }) => version !== undefined);
  const change = exact ? raw(" --allow-downgrades --allow-change-held-packages") : raw("");
  return withTools(
    patience,
    script`c3x_known=$(apt-cache policy -- ${names})
c3x_native=:$(dpkg --print-architecture)
for p in ${names}; do
  case "
$c3x_known
" in
    *"
$p:
"* | *"
\${p%"$c3x_native"}:
"*) ;;
    *) echo "there is no package $p in the lists of this host" >&2; exit 1 ;;
  esac
done
c3x_apt --no-remove${change} install -- ${words}`,
  );
};

export const remove = (names: readonly string[], patience: Patience): Script =>
  withTools(patience, script`c3x_apt remove -- ${names}`);

export const purge = (names: readonly string[], patience: Patience): Script =>
  withTools(patience, script`c3x_apt purge -- ${names}`);

export const hold = (names: readonly string[]): Script => script`apt-mark hold -- ${names} >/dev/null`;

export const unhold = (names: readonly string[]): Script => script`apt-mark unhold -- ${names} >/dev/null`;
