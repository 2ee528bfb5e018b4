/**
 * @module What is done with apt and dpkg: apt-get(8), apt-mark(8), dpkg(1), apt.conf(5).
 *
 * Nothing is asked of anybody, and configuration files that somebody changed stay.
 */
import { raw, type Script, script } from "../../../script/script.ts";
import type { Change, Lists, Lock, Transaction } from "../manager.ts";

/** apt's own `DPkg::Lock::Timeout` covers not all of the locks, and exists from apt 1.9.11 only. */
export const lock: Lock = {
  locked: raw(
    "*'Could not get lock'* | *'Unable to lock'* | *'Unable to acquire'* | *'locked by another process'*",
  ),
  // Complaints, what stands behind one space, and the packages that provide a name.
  reporting: raw(
    "sed -nE '/ is a virtual package provided by:$/,/^You should/{p;d;}; /^(E|W|Err|dpkg):|^ [^ ]/p' | grep .",
  ),
};

/**
 * `c3x_view` runs a command that only looks: apt keeps what it knows in files beside its lists, and as root writes them anew
 * where they are older than those. Then an option makes it do without them.
 */
export const viewing = raw(`c3x_view() {
  c3x_kept=/var/cache/apt/pkgcache.bin
  for f in /var/lib/dpkg/status /var/lib/apt/extended_states /var/lib/apt/lists /etc/apt/sources.list /etc/apt/sources.list.d /etc/apt/sources.list.d/* /etc/apt/preferences.d; do
    if [ ! -e "$c3x_kept" ] || [ "$f" -nt "$c3x_kept" ]; then c3x_kept=; break; fi
  done
  c3x_verb=$1
  shift
  if [ -n "$c3x_kept" ]; then LC_ALL=C "$c3x_verb" "$@"
  else LC_ALL=C "$c3x_verb" -o Dir::Cache::pkgcache= -o Dir::Cache::srcpkgcache= "$@"
  fi
}`);

export const functions = script`export DEBIAN_FRONTEND=noninteractive LC_ALL=C
unset LANGUAGE
c3x_apt() {
  c3x_try apt-get -q -y -o Dpkg::Options::=--force-confdef -o Dpkg::Options::=--force-confold "$@"
}
${viewing}
c3x_simulated() {
  while read -r c3x_verb c3x_name c3x_a c3x_b c3x_rest; do
    case "$c3x_verb $c3x_a" in
      'Inst ['*) c3x_a=\${c3x_a#?}; printf 'change\t%s\t%s\t%s\n' "$c3x_name" "\${c3x_a%]}" "\${c3x_b#?}" ;;
      'Inst '*) printf 'install\t%s\t%s\n' "$c3x_name" "\${c3x_a#?}" ;;
      'Remv '* | 'Purg '*) c3x_a=\${c3x_a#?}; printf 'remove\t%s\t%s\n' "$c3x_name" "\${c3x_a%]}" ;;
      *) continue ;;
    esac
    case "$c3x_holds" in *"
$c3x_name
"*) printf 'held\t%s\n' "$c3x_name" ;; esac
  done
}`;

/** What still fails is the affair of the package that fails: it may be the very one that is to go. */
export const repair = raw("c3x_try dpkg --force-confdef --force-confold --configure -a 2>/dev/null || :");

/**
 * An update that got only some of the lists ends with status 0 as well, and renews the directory, unless
 * `APT::Update::Error-Mode` says otherwise, which old versions do not know. The stamp is the one that apt's own timers and
 * other tools read and write.
 */
export const lists: Lists = {
  stamp: "/var/lib/apt/periodic/update-success-stamp",
  sources: raw("/etc/apt/sources.list /etc/apt/sources.list.d /etc/apt/sources.list.d/*"),
  refresh: raw(`c3x_apt -o APT::Update::Error-Mode=any update || return
case "
$c3x_out" in *"
W: "* | *"
Err:"* | *"
E: "*) c3x_tell "$c3x_out" ;; esac
case "
$c3x_out" in *"
Err:"* | *'Failed to fetch'* | *'index files failed to download'*) return 1 ;; esac`),
  curable: raw(
    "*'404 '* | *'Failed to fetch'* | *'Unable to locate'* | *'was not found'* | *'no installation candidate'*",
  ),
};

export function transaction({ verb, packages, overHold }: Change): Transaction {
  const words = packages.map(({ name, version }) => (version === undefined ? name : `${name}=${version}`));
  const downgrades = packages.some(({ version }) => version !== undefined) ? " --allow-downgrades" : "";
  const flags = raw(`${downgrades}${overHold ? " --allow-change-held-packages" : ""}`);
  const names = packages.map(({ name }) => name);
  return {
    ...(verb === "install" ? { known: known(names) } : {}),
    // What is held is asked only where apt is allowed to change it.
    simulate: script`c3x_holds=${overHold ? raw('"\n$(apt-mark showhold)\n"') : raw("")}
c3x_try c3x_view apt-get -s -q -y${flags} ${verb} -- ${words} || return
printf '%s\n' "$c3x_out" | c3x_simulated`,
    act: script`if [ -n "$c3x_removes" ]; then set --; else set -- ${verb === "install" ? raw("--no-remove") : raw("")}; fi
c3x_apt "$@"${flags} ${verb} -- ${words}`,
  };
}

/**
 * A name that no package has is reported here: apt would take it for a pattern, and a `+` at its end for a verb. A name that
 * several packages provide is apt's to refuse.
 */
const known = (names: readonly string[]): Script => script`c3x_known=$(apt-cache policy -- ${names})
c3x_arch=:$(dpkg --print-architecture)
for p in ${names}; do
  case "
$c3x_known
" in
    *"
$p:
"* | *"
\${p%"$c3x_arch"}:
"*) ;;
    *) echo "there is no package $p in the lists of this host" >&2; return 1 ;;
  esac
done`;

export const hold = (names: readonly string[]): Script => script`c3x_try apt-mark hold -- ${names}`;

export const unhold = (names: readonly string[]): Script => script`c3x_try apt-mark unhold -- ${names}`;

export const keep = (names: readonly string[]): Script => script`c3x_try apt-mark manual -- ${names}`;
