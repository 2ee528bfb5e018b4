/**
 * @module Settings of `conn3x_directory`.
 */
import { bool, stringList, type Tell } from "../../schema/schema.ts";
import { absolutePath, fileMode, group, owner } from "../paths/settings.ts";
import { hostResource, onRemove } from "../settings.ts";

const badNames = (names: readonly string[], tell: Tell): string | undefined => {
  const bad = names.find((name) => name === "" || name.includes("\0") || /(^|\/)\.\.?(\/|$)/.test(name));
  return bad === undefined
    ? undefined
    : `must have paths, absolute or relative to the directory, without "." and ".." as parts${tell(`, not "${bad}"`)}`;
};

export const directorySchema = hostResource(
  "A directory. Missing parents are made with mode `0755`. Removing it removes it only when it is empty, unless `on_remove` is `delete`, which removes what is in it, too; that deletes nothing where something is mounted at the path or below it.",
  {
    path: absolutePath(() => ({ what: "directory", followsLinks: true })),
    mode: fileMode("0755"),
    owner,
    group,
    recurse: bool({
      optional: true,
      observed: true,
      describe:
        "Whether `owner`, `group` and `mode`, as far as they are set, hold for everything in it, too: what differs there is drift. Files get the mode without set-id bits, and may be executed only if somebody may already. Links are not followed, and what is mounted there is left alone. Default false.",
    }),
    purge: bool({
      optional: true,
      describe:
        "Whether everything in it is removed that no step put there, at any depth: files, links themselves, and directories that are empty without them. The plan has them in `extra`. What circuits of the same configuration directory put there on the same host stays, with backups of it, and so does what is mounted there; for anything else there is `keep`. Default false.",
    }),
    keep: stringList({
      optional: true,
      describe:
        "What `purge` spares besides: paths, relative to the directory or absolute, with everything below them. `*`, `?` and `[…]` stand for characters as in find(1)'s `-path`: `*` for slashes, too.",
      check: badNames,
    }),
    managed: stringList({
      optional: true,
      hostEffect: false,
      describe:
        "Absolute paths of what the circuits' steps put on the host, which `purge` spares. The compiler writes it.",
    }),
    extra: stringList({
      computed: true,
      observed: true,
      follows: ["purge"],
      describe:
        "With `purge`: names in the directory, relative to it, that are to be removed; of more than 1,000 the first, and how many more. Empty after an apply.",
    }),
    on_remove: onRemove,
  },
);
