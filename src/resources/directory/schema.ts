/**
 * @module Settings of `conn3x_directory`.
 */

import { bool, type Show, stringList } from "../../schema/schema.ts";
import { sameNames } from "../package/names.ts";
import { absolutePath, fileMode, group, owner } from "../paths/settings.ts";
import { follow } from "../paths/writing.ts";
import { hostResource, onRemove } from "../settings.ts";

const badNames = (names: readonly string[], show: Show): string | undefined => {
  const bad = names.find((name) => name === "" || name.includes("\0") || /(^|\/)\.\.?(\/|$)/.test(name));
  return bad === undefined
    ? undefined
    : `must have paths, absolute or relative to the directory, without "." and ".." as parts${show(`, not "${bad}"`)}`;
};

const followSetting = follow(
  "the directory that it leads to is the one that is managed. Otherwise a link in its place is an error.",
);

export const directorySchema = hostResource(
  "A directory. Missing parents are created with mode `0755`; in a directory of a user they belong to that user. It is only removed when it is empty, unless `on_remove` is `delete`, which removes its content, too; nothing is deleted if something is mounted at the path or below it.",
  {
    path: absolutePath((setting) => ({ what: "directory", followsLinks: setting("follow") === true })),
    follow: followSetting,
    mode: fileMode("0755"),
    owner,
    group,
    recurse: bool({
      standard: false,
      optional: true,
      observed: true,
      describe:
        "Whether `owner`, `group` and `mode`, as far as the configuration sets them, apply to everything in it: differences there are drift. Files get the mode without set-id bits, and execute permission only if somebody has it already. Links are not followed. What a user of the host may have moved there, and could not read before, is an error. Left alone are mount points, what `keep` has, and what other steps put there, with their backups and, where those have `recurse` themselves, all below them. The plan lists what changes. Default false.",
    }),
    purge: bool({
      standard: false,
      optional: true,
      describe:
        "Whether everything is removed from it, at any depth, that no step put there: files, links, and directories that are then empty. The plan lists them in `extra`. Objects on the same host of circuits in the same configuration directory stay, with their backups, and so do mount points; name anything else in `keep`. Default false.",
    }),
    keep: stringList({
      optional: true,
      equivalent: sameNames,
      describe:
        "What else `purge` and `recurse` spare: paths, relative to the directory or absolute, with everything below them. `*`, `?` and `[…]` are patterns as in find(1)'s `-path`: `*` also matches slashes.",
      check: badNames,
    }),
    managed: stringList({
      optional: true,
      hostEffect: false,
      describe:
        "Absolute paths of objects of the circuits' steps on the host, which `purge` and `recurse` spare; with a slash at the end that of a directory with `recurse`. Set by the compiler.",
    }),
    hands_on: stringList({
      computed: true,
      hostEffect: false,
      describe: "With `recurse`: which of `owner`, `group` and `mode` the configuration sets.",
    }),
    differing: stringList({
      computed: true,
      observed: true,
      follows: ["recurse"],
      describe:
        "With `recurse`: names whose owner, group or mode is to be set, relative to the directory; of more than 1,000 the first ones and the number of the rest. Empty after an apply.",
    }),
    extra: stringList({
      computed: true,
      observed: true,
      follows: ["purge"],
      describe:
        "With `purge`: names to remove, relative to the directory; of more than 1,000 the first ones and the number of the rest. Empty after an apply.",
    }),
    on_remove: onRemove,
  },
);
