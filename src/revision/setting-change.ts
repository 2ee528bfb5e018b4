/**
 * @module A changed setting as a kind gets it (X3): plain data, with what is sensitive real for the kind and hidden
 * from everything that prints, logs or serialises it.
 */
import { inspect } from "node:util";
import type { BlockSchema } from "../schema/schema.ts";
import { formatPath, type Path, within } from "../values/path.ts";
import { type Plain, toPlain } from "../values/plain.ts";
import { isWhollyKnown } from "../values/walk.ts";
import type { PropertyChange } from "./decision.ts";

export interface SettingChange {
  readonly path: Path;
  /** Undefined for an element that was added. */
  readonly before: Plain | undefined;
  /** Undefined for an element that was removed. What is not known yet is `Unknown`. */
  readonly after: Plain | undefined;
  /** Whether any of `after` is not known yet. */
  readonly unknown: boolean;
  /** Whether any of it is sensitive: both values are then left out of what is printed or serialised. */
  readonly sensitive: boolean;
}

/** @param sensitive paths that are sensitive beyond what the schema says */
export function settingChanges(
  changes: readonly PropertyChange[],
  schema: BlockSchema,
  sensitive: readonly Path[] = [],
): readonly SettingChange[] {
  return changes.map(({ path, before, after }) => {
    const change = {
      path,
      before: before && toPlain(before),
      after: after && toPlain(after),
      unknown: after !== undefined && !isWhollyKnown(after),
      sensitive:
        isSensitive(schema, path) || sensitive.some((place) => within(path, place) || within(place, path)),
    };
    return change.sensitive ? hidden(change) : change;
  });
}

/** By the schema: what is there, what it is in, or something inside of it. */
function isSensitive(schema: BlockSchema, path: Path): boolean {
  const [step, ...rest] = path;
  if (step === undefined) {
    const inner = Object.values(schema.blocks).some((block) => isSensitive(block, []));
    return inner || Object.values(schema.attributes).some((attribute) => attribute.sensitive === true);
  }
  // A repeated block's position.
  if (!("attribute" in step)) return isSensitive(schema, rest);
  const block = schema.blocks[step.attribute];
  return block === undefined
    ? schema.attributes[step.attribute]?.sensitive === true
    : isSensitive(block, rest);
}

function hidden(change: SettingChange): SettingChange {
  const { path, before, after, unknown, sensitive } = change;
  const shown = () => ({ path: formatPath(path), unknown, sensitive });
  return Object.defineProperties({ path, unknown, sensitive } as SettingChange, {
    before: { value: before },
    after: { value: after },
    toJSON: { value: shown },
    [inspect.custom]: { value: shown },
  });
}
