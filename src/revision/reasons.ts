/**
 * @module Why an instance changes, as data.
 */
import type { BlockSchema } from "../schema/schema.ts";
import type { Path } from "../values/path.ts";
import { isWhollyKnown } from "../values/walk.ts";
import { type Comparison, topName } from "./comparison.ts";
import type { DependencyChange, PropertyChange, Reason } from "./decision.ts";

export function replaceReasons(schema: BlockSchema, paths: readonly Path[]): readonly Reason[] {
  const kindOf = (path: Path): Reason["kind"] => {
    const name = topName(path);
    if (schema.attributes[name]?.identity) return "identity";
    return name === "triggers" ? "triggers" : "cannot_update";
  };
  const kinds = [...new Set(paths.map(kindOf))];
  return kinds.map((kind) => ({ kind, paths: paths.filter((path) => kindOf(path) === kind) }));
}

/** What is replaced comes first: it weighs more. */
export function dependencyReasons(dependencies: readonly DependencyChange[]): readonly Reason[] {
  const of = (action: DependencyChange["action"]) =>
    dependencies.filter((one) => one.action === action).map(({ address }) => address);
  const kinds = { dependency_replaced: of("replace"), dependency_updated: of("update") } as const;
  return (["dependency_replaced", "dependency_updated"] as const)
    .filter((kind) => kinds[kind].length > 0)
    .map((kind) => ({ kind, dependencies: kinds[kind] }));
}

/**
 * Edits and drift apart, also when both happened; triggers, whether they are known already or not, apart from the rest.
 * @param unsettled whether an earlier update was cut off
 */
export function updateReasons(
  { edits, editedInside, putBack }: Comparison,
  unsettled: boolean,
): readonly Reason[] {
  const triggers = edits.filter(({ path }) => topName(path) === "triggers");
  const others = edits.filter(({ path }) => topName(path) !== "triggers");
  const isUnknownEdit = ({ after }: PropertyChange) => after !== undefined && !isWhollyKnown(after);
  const reasons: Reason[] = [];
  const add = (kind: Reason["kind"], paths: readonly Path[]) => {
    if (paths.length > 0) reasons.push({ kind, paths });
  };
  const places = (changes: readonly PropertyChange[]) => changes.map(({ path }) => path);
  add("config", [...places(others.filter((edit) => !isUnknownEdit(edit))), ...editedInside]);
  add("triggers", places(triggers));
  add("unknown_input", places(others.filter(isUnknownEdit)));
  add("drift", places(putBack));
  if (unsettled) reasons.push({ kind: "last_apply_failed" });
  return reasons;
}

/** The reasons of an instance that was imported and not applied since: nobody edited what the configuration wants. */
export const sinceImport = (reasons: readonly Reason[]): readonly Reason[] =>
  reasons.map((reason) =>
    reason.kind === "config" || reason.kind === "identity" ? { ...reason, imported: true } : reason,
  );
