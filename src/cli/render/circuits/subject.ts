/**
 * @module What a step or handler is about, for people: `file /etc/web.conf`, `command bin/migrate --up`, `service nginx reload`.
 */
import type { PlannedChange } from "../../../engine/index.ts";
import { kinds } from "../../../resources/index.ts";
import type { PlainObject } from "../../../values/plain.ts";
import { toPlain } from "../../../values/plain.ts";
import { isMarked, isNull, isUnknown } from "../../../values/value.ts";
import { isEntries } from "../../../values/walk.ts";
import { knownAfterApply } from "../value-lines.ts";

/** The object of the change in one line. Nothing sensitive is in it. */
export function subjectOf({ type, before, after, deposed }: PlannedChange): string {
  const kind = kinds.get(type);
  const name = kind?.name ?? type.replace(/^[^_]*_/, "");
  const object = shownObject(isNull(after) ? before : after);
  const id = kind === undefined ? String(object.id ?? "") : (kind.title ?? kind.id.of)(object);
  const text = id === name || id === "" ? name : `${name} ${id}`;
  return `${text}${deposed === undefined ? "" : " (its old object)"}`;
}

/** The settings as plain values: a stand-in for each that is sensitive or not known yet. */
export function shownObject({ data }: PlannedChange["after"]): PlainObject {
  if (!isEntries(data)) return {};
  return Object.fromEntries(
    [...data].map(([name, value]) => [
      name,
      isMarked(value, "sensitive") || isMarked(value, "ephemeral")
        ? "(sensitive)"
        : isUnknown(value)
          ? knownAfterApply
          : toPlain(value),
    ]),
  );
}
