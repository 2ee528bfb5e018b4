/**
 * @module Packages of Alpine: apk(8), apk-world(5), and its database, whose lines start with a letter each.
 */
import { lines, raw, type Script, script } from "../../../script/script.ts";
import { AnswerError } from "../../kind.ts";
import {
  absent,
  type Inventory,
  type PackageManager,
  type PackageState,
  type Patience,
  type Wanted,
} from "../manager.ts";
import { unlessYounger, withLock } from "../with-lock.ts";

const run = (patience: Patience, ...body: readonly Script[]): Script =>
  withLock(
    patience,
    { locked: raw("*'Unable to lock database'*") },
    script`c3x_apk() { c3x_try apk --no-progress "$@"; }`,
    ...body,
  );

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
  repair: (patience) => run(patience, script`c3x_apk fix`),
  update: (age, patience) =>
    run(
      patience,
      unlessYounger(age, raw("/var/cache/apk/APKINDEX.* /etc/apk/cache/APKINDEX.*")),
      script`c3x_apk update`,
    ),
  install: (wanted, patience) =>
    run(
      patience,
      script`c3x_apk add ${wanted.map(constraint)} || exit
${letGo(wanted)}`,
    ),
  remove: (names, patience) => run(patience, script`c3x_apk del ${names}`),
  purge: (names, patience) => run(patience, script`c3x_apk del --purge ${names}`),
  hold: (names, patience) =>
    run(
      patience,
      script`for p in ${names}; do
  v=$(apk list --installed "$p" 2>/dev/null | sed -n 's/^\([^ ]*\) .*/\1/p' | head -n 1)
  [ -n "$v" ] || { echo "$p is not installed: it cannot be held" >&2; exit 1; }
  c3x_apk add "$p=\${v#"$p"-}" || exit
done`,
    ),
  unhold: (names, patience) => run(patience, script`c3x_apk add ${names}`),
};

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
    return { ...absent, providers };
  }
  return { state: own.isBroken ? "broken" : "installed", version: own.version ?? "", held, providers: [] };
}

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
