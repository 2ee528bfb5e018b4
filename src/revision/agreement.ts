/**
 * @module Whether a plan made during apply agrees with the earlier plan (A2): known planned values must not change.
 */
import { valuesEqual } from "../values/equal.ts";
import type { Path, PathStep } from "../values/path.ts";
import { isUnknown, type Value } from "../values/value.ts";
import { isElements, isEntries, isWhollyKnown } from "../values/walk.ts";

/** The first path where `final` contradicts `planned`; undefined when there is none. */
export function contradiction(planned: Value, final: Value, path: Path = []): Path | undefined {
  if (planned === final || isUnknown(planned) || valuesEqual(planned, final)) return undefined;
  if (isElements(planned.data)) {
    // The order of a set may change once an unknown element is known.
    if (planned.type.kind === "set") return isWhollyKnown(planned) ? path : undefined;
    return isElements(final.data) && final.data.length === planned.data.length
      ? firstContradiction(planned.data.entries(), final.data, path)
      : path;
  }
  if (!isEntries(planned.data)) return path;
  if (!isEntries(final.data) || final.data.size !== planned.data.size) return path;
  const isObject = planned.type.kind === "object";
  for (const [name, value] of planned.data) {
    const step: PathStep = isObject ? { attribute: name } : { key: name };
    const other = final.data.get(name);
    const found = other === undefined ? [...path, step] : contradiction(value, other, [...path, step]);
    if (found !== undefined) return found;
  }
  return undefined;
}

function firstContradiction(
  planned: Iterable<[number, Value]>,
  final: readonly Value[],
  path: Path,
): Path | undefined {
  for (const [index, value] of planned) {
    const found = contradiction(value, final[index]!, [...path, { index }]);
    if (found !== undefined) return found;
  }
  return undefined;
}
