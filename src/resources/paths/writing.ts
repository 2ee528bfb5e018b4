/**
 * @module Settings of every kind that writes whole files: what must hold before a file takes its place, and what is
 * kept of the one before.
 */
import { type Diagnostic, warningDiagnostic } from "../../diagnostics/diagnostic.ts";
import { bool, string } from "../../schema/schema.ts";
import { at } from "../../values/path.ts";
import type { PlainObject } from "../../values/plain.ts";

export const validate = string({
  optional: true,
  hostEffect: false,
  describe:
    "A command that checks the new file before it takes its place, such as `visudo -cf %s`. `%s` stands for the path of the new file, quoted already; `%%` for a percent sign. When it fails, the old file stays and the apply fails.",
  check: (command) => {
    const places = command.replaceAll("%%", "");
    if (!places.includes("%s")) return "must contain %s, which stands for the path of the new file";
    if (/["']%s|%s["']/.test(places)) return "must have %s without quotes around it: it is quoted already";
    return undefined;
  },
});

export const backup = bool({
  optional: true,
  hostEffect: false,
  describe:
    "Whether a file that is replaced is kept beside it, as `PATH.YYYY-MM-DDTHHMMSSZ~` with the time in UTC. Nothing removes these. Default false.",
});

export const unsafeWrite = bool({
  optional: true,
  hostEffect: false,
  describe:
    "Whether a file that is there is written over, byte by byte, instead of being replaced by a new one: it stays the same file for its other names (hard links), for a mount of its own (as `/etc/hosts` in a container) and for who holds it open. Whoever reads it meanwhile sees a part, and a host that fails meanwhile keeps a part, until the next apply. Default false.",
});

/** A new file takes the place of one name only: what a plan says of a file that has others. */
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
