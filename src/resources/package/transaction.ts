/**
 * @module One change of packages as a script: what it would do besides is found out first, by a simulation, and it is
 * refused where more would go than may.
 *
 * The same simulation answers a plan, so that a plan and its apply cannot see it differently.
 */
import { lines, raw, type Script, script } from "../../script/script.ts";
import { AnswerError } from "../kind.ts";
import type { Change, PackageManager, Patience } from "./manager.ts";
import { onlyRoot, tryWithLock } from "./with-lock.ts";

/** What happens to a package that a change does not name. */
export type Effect =
  | { readonly does: "install" | "remove" | "clean"; readonly name: string; readonly version: string }
  | { readonly does: "change"; readonly name: string; readonly from: string; readonly to: string }
  | { readonly does: "held"; readonly name: string };

/** What a change does besides what it names, or why the manager says that it cannot be done. */
export type Simulation = {
  /** The names of the change. */
  readonly of: readonly string[];
} & ({ readonly effects: readonly Effect[] } | { readonly impossible: string });

/** Exit status of a change that is refused, so that newer lists are not tried. */
const refused = 86;

/** Text of a `case` pattern that matches exactly this name; with `*` and `?` it is a pattern itself. */
const pattern = (name: string): string => name.replace(/[^A-Za-z0-9+._:*?-]/g, "?");

/** Definitions for simulating: `c3x_besides` prints what happens to others. */
function simulating(manager: PackageManager, change: Change): Script {
  const names = change.packages.map(({ name }) => name);
  // What is to be installed and would go is no less a loss for being named.
  const own = change.verb === "install" ? raw("install | change | held") : raw("*");
  return script`${manager.functions}
c3x_simulate() {
${manager.transaction(change).simulate}
}
c3x_native=${names.some((name) => name.includes(":")) ? raw("$(dpkg --print-architecture 2>/dev/null || uname -m)") : raw("")}
c3x_own() {
  for c3x_p in ${names}; do
    case "$c3x_p" in "$1" | "$1:$c3x_native" | "$1:all" | "$1:noarch") return 0 ;; esac
  done
  return 1
}
c3x_others() {
  while IFS='	' read -r c3x_does c3x_name c3x_rest; do
    case "$c3x_does" in ${own}) c3x_own "$c3x_name" && continue ;; esac
    [ -z "$c3x_name" ] || printf '%s\t%s\t%s\n' "$c3x_does" "$c3x_name" "$c3x_rest"
  done
}`;
}

/** A question: what the change would do besides. Writes nothing, and waits for nobody. */
export const askSimulation = (manager: PackageManager, change: Change): Script => script`echo simulation
printf 'of\t%s\n' ${change.packages.map(({ name }) => name)}
(
${tryWithLock({ lockTimeout: 0 }, manager.lock)}
${simulating(manager, change)}
c3x_plans=yes
c3x_list=$(c3x_simulate 2>&1) || { printf '%s\n' "$c3x_list" | sed 's/^/impossible	/'; exit; }
printf '%s\n' "$c3x_list" | c3x_others
)
echo simulated`;

/**
 * @param answer that has what {@link askSimulation} printed
 * @throws AnswerError when it has not
 */
export function parseSimulation(answer: string): Simulation {
  const reported = /^simulation\n([\s\S]*?)^simulated$/m.exec(answer)?.[1];
  if (reported === undefined) throw new AnswerError("the package manager did not tell what would happen");
  const rows = reported.split("\n").map((line) => line.split("\t"));
  const complaints = rows.filter(([word]) => word === "impossible").map(([, ...text]) => text.join(" "));
  const of = rows.flatMap(([word, name]) => (word === "of" && name !== undefined ? [name] : []));
  if (complaints.length > 0) return { of, impossible: complaints.join("\n").trim() };
  return { of, effects: rows.flatMap(effectOf) };
}

function effectOf([does, name = "", one = "", two = ""]: readonly string[]): readonly Effect[] {
  switch (does) {
    case "install":
    case "remove":
    case "clean":
      return [{ does, name, version: one }];
    case "change":
      return [{ does, name, from: one === "-" ? "" : one, to: two }];
    case "held":
      return [{ does, name }];
    default:
      return [];
  }
}

export interface Allowance {
  /** Names and patterns of what may go besides. */
  readonly removable: readonly string[];
  /** Seconds for which lists count as current; undefined: they are never fetched. */
  readonly listsAge: number | undefined;
}

/** Does it, and refuses before anything is done where it would take away or change what it must not. */
export function carryOut(
  manager: PackageManager,
  change: Change,
  { removable, listsAge }: Allowance,
  patience: Patience,
): Script {
  const { known, act } = manager.transaction(change);
  const fetches = change.verb === "install" && listsAge !== undefined;
  const may = raw(["''", ...removable.map(pattern)].join(" | "));
  return lines([
    onlyRoot,
    raw("c3x_plans="),
    tryWithLock(patience, manager.lock),
    simulating(manager, change),
    script`c3x_may_go() { case "$1" in ${may}) ;; *) return 1 ;; esac; }
c3x_listed() {
  printf '%s\n' "$c3x_list" | while IFS='	' read -r c3x_does c3x_name c3x_rest; do
    [ "$c3x_does" = "$1" ] || continue
    [ "$2" = all ] || ! c3x_may_go "$c3x_name" || continue
    printf ', %s' "$c3x_name"
  done
}
c3x_attempt() {
  ${known === undefined ? raw(":") : script`{ ${known}; } || return`}
  c3x_list=$(c3x_simulate) || return
  c3x_list=$(printf '%s\n' "$c3x_list" | c3x_others)
  c3x_removes=$(c3x_listed remove all)
  c3x_more=$(c3x_listed remove other)
  c3x_held=$(c3x_listed held all)
  if [ -n "$c3x_more" ]; then
    echo "nothing was done: it would also remove \${c3x_more#, }, which the plan did not show or no step names" >&2
    return ${refused}
  fi
  if [ -n "$c3x_held" ]; then
    echo "nothing was done: it would also change \${c3x_held#, }, which is held on the host" >&2
    return ${refused}
  fi
  ${act}
}`,
    fetches ? withLists(manager, listsAge) : raw("c3x_attempt"),
  ]);
}

/**
 * Lists that are old are fetched first; where something turns out to be unknown, or not there any more, once more.
 *
 * Lists that could not be fetched wholly do not count as fetched, and do not end it: another source may have what is wanted.
 */
const withLists = ({ lists }: PackageManager, age: number): Script => script`c3x_refresh() {
${lists.refresh}
}
c3x_fetch() {
  c3x_refresh || return
  mkdir -p -- ${lists.stamp.replace(/\/[^/]*$/, "")} && : >${lists.stamp}
}
c3x_is_fresh() {
  [ -e ${lists.stamp} ] || return
  for f in ${lists.sources}; do [ "$f" -nt ${lists.stamp} ] && return 1; done
  c3x_age=$(($(date +%s) - $(stat -c %Y ${lists.stamp})))
  [ "$c3x_age" -ge 0 ] && [ "$c3x_age" -lt ${age} ]
}
c3x_is_fresh || c3x_fetch
c3x_said=$(c3x_attempt 2>&1)
c3x_status=$?
case "$c3x_status $c3x_said" in
  '0 '*) exit 0 ;;
  '${refused} '*) ;;
  *'there is no package '* | ${lists.curable})
    c3x_fetch
    c3x_attempt
    exit ;;
esac
printf '%s\n' "$c3x_said" >&2
exit "$c3x_status"`;

/** Another script with the manager's tool: nothing is installed or removed. */
export const withTool = (manager: PackageManager, patience: Patience, body: Script): Script =>
  lines([onlyRoot, tryWithLock(patience, manager.lock), manager.functions, body]);
