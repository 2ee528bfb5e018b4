/**
 * @module Packages of Alpine: apk(8), apk-world(5), and its database, whose lines start with a letter each.
 */
import { lines, raw, type Script, script } from "../../../script/script.ts";
import { AnswerError } from "../../kind.ts";
import {
  absent,
  type Change,
  type Inventory,
  type PackageManager,
  type PackageState,
  type Transaction,
  type Wanted,
} from "../manager.ts";

export const apk: PackageManager = {
  name: "apk",
  /** Name, version, what it provides, whether a file or script of it failed; then what is wanted by name. */
  ask: () => script`for f in /lib/apk/db/installed /usr/lib/apk/db/installed; do
  if [ -r "$f" ]; then echo installed; grep -E '^([PVpf]:|$)' "$f"; break; fi
done
echo world
cat /etc/apk/world
echo end`,
  parse: parseInstalled,
  askMore: (names, available) =>
    lines([...(available ? [script`apk policy ${names} 2>/dev/null; echo told`] : []), script`echo end`]),
  parseMore,
  lock: { locked: raw("*'Unable to lock database'*") },
  functions: script`c3x_apk() { c3x_try apk --no-progress "$@"; }
c3x_dry() {
  c3x_try apk --no-progress --simulate \${c3x_plans:+--no-network} "$@" || return
  printf '%s\n' "$c3x_out"
}
c3x_simulated() {
  sed -n -E -e 's/^\([0-9 ]*\/[0-9]*\) //' \
    -e 's/^Installing ([^ ]*) \(([^ ]*)\).*/install	\1	\2/p' \
    -e "s/^Purging ([^ ]*) \(([^ ]*)\).*/$1	\1	\2/p" \
    -e 's/^(Upgrading|Downgrading) ([^ ]*) \(([^ ]*) -> ([^ ]*)\).*/change	\2	\3	\4/p'
}`,
  repair: script`c3x_apk fix`,
  lists: {
    stamp: "/var/cache/apk/.conn3x-refreshed",
    sources: raw("/etc/apk/repositories /etc/apk/repositories.d /etc/apk/repositories.d/*"),
    // What cannot be fetched is a warning, and counted at the end: `2 unavailable, 0 stale; 5000 distinct packages available`.
    refresh: script`c3x_apk update || return
case "$c3x_out" in
  *ERROR:* | *[1-9]' unavailable'* | *[1-9]' stale'* | *'errors;'*) c3x_tell "$c3x_out"; return 1 ;;
  *WARNING:*) c3x_tell "$c3x_out" ;;
esac`,
    curable: raw(
      "*'no such package'* | *'unable to select packages'* | *'package mentioned in index not found'* | *'404'*",
    ),
  },
  transaction,
  hold: (names) =>
    script`for p in ${names}; do
  v=$(apk list --installed "$p" 2>/dev/null | sed -n 's/^\([^ ]*\) .*/\1/p' | head -n 1)
  [ -n "$v" ] || { echo "$p is not installed: it cannot be held" >&2; exit 1; }
  c3x_apk add "$p=\${v#"$p"-}" || exit
done`,
  unhold: (names) => script`c3x_apk add ${names}`,
  // What is in `world` by its name is wanted.
  keep: (names) => script`c3x_apk add ${names}`,
};

/**
 * apk always takes away what nothing needs any more, and nothing else, unless `--rdepends` takes what depends on a package as
 * well: without that it leaves the package, and ends with status 0. What else goes for a conflict is not in `world` either.
 */
function transaction({ verb, packages }: Change): Transaction {
  const names = packages.map(({ name }) => name);
  if (verb === "install") {
    return {
      simulate: script`c3x_dry add ${packages.map(constraint)} >/dev/null || return
printf '%s\n' "$c3x_out" | c3x_simulated remove`,
      act: script`c3x_apk add ${packages.map(constraint)} || return
${letGo(packages)}`,
    };
  }
  const purge = raw(verb === "purge" ? " --purge" : "");
  return {
    simulate: script`c3x_dry del ${names} >/dev/null || return
case "$c3x_out" in
  *'not removed due to'*)
    c3x_dry del --rdepends ${names} >/dev/null || return
    printf '%s\n' "$c3x_out" | c3x_simulated remove ;;
  *) printf '%s\n' "$c3x_out" | c3x_simulated clean ;;
esac`,
    act: script`if [ -n "$c3x_removes" ]; then set -- --rdepends; else set --; fi
c3x_apk del${purge} "$@" ${names}`,
  };
}

/** `nginx=1.24.0-r1`; `nginx=~1.24` stands for all versions that begin so. */
function constraint({ name, version }: Wanted): string {
  if (version === undefined) return name;
  return version.endsWith("*") ? `${name}=~${version.replace(/[.\-_]?\*$/, "")}` : `${name}=${version}`;
}

/** A version that was asked for stays in `world`, and holds the package: that is another setting. */
function letGo(wanted: readonly Wanted[]): Script {
  const names = wanted.filter(({ version }) => version !== undefined).map(({ name }) => name);
  return names.length === 0 ? raw(":") : script`c3x_apk add ${names}`;
}

function parseInstalled(answer: string, names: readonly string[]): Inventory {
  const parts = /^installed\n([\s\S]*?)^world\n([\s\S]*?)^end$/m.exec(answer);
  if (parts === null) throw new AnswerError("apk did not tell of its packages");
  const stanzas = parts[1]!.split("\n\n").map(stanzaOf);
  const world = parts[2]!.split(/\s+/);
  return {
    interrupted: stanzas.some(({ isBroken }) => isBroken),
    packages: new Map(names.map((name) => [name, stateOf(name, stanzas, world)])),
  };
}

interface Stanza {
  readonly name: string | undefined;
  readonly version: string | undefined;
  readonly provides: readonly string[];
  readonly isBroken: boolean;
}

function stanzaOf(text: string): Stanza {
  const line = (letter: string) => new RegExp(`^${letter}:(.*)$`, "m").exec(text)?.[1];
  const provides = (line("p") ?? "").split(" ").map((entry) => entry.replace(/[=<>~].*/, ""));
  return { name: line("P"), version: line("V"), provides, isBroken: /[fs]/.test(line("f") ?? "") };
}

function stateOf(name: string, stanzas: readonly Stanza[], world: readonly string[]): PackageState {
  const own = stanzas.find((one) => one.name === name);
  const held = world.some((entry) => /^[=<>~]/.test(entry.slice(name.length)) && entry.startsWith(name));
  if (own === undefined) {
    const providers = stanzas.filter((one) => one.provides.includes(name)).map((one) => one.name!);
    return { ...absent, providers, ...(providers.length === 0 ? {} : { automatic: !isWanted(name, world) }) };
  }
  return {
    state: own.isBroken ? "broken" : "installed",
    version: own.version ?? "",
    held,
    automatic: !isWanted(name, world),
    providers: [],
  };
}

/** In `world` a name may have a version or the tag of a repository after it. */
const isWanted = (name: string, world: readonly string[]): boolean =>
  world.some((entry) => entry.replace(/[=<>~@].*/, "") === name);

/** `nginx policy:`, then each version indented by two and with a colon, then where it is from, indented by four. */
function parseMore(answer: string, inventory: Inventory): Inventory {
  if (!/^end$/m.test(answer)) throw new AnswerError("apk did not tell which packages there are");
  if (!/^told$/m.test(answer)) return inventory;
  const known = new Map<string, string[]>();
  let version = "";
  let versions: string[] = [];
  for (const line of answer.split("\n")) {
    const name = /^(\S+) policy:$/.exec(line)?.[1];
    if (name !== undefined) {
      versions = [];
      known.set(name, versions);
    }
    version = /^ {2}(\S+):$/.exec(line)?.[1] ?? version;
    const source = /^ {4}(\S.*)$/.exec(line)?.[1];
    if (source !== undefined && !source.endsWith("lib/apk/db/installed") && !versions.includes(version))
      versions.push(version);
  }
  const packages = [...inventory.packages].map(([name, state]): [string, PackageState] => {
    const available = known.get(name) ?? [];
    const isMentioned = known.has(name) && available.length === 0;
    return [name, isMentioned ? state : { ...state, available: available.toReversed() }];
  });
  return { ...inventory, packages: new Map(packages) };
}
