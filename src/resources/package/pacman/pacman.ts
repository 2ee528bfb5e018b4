/**
 * @module Packages of Arch Linux: pacman(8), pacman.conf(5).
 */
import { lines, raw, script } from "../../../script/script.ts";
import { AnswerError } from "../../kind.ts";
import {
  absent,
  type Change,
  type Inventory,
  type PackageManager,
  type PackageState,
  type Transaction,
} from "../manager.ts";

export const pacman: PackageManager = {
  name: "pacman",
  /** All that is installed: asked for by name, it would end with an error at the first that is not. */
  ask: () => script`echo installed
pacman -Q
echo "status $?"
pacman -Qdq | sed 's/^/automatic /'
sed -n 's/^[[:blank:]]*IgnorePkg[[:blank:]]*=/ignored/p' /etc/pacman.conf 2>/dev/null
echo end`,
  parse: parseInstalled,
  /** `-T` prints those names that nothing installed stands for. */
  askMore: (names, available) =>
    lines([
      script`echo missing`,
      script`pacman -T -- ${names}`,
      script`echo available`,
      ...(available ? [script`pacman -Si -- ${names} 2>/dev/null; echo told`] : []),
      script`echo end`,
    ]),
  parseMore,
  lock: { locked: raw("*'unable to lock database'*") },
  functions: raw(`export LC_ALL=C
unset LANGUAGE
c3x_pacman() { c3x_try pacman --noconfirm --noprogressbar "$@"; }
c3x_dry() { c3x_try pacman --noconfirm --print --print-format '%n %v' "$@"; }`),
  lists: {
    stamp: "/var/lib/pacman/sync/.conn3x-refreshed",
    sources: raw("/etc/pacman.conf /etc/pacman.d /etc/pacman.d/*"),
    refresh: raw(`c3x_pacman -Sy || return
case "$c3x_out" in *error:* | *'failed to '*) c3x_tell "$c3x_out"; return 1 ;; *warning:*) c3x_tell "$c3x_out" ;; esac`),
    curable: raw(
      "*'target not found'* | *'failed retrieving file'* | *'404'* | *'failed to retrieve some files'*",
    ),
  },
  transaction,
  hold: (names) => ignored(names),
  unhold: () => cannotHold,
  keep: (names) => script`c3x_try pacman -D --asexplicit -- ${names}`,
};

/**
 * What depends on a package goes with it only by an option; a conflict is decided by a question, whose answer is no
 * unless `--ask` says otherwise: 4 is that of conflicts (`ALPM_QUESTION_CONFLICT_PKG`). Its dry run does not look for
 * conflicts, so that both sides' fields are read. A package that is ignored is changed where it is asked for by name.
 */
function transaction({ verb, packages }: Change): Transaction {
  const words = packages.map(({ name, version }) => (version === undefined ? name : `${name}=${version}`));
  if (verb !== "install") {
    const flag = raw(verb === "purge" ? "n" : "");
    return {
      simulate: script`c3x_dry -Rc -- ${words} || return
printf '%s\n' "$c3x_out" | while read -r c3x_n c3x_v c3x_rest; do [ -z "$c3x_n" ] || printf 'remove\t%s\t%s\n' "$c3x_n" "$c3x_v"; done`,
      act: script`if [ -n "$c3x_removes" ]; then set -- -R${flag}c; else set -- -R${flag}; fi
c3x_pacman "$@" -- ${words}`,
    };
  }
  return {
    simulate: script`c3x_dry -S --needed -- ${words} || return
c3x_new=$c3x_out
c3x_old=$(pacman -Q)
set --
for c3x_n in $(printf '%s\n' "$c3x_new" | sed -n 's/^\([^ ]*\) [^ ]*$/\1/p'); do set -- "$@" "$c3x_n"; done
{
  printf '%s\n' "$c3x_old" | sed 's/^/old /'
  printf '%s\n' "$c3x_new" | sed 's/^/new /'
  [ $# = 0 ] || pacman -Si -- "$@" 2>/dev/null
  pacman -Qi
} | awk '
function bare(n) { sub(/[<>=].*/, "", n); return n }
$1 == "old" && NF == 3 { old[$2] = $3; next }
$1 == "new" && NF == 3 { fresh[$2] = $3; next }
$1 == "Name" { n = $3 }
$1 == "Repository" { n = "" }
/^(Conflicts With|Replaces) *:/ {
  sub(/^[^:]*: */, "")
  for (i = 1; i <= NF; i++) {
    c = bare($i)
    if (n in fresh && c in old && !(c in fresh) && c != n) gone[c] = 1
    if (n in old && !(n in fresh) && c in fresh && c != n) gone[n] = 1
  }
}
END {
  for (n in fresh) {
    if (!(n in old)) print "install\t" n "\t" fresh[n]
    else if (old[n] != fresh[n]) print "change\t" n "\t" old[n] "\t" fresh[n]
  }
  for (n in gone) print "remove\t" n "\t" old[n]
}'`,
    act: script`if [ -n "$c3x_removes" ]; then set -- --ask 4; else set --; fi
c3x_pacman "$@" -S --needed -- ${words}`,
  };
}

/** Whoever wants one held writes it into the configuration: then it is. */
const ignored = (names: readonly string[]) =>
  script`c3x_ignored=" $(sed -n 's/^[[:blank:]]*IgnorePkg[[:blank:]]*=//p' /etc/pacman.conf 2>/dev/null | tr '\n\t' '  ') "
for p in ${names}; do
  case "$c3x_ignored" in *" $p "*) ;; *) ${cannotHold} ;; esac
done`;

const cannotHold = raw(
  "echo 'pacman has no command that holds a package: write it into IgnorePkg of /etc/pacman.conf with a line step' >&2; exit 1",
);

function parseInstalled(answer: string, names: readonly string[]): Inventory {
  const parts = /^installed\n([\s\S]*?)^status 0\n([\s\S]*?)^end$/m.exec(answer);
  if (parts === null) throw new AnswerError("pacman did not tell of its packages");
  const versions = new Map(parts[1]!.split("\n").map((line) => line.split(" ") as [string, string]));
  const ignored = new Set(
    parts[2]!
      .split("\n")
      .filter((line) => line.startsWith("ignored"))
      .flatMap((line) => line.split(/\s+/).slice(1)),
  );
  const automatic = new Set([...parts[2]!.matchAll(/^automatic (\S+)$/gm)].map(([, name]) => name));
  return { interrupted: false, packages: new Map(names.map((name) => [name, stateOf(name)])) };

  function stateOf(name: string): PackageState {
    const version = versions.get(name);
    if (version === undefined) return absent;
    return {
      state: "installed",
      version,
      held: ignored.has(name),
      automatic: automatic.has(name),
      providers: [],
    };
  }
}

/** Fields of `-Si` are `Name            : nginx`, a paragraph for each package. */
function parseMore(answer: string, inventory: Inventory): Inventory {
  const parts = /^missing\n([\s\S]*?)^available\n([\s\S]*?)^end$/m.exec(answer);
  if (parts === null) throw new AnswerError("pacman did not tell which packages there are");
  const missing = new Set(parts[1]!.split("\n"));
  const known = new Map<string, string[]>();
  for (const paragraph of parts[2]!.split("\n\n")) {
    const field = (name: string) => new RegExp(`^${name} *: (\\S+)$`, "m").exec(paragraph)?.[1];
    const [name, version] = [field("Name"), field("Version")];
    if (name !== undefined && version !== undefined) known.set(name, [...(known.get(name) ?? []), version]);
  }
  const packages = [...inventory.packages].map(([name, state]): [string, PackageState] => {
    const isProvided = state.state === "absent" && !missing.has(name);
    const available = parts[2] === "" ? {} : { available: known.get(name) ?? [] };
    // pacman does not say which package provides the name.
    return [name, { ...state, providers: isProvided ? ["another package"] : [], ...available }];
  });
  return { ...inventory, packages: new Map(packages) };
}
