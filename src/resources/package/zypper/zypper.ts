/**
 * @module Packages of SUSE: zypper(8), and its exit codes.
 */
import { lines, raw, type Script, script } from "../../../script/script.ts";
import { AnswerError } from "../../kind.ts";
import type { Inventory, PackageManager, Patience } from "../manager.ts";
import { askProviders, askRpm, parseRpm, providersOf, rpmName } from "../rpm.ts";
import { unlessYounger, withLock } from "../with-lock.ts";

/** 7: another process holds the lock. 102 and 103: done, and a reboot or a new zypper is advised. */
const run = (patience: Patience, ...body: readonly Script[]): Script =>
  withLock(
    patience,
    { locked: raw("'7 '*"), fine: raw("'0 '* | '102 '* | '103 '*") },
    script`c3x_zypper() { c3x_try zypper --non-interactive --quiet "$@"; }`,
    ...body,
  );

export const zypper: PackageManager = {
  name: "zypper",
  ask: (names) =>
    lines([
      askRpm(names),
      script`echo locks`,
      script`sed -n 's/^solvable_name:[[:blank:]]*//p' /etc/zypp/locks 2>/dev/null; :`,
    ]),
  parse(answer, names) {
    const held = new Set(answer.slice(answer.indexOf("\nlocks\n") + 1).split("\n"));
    return { interrupted: false, packages: parseRpm(answer, names, (name) => held.has(name)) };
  },
  askMore: (names, available) =>
    lines([
      askProviders(names),
      script`echo available`,
      ...(available
        ? [
            script`zypper --non-interactive --quiet --no-refresh search -s --match-exact -t package -- ${names.map(plain)} 2>/dev/null; echo told`,
          ]
        : []),
      script`echo end`,
    ]),
  parseMore,
  repair: () => raw(":"),
  update: (age, patience) =>
    run(
      patience,
      unlessYounger(age, raw("/var/cache/zypp/raw/*/repodata/repomd.xml")),
      script`c3x_zypper refresh`,
    ),
  install: (wanted, patience) =>
    run(
      patience,
      script`c3x_zypper install --oldpackage --auto-agree-with-licenses -- ${wanted.map(
        ({ name, version }) => (version === undefined ? rpmName(name) : `${rpmName(name)}=${version}`),
      )}`,
    ),
  remove: (names, patience) => run(patience, script`c3x_zypper remove -- ${names.map(rpmName)}`),
  purge: (names, patience) => run(patience, script`c3x_zypper remove -- ${names.map(rpmName)}`),
  hold: (names) => script`zypper --non-interactive --quiet addlock -- ${names.map(plain)} >/dev/null`,
  unhold: (names) => script`zypper --non-interactive --quiet removelock -- ${names.map(plain)} >/dev/null`,
};

const plain = (name: string): string => name.split(":", 1)[0]!;

/** `i+ | nginx | package | 1.21.5-150400.1.8 | x86_64 | Main Repository`: status, name, type, version, architecture. */
function parseMore(answer: string, inventory: Inventory): Inventory {
  const parts = /^providers\n([\s\S]*?)^available\n([\s\S]*?)^end$/m.exec(answer);
  if (parts === null) throw new AnswerError("zypper did not tell which packages there are");
  const [, providers, listed] = parts;
  const rows = listed!.split("\n").map((line) => line.split("|").map((cell) => cell.trim()));
  const packages = [...inventory.packages].map(([asked, state]): [string, typeof state] => {
    const [name, architecture] = asked.split(":");
    const standIns = state.state === "installed" ? [] : providersOf(providers!, name!);
    const versions = rows
      .filter((row) => row[1] === name && row[2] === "package" && [row[4], undefined].includes(architecture))
      // What is installed and in no repository cannot be installed again.
      .filter((row) => row[5] !== "(System Packages)")
      .map((row) => row[3]!);
    const available = listed === "" ? {} : { available: [...new Set(versions)] };
    return [asked, { ...state, providers: standIns, ...available }];
  });
  return { ...inventory, packages: new Map(packages) };
}
