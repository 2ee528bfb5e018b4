/**
 * @module Packages of SUSE: zypper(8), and its exit codes.
 */
import { lines, raw, type Script, script } from "../../../script/script.ts";
import { type PackageManager, type Patience, plainName } from "../manager.ts";
import { askProviders, askRpm, type Offer, parseOffers, parseRpm, rpmName } from "../rpm.ts";
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
            script`zypper --non-interactive --quiet --no-refresh search -s --match-exact -t package -- ${names.map(plainName)} 2>/dev/null; echo told`,
          ]
        : []),
      script`echo end`,
    ]),
  parseMore: (answer, inventory) => parseOffers(answer, inventory, offersOf),
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
  hold: (names, patience) => run(patience, script`c3x_zypper addlock -- ${names.map(plainName)}`),
  unhold: (names, patience) => run(patience, script`c3x_zypper removelock -- ${names.map(plainName)}`),
};

/** `i+ | nginx | package | 1.21.5-150400.1.8 | x86_64 | Main Repository`: status, name, type, version, architecture. */
const offersOf = (listed: string): readonly Offer[] =>
  listed.split("\n").flatMap((line) => {
    const [, name, type, version, architecture, repository] = line.split("|").map((cell) => cell.trim());
    // What is installed and in no repository cannot be installed again.
    const isOffer = type === "package" && repository !== "(System Packages)";
    return isOffer ? [{ name: name!, architecture: architecture!, version: version! }] : [];
  });
