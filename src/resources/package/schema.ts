/**
 * @module Settings of `conn3x_package`.
 */
import { bool, number, oneOf, type Show, string, stringList } from "../../schema/schema.ts";
import { hostResource, onRemoveUnused } from "../settings.ts";
import { badName, fitsVersion, sameNames } from "./names.ts";

const notNegative = (value: number): string | undefined =>
  value >= 0 && Number.isInteger(value) ? undefined : "must be a whole number of seconds, not negative";

const badPattern = (names: readonly string[], show: Show): string | undefined => {
  const bad = names.find((name) => !/^[A-Za-z0-9*?][A-Za-z0-9+._:*?-]*$/.test(name));
  return bad === undefined
    ? undefined
    : `must have names of packages, in which * and ? stand for any characters${show(`, not "${bad}"`)}`;
};

export const packageSchema = hostResource(
  "One package, or several that are installed together, with the host's package manager: apt, dnf, yum, zypper, apk or pacman. There are no questions, and edited configuration files stay as they are. A plan tries each change, without doing it, and lists what else would be installed, changed or removed; nothing is removed that no step names, unless `allow_removal` does. (apt is tested on real hosts, the others against their documented output.)",
  {
    name: string({
      optional: true,
      identity: true,
      oneOf: "names",
      describe:
        "Exact name of the package, with its architecture if that is not the host's own: `libc6:i386` (with apt, dnf, yum and zypper). A name that other packages provide counts as installed when one of them is. Exactly one of `name` and `names` is needed.",
      check: badName,
    }),
    names: stringList({
      optional: true,
      observed: true,
      oneOf: "names",
      describe:
        "Names of packages that are installed or removed together, in any order. Packages that are taken off the list stay on the host.",
      check: (names, show) =>
        names.length === 0 ? "must name a package" : names.map((name) => badName(name, show)).find(Boolean),
      equivalent: sameNames,
    }),
    version: string({
      fits: fitsVersion,
      optional: true,
      computed: true,
      observed: true,
      describe:
        "Version of a single package, in the exact form of its manager, or a prefix and an asterisk: `1.22.*`. Unset: the newest for a new package; an installed one keeps its version.",
      check: (version, show) =>
        /^[A-Za-z0-9.+:~_-]+\*?$/.test(version)
          ? undefined
          : `must be a version such as "1.22.1-9"${show(`, not "${version}"`)}`,
    }),
    state: oneOf(["present", "absent", "purged"], {
      standard: "present",
      optional: true,
      observed: true,
      describe:
        "`present` (default); `absent`: not installed; `purged`: its configuration files are gone, too (the same as `absent` with dnf, yum and zypper).",
    }),
    hold: bool({
      optional: true,
      computed: true,
      observed: true,
      describe:
        "Whether upgrades of the host leave it at its version. With dnf and yum this needs their versionlock plugin; pacman cannot do it. Unset: left as it is, and a change of a package that somebody else holds is refused.",
    }),
    automatic: bool({
      computed: true,
      observed: true,
      follows: ["state"],
      describe:
        "Whether the package counts as installed for the sake of others only, so that it goes when they go (`apt-get autoremove`). False for what a step wants to be present: a package that is there already is marked so.",
    }),
    allow_removal: stringList({
      optional: true,
      hostEffect: false,
      describe:
        'Names of packages that may be removed besides, because they depend on one that goes or conflict with one that comes; `*` and `?` are patterns, and `["*"]` allows all. What the plan did not show stays nevertheless. Packages that other package steps of the circuit want to be absent need not be named. Default: none.',
      check: badPattern,
    }),
    removed_later: stringList({
      optional: true,
      hostEffect: false,
      describe:
        "Names of packages that later steps of the circuit remove, and that may go earlier. Set by the compiler.",
      // What it was when the step was applied means nothing to the next change.
      equivalent: () => true,
    }),
    update_cache: bool({
      optional: true,
      hostEffect: false,
      describe:
        "Whether the host's package lists are updated before an installation: where their last complete update is longer ago than `cache_valid_time` or than a change of the sources, and once more where a package is not in them or cannot be fetched. Default true.",
    }),
    cache_valid_time: number({
      optional: true,
      hostEffect: false,
      describe:
        "Seconds for which package lists count as current. An update that got only some of them does not count. Default 3600.",
      check: notNegative,
    }),
    lock_timeout: number({
      optional: true,
      hostEffect: false,
      describe:
        "Seconds to wait for another process that works on packages, such as unattended upgrades. Default 300.",
      check: notNegative,
    }),
    on_remove: onRemoveUnused("it is uninstalled"),
  },
);
