/**
 * @module Settings of every kind that writes whole files: what must hold before the old file is replaced, and what is
 * kept of the one before.
 */
import { type Diagnostic, errorDiagnostic, warningDiagnostic } from "../../diagnostics/diagnostic.ts";
import { bool, string } from "../../schema/schema.ts";
import { at } from "../../values/path.ts";
import type { PlainObject } from "../../values/plain.ts";
import type { PathFacts } from "./path-facts.ts";

export const validate = string({
  optional: true,
  hostEffect: false,
  describe:
    "A command that checks the new file before it takes its place, such as `visudo -cf %s`. `%s` stands for the path of the new file, already quoted; `%%` for a percent sign. If it fails, the old file stays and the apply fails.",
  check: (command) => {
    const places = command.replaceAll("%%", "");
    if (!places.includes("%s")) return "must contain %s, which stands for the path of the new file";
    if (/["']%s|%s["']/.test(places)) return "must have %s without quotes around it: it is quoted already";
    return undefined;
  },
});

/** @param then what that means */
export const follow = (then: string) =>
  bool({
    optional: true,
    standard: false,
    describe: `Whether a symbolic link at the path is followed: ${then} It is followed only where root or the acting user owns it and nobody else can change the directory that it is in. Default false.`,
  });

export const backup = bool({
  optional: true,
  hostEffect: false,
  describe:
    "Whether a replaced file is kept as `PATH.YYYY-MM-DDTHHMMSSZ-RANDOM~`, with the time in UTC. Nothing removes these backups. Default false.",
});

export const unsafeWrite = bool({
  optional: true,
  hostEffect: false,
  describe:
    "Whether an existing file is overwritten in place instead of being replaced by a new one: it stays the same file for hard links, for a mount of its own (like `/etc/hosts` in a container) and for programs that have it open. Readers may see a part of it meanwhile, and after a crash of the host only a part may remain until the next apply. Default false.",
});

/** What a plan says of a file with other hard links: a new file replaces one name only. */
export function otherNames(object: PlainObject, names: number): readonly Diagnostic[] {
  if (names < 2 || object.unsafe_write === true) return [];
  return [
    warningDiagnostic(
      "File has other names",
      `On the host, ${String(object.path)} is one of ${names} hard links to the same file. It is replaced by a new file, and the other names keep the old content. Set unsafe_write = true to write into the file itself.`,
      { attribute: at("path") },
    ),
  ];
}

/** What is written over is not replaced at once: where others can change names, that can be turned against another file. */
export function noWritingInPlace(
  object: PlainObject,
  { shared }: Pick<PathFacts, "shared">,
): readonly Diagnostic[] {
  if (shared !== true || object.unsafe_write !== true) return [];
  return [
    errorDiagnostic(
      "File cannot be written over safely",
      `On the host, others than root and the acting user can change the directory of ${String(object.path)}, or one above it, and could turn the name to another file meanwhile. Leave out unsafe_write: the file is then replaced.`,
      { attribute: at("unsafe_write") },
    ),
  ];
}
