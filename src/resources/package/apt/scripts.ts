/**
 * @module What is done with apt and dpkg: apt-get(8), apt-mark(8), dpkg(1).
 *
 * Nothing is asked of anybody, and configuration files that somebody changed stay.
 */
import { raw, type Script, script } from "../../../script/script.ts";
import type { Patience, Wanted } from "../manager.ts";
import { type Lock, unlessYounger, withLock } from "../with-lock.ts";

/** apt's own `DPkg::Lock::Timeout` covers not all of the locks, and exists from apt 1.9.11 only. */
const lock: Lock = {
  locked: raw(
    "*'Could not get lock'* | *'Unable to lock'* | *'Unable to acquire'* | *'locked by another process'*",
  ),
  // Complaints, what stands behind one space, and the packages that provide a name.
  telling: raw(
    "sed -nE '/ is a virtual package provided by:$/,/^You should/{p;d;}; /^(E|W|Err|dpkg):|^ [^ ]/p' | grep .",
  ),
};

const run = (patience: Patience, ...body: readonly Script[]): Script =>
  withLock(
    patience,
    lock,
    script`export DEBIAN_FRONTEND=noninteractive LC_ALL=C
unset LANGUAGE
c3x_apt() {
  c3x_try apt-get -q -y -o Dpkg::Options::=--force-confdef -o Dpkg::Options::=--force-confold "$@"
}`,
    ...body,
  );

/** What still fails is the affair of the package that fails: it may be the very one that is to go. */
export const repair = (patience: Patience): Script =>
  run(patience, script`c3x_try dpkg --force-confdef --force-confold --configure -a 2>/dev/null || :`);

/** apt writes the stamp only where a timer of its own is enabled; the directory changes with each update. */
export const update = (age: number, patience: Patience): Script =>
  run(
    patience,
    unlessYounger(
      age,
      raw("/var/lib/apt/lists /var/lib/apt/lists/partial /var/lib/apt/periodic/update-success-stamp"),
    ),
    script`c3x_apt update`,
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
  return run(
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
  run(patience, script`c3x_apt remove -- ${names}`);

export const purge = (names: readonly string[], patience: Patience): Script =>
  run(patience, script`c3x_apt purge -- ${names}`);

export const hold = (names: readonly string[], patience: Patience): Script =>
  run(patience, script`c3x_try apt-mark hold -- ${names}`);

export const unhold = (names: readonly string[], patience: Patience): Script =>
  run(patience, script`c3x_try apt-mark unhold -- ${names}`);
