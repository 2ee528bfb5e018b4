/**
 * @module Packages of SUSE: zypper(8), and its exit codes.
 */
import { lines, raw, script } from "../../../script/script.ts";
import { type Change, type PackageManager, plainName, type Transaction } from "../manager.ts";
import { askProviders, askRpm, type Offer, parseOffers, parseRpm, rpmName } from "../rpm.ts";

export const zypper: PackageManager = {
  name: "zypper",
  ask: (names) =>
    lines([
      askRpm(names),
      script`echo locks`,
      script`sed -n 's/^solvable_name:[[:blank:]]*//p' /etc/zypp/locks 2>/dev/null; :`,
      script`echo automatic`,
      script`cat ${autoInstalled} 2>/dev/null; :`,
    ]),
  parse(answer, names) {
    const [locks = "", automatic = ""] = answer.slice(answer.indexOf("\nlocks\n") + 1).split("\nautomatic\n");
    const [held, others] = [new Set(locks.split("\n")), new Set(automatic.split("\n"))];
    const marks = (name: string) => ({ held: held.has(name), automatic: others.has(name) });
    return { interrupted: false, packages: parseRpm(answer, names, marks) };
  },
  askMore: (names, available) =>
    lines([
      askProviders(names),
      script`echo available`,
      ...(available
        ? [
            script`zypper --non-interactive --quiet --no-refresh search -s --match-exact -t package -- ${names.map(plainName)} 2>/dev/null; echo told`,
          ]
        : []),
      script`echo end`,
    ]),
  parseMore: (answer, inventory) => parseOffers(answer, inventory, offersOf),
  // 7: another process holds the lock. 102 and 103: done, and a reboot or a new zypper is advised; 106: without a repository that
  // cannot be fetched.
  lock: {
    locked: raw("'7 '*"),
    fine: raw("'0 '* | '102 '* | '103 '* | '106 '*"),
    reporting: script`sed -n -e "s/&apos;/'/g" -e 's/.*<message type="error">\(.*\)<.message>.*/\1/p' -e '/<description>/,/<.description>/{s/<.*description>//;p;}' | grep .`,
  },
  functions: script`export LC_ALL=C
unset LANGUAGE
c3x_zypper() { c3x_try zypper --non-interactive --quiet "$@"; }
c3x_dry() {
  [ -z "$c3x_plans" ] || export ZYPP_LOGFILE=/dev/null ZYPP_READONLY_HACK=1
  c3x_try zypper --xmlout --non-interactive --no-refresh "$@" || return
  unset ZYPP_READONLY_HACK
  case "$c3x_out" in *'<description>Problem'*)
    printf '%s\n' "$c3x_out" | sed -n -e 's/<description>//' -e '/Problem:/,/<.description>/{/<.description>/d;p;}' >&2
    return 1 ;;
  esac
  printf '%s\n' "$c3x_out" | awk -v m="$(uname -m)" '
function value(key) { return match($0, " " key "=\"[^\"]*") ? substr($0, RSTART + length(key) + 3, RLENGTH - length(key) - 3) : "" }
/^<to-/ { s = $0; next }
/^<.to-/ { s = ""; next }
s != "" && /^<solvable type="package"/ {
  n = value("name"); a = value("arch"); v = value("edition"); o = value("edition-old")
  if (a != "noarch" && a != m) n = n ":" a
  if (s ~ /remove/) print "remove\t" n "\t" v
  else if (o != "" && o != v) print "change\t" n "\t" o "\t" v
  else if (s ~ /install/ && s !~ /reinstall/) print "install\t" n "\t" v
}'
}`,
  lists: {
    stamp: "/var/cache/zypp/.conn3x-refreshed",
    sources: raw("/etc/zypp/repos.d /etc/zypp/repos.d/*"),
    refresh: script`c3x_zypper refresh || return
case "$c3x_status $c3x_out" in '106 '* | *Warning* | *Skipping* | *'Could not refresh'* | *Error*) c3x_tell "$c3x_out"; return 1 ;; esac`,
    curable: raw(
      "*'No provider of'* | *'not found in package names'* | *'404'* | *'not found on medium'* | *'Failed to provide'*",
    ),
  },
  transaction,
  hold: (names) => script`c3x_zypper addlock -- ${names.map(plainName)}`,
  unhold: (names) => script`c3x_zypper removelock -- ${names.map(plainName)}`,
  keep: (names) =>
    script`c3x_try sed -i ${names.flatMap((name) => ["-e", `/^${plainName(name).replace(/[.]/g, "\\.")}$/d`])} ${autoInstalled}`,
};

/** What is there for others' sake only: a name a line. */
const autoInstalled = "/var/lib/zypp/AutoInstalled";

/**
 * A lock is in force for whatever is asked, so it gives way only while the change is made. What cannot be solved is not
 * done, unless something is to go for it.
 */
function transaction({ verb, packages, overHold }: Change): Transaction {
  const names = packages.map(({ name }) => plainName(name));
  const words =
    verb === "install"
      ? script`--oldpackage --auto-agree-with-licenses -- ${packages.map(({ name, version }) =>
          version === undefined ? rpmName(name) : `${rpmName(name)}=${version}`,
        )}`
      : script`-- ${packages.map(({ name }) => rpmName(name))}`;
  const word = raw(verb === "install" ? "install" : "remove");
  const resolving = verb === "install" ? raw(" --force-resolution") : raw("");
  const act = script`if [ -n "$c3x_removes" ]; then set --${resolving}; else set --; fi
c3x_zypper ${word} "$@" ${words}`;
  if (!overHold) return { simulate: script`c3x_dry ${word} --dry-run${resolving} ${words}`, act };
  return {
    simulate: script`[ -z "$c3x_plans" ] || return 0
c3x_zypper removelock -- ${names} || return
c3x_dry ${word} --dry-run${resolving} ${words}
c3x_done=$?
c3x_zypper addlock -- ${names}
return "$c3x_done"`,
    act: script`c3x_zypper removelock -- ${names} || return
${act}
c3x_done=$?
${verb === "install" ? script`c3x_zypper addlock -- ${names}` : script`[ "$c3x_done" = 0 ] || c3x_zypper addlock -- ${names}`}
return "$c3x_done"`,
  };
}

/** `i+ | nginx | package | 1.21.5-150400.1.8 | x86_64 | Main Repository`: status, name, type, version, architecture. */
const offersOf = (listed: string): readonly Offer[] =>
  listed.split("\n").flatMap((line) => {
    const [, name, type, version, architecture, repository] = line.split("|").map((cell) => cell.trim());
    // What is installed and in no repository cannot be installed again.
    const isOffer = type === "package" && repository !== "(System Packages)";
    return isOffer ? [{ name: name!, architecture: architecture!, version: version! }] : [];
  });
