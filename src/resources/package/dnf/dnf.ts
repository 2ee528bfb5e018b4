/**
 * @module Packages of Fedora, RHEL and what descends from them: dnf(8), yum(8), dnf-versionlock(8).
 */
import { lines, raw, type Script, script } from "../../../script/script.ts";
import {
  type Change,
  type Inventory,
  type PackageManager,
  type PackageState,
  plainName,
  type Transaction,
  type Wanted,
} from "../manager.ts";
import { askProviders, askRpm, type Offer, parseOffers, parseRpm, rpmName } from "../rpm.ts";

/** Where the versionlock plugin of yum, dnf 4 and dnf 5 keeps what is held. */
const lockFiles = raw(
  "/etc/yum/pluginconf.d/versionlock.list /etc/dnf/plugins/versionlock.list /etc/dnf/versionlock.toml",
);

/**
 * What could be installed: `NAME<tab>ARCHITECTURE<tab>VERSION`. yum 3 has no `repoquery` of its own; its list goes on in a new
 * line where a column is too narrow.
 *
 * @param words of shell: names, with or without a version
 */
const queries: Readonly<Record<"dnf" | "yum", (words: Script) => Script>> = {
  dnf: (words) => script`dnf -q repoquery --available --qf '%{name}\t%{arch}\t%{evr}\n' ${words} 2>/dev/null`,
  yum: (words) => script`yum -q --showduplicates list available ${words} 2>/dev/null |
  sed -n -e ':a' -e '$!{N;s/\n\([[:blank:]]\)/\1/;ta' -e '}' -e 'P;D' |
  awk 'NF == 3 { n = $1; sub(/\.[^.]*$/, "", n); a = $1; sub(/.*\./, "", a); print n "\t" a "\t" $2 }'`,
};

export const dnfLike = (tool: "dnf" | "yum"): PackageManager => {
  const program = raw(tool);
  const versionlock = (verb: "add" | "delete", names: readonly string[]): Script =>
    script`${program} -q versionlock --help >/dev/null 2>&1 || { echo 'holding a package needs the versionlock plugin of ${program}: install it in an earlier step' >&2; exit 1; }
c3x_dnf versionlock ${verb} ${names.map(rpmName)}`;
  return {
    name: tool,
    asksReasons: true,
    ask: (names) => lines([askRpm(names), script`echo locks`, script`cat ${lockFiles} 2>/dev/null; :`]),
    parse(answer, names) {
      const held = heldNames(answer.slice(answer.indexOf("\nlocks\n") + 1));
      return { interrupted: false, packages: parseRpm(answer, names, (name) => ({ held: held.has(name) })) };
    },
    askMore: (names, available) =>
      lines([
        askProviders(names),
        script`echo reasons`,
        reasons[tool],
        script`echo available`,
        ...(available ? [queries[tool](script`${names.map(rpmName)}`), script`echo told`] : []),
        script`echo end`,
      ]),
    parseMore: (answer, inventory) => withReasons(answer, parseOffers(answer, inventory, offersOf)),
    // Without `exit_on_lock` it waits for ever, and says so to nobody.
    lock: {
      locked: raw("'200 '* | *'exit_on_lock'* | *'holding the yum lock'* | *'.rpm.lock'*"),
      // As it ends with `--assumeno`.
      fine: raw("'0 '* | *'Operation aborted'* | *'Exiting on user command'*"),
    },
    functions: script`export LC_ALL=C
unset LANGUAGE
c3x_dnf() { c3x_try ${program} -y -q --setopt=exit_on_lock=1 "$@"; }
c3x_dry() { c3x_try ${program} --assumeno --setopt=exit_on_lock=1 \${c3x_plans:+-C} "$@"; }
${simulated}`,
    lists: {
      // dnf itself knows which of its lists are whole.
      stamp: "/var/cache/dnf/.conn3x-refreshed",
      sources: raw("/etc/yum.repos.d /etc/yum.repos.d/*"),
      refresh: script`${program} -q -y --setopt=exit_on_lock=1 --setopt=skip_if_unavailable=0 clean expire-cache >/dev/null 2>&1
c3x_dnf --setopt=skip_if_unavailable=0 makecache || { c3x_complaint=$c3x_out; c3x_dnf makecache; return 1; }
case "$c3x_out" in *Error:* | *'Failed to '* | *'Cannot download'*) c3x_tell "$c3x_out"; return 1 ;; esac`,
      curable: raw(
        "*'Unable to find a match'* | *'No match for argument'* | *'No package '* | *'404'* | *'Cannot download'* | *'No more mirrors'*",
      ),
    },
    transaction: (change) => transaction(tool, change),
    // An older one of our own would keep its version besides.
    hold: (names) => script`(${versionlock("delete", names)}) >/dev/null 2>&1
${versionlock("add", names)}`,
    unhold: (names) => versionlock("delete", names),
    keep: (names) =>
      tool === "dnf"
        ? script`${program} -q mark --help 2>&1 | grep -qw user && set -- user || set -- install
c3x_dnf mark "$1" ${names.map(rpmName)}`
        : script`c3x_try yumdb set reason user ${names.map(rpmName)}`,
  };
};

/** Why each installed package is there: `NAME<tab>REASON`. It takes a second, so only what is to change is asked about. */
const reasons: Readonly<Record<"dnf" | "yum", Script>> = {
  dnf: raw("dnf -q -C repoquery --installed --qf '%{name}\\t%{reason}\\n' 2>/dev/null"),
  yum: raw(
    'yumdb get reason 2>/dev/null | awk \'/^[^ ]/ { n = $1 } / reason = dep/ { sub(/-[^-]*-[^-]*$/, "", n); print n "\\tdep" }\'',
  ),
};

/** `dep` and `weak` (dnf 4), `Dependency`, `Weak Dependency` (dnf 5) */
function withReasons(answer: string, inventory: Inventory): Inventory {
  const reported = /^reasons\n([\s\S]*?)^available$/m.exec(answer)?.[1] ?? "";
  if (reported === "") return inventory;
  const automatic = new Set(
    reported.split("\n").flatMap((line) => /^(\S+)\t(?:dep|weak)/i.exec(line)?.[1] ?? []),
  );
  const isAutomatic = (name: string, { state, providers }: PackageState) =>
    state === "installed"
      ? automatic.has(plainName(name))
      : providers.length > 0 && providers.every((one) => automatic.has(one));
  return {
    ...inventory,
    packages: new Map(
      [...inventory.packages].map(([name, one]) => [name, { ...one, automatic: isAutomatic(name, one) }]),
    ),
  };
}

/**
 * The table of a transaction: titles such as `Installing dependencies:` over lines with name, architecture and version, of which
 * a long name stands alone on its line; the packages that one replaces are below it.
 */
const simulated = script`c3x_simulated() {
  awk -v m="$(uname -m)" '
function named(n, a) { return a == "noarch" || a == m ? n : n ":" a }
/^ ?(Installing|Upgrading|Updating|Downgrading|Reinstalling|Removing|Erasing)[a-z ]*:$/ { s = $1; next }
/^ *$/ || /^Transaction Summary/ { s = ""; next }
s == "" { next }
$1 == "replacing" { n = $2; v = $3; if (v ~ /^(noarch|i.86|x86_64|aarch64)$/) v = $4; sub(/\.(noarch|i.86|x86_64|aarch64)$/, "", n); print "remove\t" n "\t" v; next }
NF == 1 { long = $1; next }
{
  if (long != "") { $0 = long " " $0; long = "" }
  if (s ~ /^(Removing|Erasing)/) print "remove\t" named($1, $2) "\t" $3
  else if (s ~ /^Installing/) print "install\t" named($1, $2) "\t" $3
  else if (s !~ /^Reinst/) print "change\t" named($1, $2) "\t-\t" $3
}'
}`;

/** Whether anything stands for `$p`: a process or two for one name, a second each. */
const slowly: Readonly<Record<"dnf" | "yum", Script>> = {
  dnf: raw(
    'dnf -q repoquery --available --whatprovides "$p" 2>/dev/null; dnf -q repoquery --available "$p" 2>/dev/null',
  ),
  yum: raw('yum -q list available "$p" 2>/dev/null; yum -q provides "$p" 2>/dev/null'),
};

/**
 * Removals take along what depends on them, and leave what was needed by them alone. dnf goes down to an older version by
 * itself, yum by a command of its own.
 */
function transaction(tool: "dnf" | "yum", { verb, packages, overHold }: Change): Transaction {
  const specs = packages.map(specOf);
  const over = overHold ? " --disableplugin=versionlock" : "";
  if (verb !== "install") {
    const words = script`--setopt=clean_requirements_on_remove=0${raw(over)} remove ${packages.map(({ name }) => rpmName(name))}`;
    return {
      simulate: script`c3x_dry ${words} || return
printf '%s\n' "$c3x_out" | c3x_simulated`,
      act: script`c3x_dnf ${words}`,
    };
  }
  const isExact = tool === "yum" && packages.some(({ version }) => version !== undefined);
  const erasing = tool === "dnf" ? raw(" --allowerasing") : raw("");
  return {
    known: known(tool, specs),
    simulate: script`c3x_dry${raw(over)}${erasing} install ${specs} || return
printf '%s\n' "$c3x_out" | c3x_simulated`,
    act: lines([
      script`if [ -n "$c3x_removes" ]; then set --${erasing}; else set --; fi`,
      isExact
        ? script`c3x_dnf "$@"${raw(over)} install ${specs} && rpm -q -- ${specs.map(withoutEpoch)} >/dev/null || c3x_dnf${raw(over)} downgrade ${specs}`
        : script`c3x_dnf "$@"${raw(over)} install ${specs}`,
    ]),
  };
}

/** Reports a name that no package has, all names asked about at once. */
const known = (tool: "dnf" | "yum", specs: readonly string[]): Script => script`set --
for p in ${specs}; do rpm -q -- "$p" >/dev/null 2>&1 || set -- "$@" "$p"; done
if [ $# -gt 0 ]; then
  c3x_known=$(${queries[tool](raw('"$@"'))} |
    awk -F '\t' 'NF == 3 { sub(/^0:/, "", $3); print $1; print $1 "." $2; print $1 "-" $3; print $1 "-" $3 "." $2 }')
fi
for p in "$@"; do
  if ! printf '%s\n' "$c3x_known" | grep -Fqx -e "$p" && [ -z "$(${slowly[tool]})" ]; then
    echo "there is no package $p in the lists of this host" >&2; return 1
  fi
done`;

/** `nginx-1:1.24.0-1.el9.x86_64` */
function specOf({ name, version }: Wanted): string {
  const [plain, architecture] = name.split(":");
  return [
    version === undefined ? plain : `${plain}-${version}`,
    ...(architecture ? [architecture] : []),
  ].join(".");
}

const withoutEpoch = (spec: string): string => spec.replace(/-\d+:/, "-");

/**
 * `nginx-1:1.24.0-1.el9.*` (dnf 4), `1:nginx-1.24.0-1.el7.*` (yum), `name = "nginx"` (dnf 5). With a `!` before it a
 * version is excluded, which holds nothing.
 */
function heldNames(text: string): ReadonlySet<string> {
  const names = text.split("\n").flatMap((line) => {
    const toml = /^name\s*=\s*"([^"]+)"/.exec(line)?.[1];
    const listed = /^(?:\d+:)?([^!#\s][^\s]*)-(?:\d+:)?[^-\s]+-[^-\s]+$/.exec(line)?.[1];
    return toml ?? listed ?? [];
  });
  return new Set(names);
}

/** `NAME<tab>ARCHITECTURE<tab>VERSION` */
const offersOf = (listed: string): readonly Offer[] =>
  listed.split("\n").flatMap((line) => {
    const [name, architecture, version, ...more] = line.split("\t");
    if (version === undefined || more.length > 0) return [];
    return [{ name: name!, architecture: architecture!, version: version.replace(/^0:/, "") }];
  });
