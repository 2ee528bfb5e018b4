/**
 * @module What is asked of dpkg and apt, and the reading of it: dpkg-query(1), apt-cache(8).
 */
import { lines, type Script, script } from "../../../script/script.ts";
import { AnswerError } from "../../kind.ts";
import { absent, type Inventory, type PackageState, plainName } from "../manager.ts";
import { viewing } from "./scripts.ts";

/**
 * With an architecture a name does not find a package that is for all of them, so it is asked for without as well. One process for all names; its status says only whether some of them are unknown (1) or it failed (2). */
export const askInstalled = (names: readonly string[]): Script =>
  lines([
    script`dpkg --print-architecture`,
    // What dpkg itself finds half-done, and what it had not finished writing down.
    script`i=whole
if [ -n "$(dpkg --audit)" ]; then i=interrupted; fi
for f in /var/lib/dpkg/updates/[0-9]*; do if [ -e "$f" ]; then i=interrupted; fi; done
echo "$i"`,
    script`dpkg-query -W -f '\${Package}\t\${Architecture}\t\${db:Status-Want}\t\${db:Status-Status}\t\${Version}\n' -- ${[...new Set(names.flatMap((name) => [name, plainName(name)]))]} 2>/dev/null
echo "status $?"`,
    askAutomatic(names.map(plainName)),
  ]);

/** What is installed for the sake of others only, of these names or of all: a line for each, as `apt-mark showauto` knows them. */
const askAutomatic = (names: readonly string[] = []): Script =>
  script`if [ -r ${extendedStates} ]; then awk -v n=${` ${names.join(" ")} `} 'BEGIN { RS = "" } /Auto-Installed: 1/ && (n == "  " || index(n, " " $2 " ")) { print "automatic\t" $2 "\t" $4 }' ${extendedStates}; fi`;

const extendedStates = "/var/lib/apt/extended_states";

/** Names with their architecture after a colon; a package that is for all architectures is listed under the host's own. */
const automaticIn = (text: string): ReadonlySet<string> =>
  new Set(
    [...text.matchAll(/^automatic\t(\S+)\t(\S+)$/gm)].map(
      ([, name, architecture]) => `${name}:${architecture}`,
    ),
  );

interface Row {
  readonly name: string;
  readonly architecture: string;
  readonly want: string;
  readonly status: string;
  readonly version: string;
}

export function parseInstalled(answer: string, names: readonly string[]): Inventory {
  const [native, integrity, ...rest] = answer.split("\n");
  const end = rest.findLastIndex((line) => line.startsWith("status "));
  const rows = rest.slice(0, end).map(parseRow);
  if (native === undefined || !/^(whole|interrupted)$/.test(integrity ?? "") || end < 0) {
    throw new AnswerError("dpkg did not tell of its packages");
  }
  const automatic = automaticIn(rest.slice(end).join("\n"));
  if (!["status 0", "status 1"].includes(rest[end]!)) throw new AnswerError("dpkg-query failed");
  return {
    interrupted: integrity === "interrupted",
    packages: new Map(names.map((name) => [name, stateOf(name, native, rows, automatic)])),
  };
}

function parseRow(line: string): Row {
  const [name, architecture, want, status, version, ...more] = line.split("\t");
  if (version === undefined || more.length > 0) throw new AnswerError(`dpkg-query told "${line}"`);
  return { name: name!, architecture: architecture!, want: want!, status: status!, version };
}

/** A name without an architecture is the host's own, or one for all. */
function stateOf(
  asked: string,
  native: string,
  rows: readonly Row[],
  automatic: ReadonlySet<string>,
): PackageState {
  const [name, architecture] = asked.split(":");
  const fits = (row: Row) =>
    row.name === name &&
    (architecture === undefined || architecture === native
      ? [native, "all"].includes(row.architecture)
      : row.architecture === architecture);
  const row = rows.find(fits);
  const named = architecture === native ? { realName: name! } : {};
  if (row === undefined || row.status === "not-installed") return { ...absent, ...named };
  const held = row.want === "hold";
  if (row.status === "config-files") return { ...absent, ...named, state: "configured", held };
  const state = row.status === "installed" ? "installed" : "broken";
  const isAutomatic = automatic.has(`${name}:${row.architecture === "all" ? native : row.architecture}`);
  return { state, version: row.version, held, automatic: isAutomatic, providers: [], ...named };
}

/**
 * Installed packages whose `Provides` has one of the names; with `available`, what apt knows of them. (`grep` only keeps
 * the answer short: which lines count is seen when it is read.)
 */
export const askMore = (names: readonly string[], available: boolean): Script =>
  lines([
    script`echo providers`,
    script`dpkg-query -W -f '\${db:Status-Status}\t\${Package}\t\${Provides}\n' | grep -F ${names.flatMap((name) => ["-e", plainName(name)])}`,
    askAutomatic(),
    script`echo available`,
    ...(available ? [askLists(names)] : []),
    script`echo end`,
  ]);

/** Where apt has no lists yet it knows nothing, and that says nothing. */
const askLists = (names: readonly string[]): Script =>
  script`${viewing}
for f in /var/lib/apt/lists/*_Packages*; do
  if [ -e "$f" ]; then echo lists; c3x_view apt-cache policy -- ${names}; break; fi
done`;

export function parseMore(answer: string, inventory: Inventory): Inventory {
  const parts = /^providers\n([\s\S]*?)^available\n([\s\S]*?)^end\n$/m.exec(answer);
  if (parts === null) throw new AnswerError("apt did not tell of its packages");
  const providers = parseProviders(parts[1]!);
  const automatic = new Set([...automaticIn(parts[1]!)].map(plainName));
  const known = parts[2]!.startsWith("lists\n") ? parsePolicy(parts[2]!) : undefined;
  const packages = [...inventory.packages].map(([name, state]): [string, PackageState] => {
    const plain = plainName(name);
    const standIns = state.state === "installed" ? [] : (providers.get(plain) ?? []);
    const available = known === undefined ? undefined : versionsOf(known, name);
    return [
      name,
      {
        ...state,
        ...standing(standIns, automatic),
        ...(available === undefined ? {} : { available }),
      },
    ];
  });
  return { ...inventory, packages: new Map(packages) };
}

/** One of the providers that is wanted for itself is enough. */
const standing = (providers: readonly string[], automatic: ReadonlySet<string>) =>
  providers.length === 0
    ? { providers }
    : { providers, automatic: providers.every((name) => automatic.has(name)) };

/** `installed<tab>exim4-daemon-light<tab>default-mta, mail-transport-agent (= 4)` */
function parseProviders(text: string): ReadonlyMap<string, readonly string[]> {
  const providers = new Map<string, string[]>();
  for (const line of text.split("\n")) {
    const [status, provider, list] = line.split("\t");
    if (status !== "installed" || list === undefined) continue;
    for (const name of list.split(",").map((entry) => entry.trim().replace(/[ :(].*/, ""))) {
      if (name !== "") providers.set(name, [...(providers.get(name) ?? []), provider!]);
    }
  }
  return providers;
}

/**
 * Only what is exactly of that name: apt takes what it does not know for a pattern and lists all that fit. A name
 * without versions is one that others provide, or only mention.
 */
function versionsOf(
  known: ReadonlyMap<string, readonly string[]>,
  name: string,
): readonly string[] | undefined {
  const versions = known.get(name) ?? known.get(plainName(name)) ?? [];
  const isMentioned = known.has(name) || known.has(plainName(name));
  return isMentioned && versions.length === 0 ? undefined : versions;
}

/** A block for each name that apt knows; versions stand indented by five columns, the installed one after `***`. */
function parsePolicy(text: string): ReadonlyMap<string, readonly string[]> {
  const known = new Map<string, string[]>();
  let versions: string[] = [];
  for (const line of text.split("\n")) {
    const name = /^(\S+):$/.exec(line)?.[1];
    const version = /^ (?:\*\*\*| {3}) (\S+) -?\d+$/.exec(line)?.[1];
    if (name !== undefined) {
      versions = [];
      known.set(name, versions);
    } else if (version !== undefined) versions.push(version);
  }
  return known;
}
