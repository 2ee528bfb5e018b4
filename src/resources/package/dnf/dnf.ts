/**
 * @module Packages of Fedora, RHEL and what descends from them: dnf(8), yum(8), dnf-versionlock(8).
 */
import { lines, raw, type Script, script } from "../../../script/script.ts";
import type { PackageManager, Patience, Wanted } from "../manager.ts";
import { askProviders, askRpm, type Offer, parseOffers, parseRpm, rpmName } from "../rpm.ts";
import { withLock } from "../with-lock.ts";

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
  /** Without `exit_on_lock` it waits for ever, and says so to nobody. */
  const run = (patience: Patience, ...body: readonly Script[]): Script =>
    withLock(
      patience,
      { locked: raw("'200 '* | *'exit_on_lock'* | *'holding the yum lock'* | *'.rpm.lock'*") },
      script`c3x_dnf() { c3x_try ${program} -y -q --setopt=exit_on_lock=1 "$@"; }`,
      ...body,
    );
  const lock = (verb: "add" | "delete", names: readonly string[], patience: Patience): Script =>
    run(
      patience,
      script`${program} -q versionlock --help >/dev/null 2>&1 || { echo 'holding a package needs the versionlock plugin of ${program}: install it in an earlier step' >&2; exit 1; }
c3x_dnf versionlock ${verb} ${names.map(rpmName)}`,
    );
  return {
    name: tool,
    ask: (names) => lines([askRpm(names), script`echo locks`, script`cat ${lockFiles} 2>/dev/null; :`]),
    parse(answer, names) {
      const held = heldNames(answer.slice(answer.indexOf("\nlocks\n") + 1));
      return { interrupted: false, packages: parseRpm(answer, names, (name) => held.has(name)) };
    },
    askMore: (names, available) =>
      lines([
        askProviders(names),
        script`echo available`,
        ...(available ? [queries[tool](script`${names.map(rpmName)}`), script`echo told`] : []),
        script`echo end`,
      ]),
    parseMore: (answer, inventory) => parseOffers(answer, inventory, offersOf),
    // RPM's database takes a package whole or not at all: there is nothing to be brought to its end.
    repair: () => raw(":"),
    update: (age, patience) => run(patience, script`c3x_dnf --setopt=metadata_expire=${age} makecache`),
    install: (wanted, patience) => install(tool, wanted, run, patience),
    remove: (names, patience) =>
      run(patience, script`c3x_dnf --setopt=clean_requirements_on_remove=0 remove ${names.map(rpmName)}`),
    // Files of a removed package that somebody changed are kept by RPM as `.rpmsave`, and are nobody's then.
    purge: (names, patience) =>
      run(patience, script`c3x_dnf --setopt=clean_requirements_on_remove=0 remove ${names.map(rpmName)}`),
    hold: (names, patience) => lock("add", names, patience),
    unhold: (names, patience) => lock("delete", names, patience),
  };
};

/** Whether anything stands for `$p`: a process or two for one name, a second each. */
const slowly: Readonly<Record<"dnf" | "yum", Script>> = {
  dnf: raw(
    'dnf -q repoquery --available --whatprovides "$p" 2>/dev/null; dnf -q repoquery --available "$p" 2>/dev/null',
  ),
  yum: raw('yum -q list available "$p" 2>/dev/null; yum -q provides "$p" 2>/dev/null'),
};

/**
 * A name that no package has is told here, all names asked about at once.
 *
 * dnf goes down to an older version by itself, yum when it is told to.
 */
function install(
  tool: "dnf" | "yum",
  wanted: readonly Wanted[],
  run: (patience: Patience, ...body: readonly Script[]) => Script,
  patience: Patience,
): Script {
  const specs = wanted.map(specOf);
  const known = script`set --
for p in ${specs}; do rpm -q -- "$p" >/dev/null 2>&1 || set -- "$@" "$p"; done
if [ $# -gt 0 ]; then
  c3x_known=$(${queries[tool](raw('"$@"'))} |
    awk -F '\t' 'NF == 3 { sub(/^0:/, "", $3); print $1; print $1 "." $2; print $1 "-" $3; print $1 "-" $3 "." $2 }')
fi
for p in "$@"; do
  if ! printf '%s\n' "$c3x_known" | grep -Fqx -e "$p" && [ -z "$(${slowly[tool]})" ]; then
    echo "there is no package $p in the lists of this host" >&2; exit 1
  fi
done`;
  const exact = tool === "yum" && wanted.some(({ version }) => version !== undefined);
  const change = exact
    ? script`c3x_dnf install ${specs} && rpm -q -- ${specs.map(withoutEpoch)} >/dev/null || c3x_dnf downgrade ${specs}`
    : script`c3x_dnf install ${specs}`;
  return run(patience, known, change);
}

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
