/**
 * @module The sensitive paths of an object: those of the schema, and those that reveal a sensitive one, as the
 * hash of a short secret does.
 */

import type { MarkedPath } from "../values/marks.ts";
import type { Path } from "../values/path.ts";
import type { Value } from "../values/value.ts";
import { isElements, isEntries } from "../values/walk.ts";
import type { BlockSchema } from "./schema.ts";
import { writeOnlySettings } from "./write-only.ts";

const sensitive: MarkedPath["marks"] = new Set(["sensitive"]);

/** Paths that the schema says are sensitive, whatever the object; those in repeated blocks depend on it. */
export function schemaMarks(schema: BlockSchema, at: Path = []): readonly MarkedPath[] {
  const own = Object.entries(schema.attributes)
    .filter(([, attribute]) => attribute.sensitive)
    .map(([name]) => ({ path: [...at, { attribute: name }], marks: sensitive }));
  const inner = Object.entries(schema.blocks).flatMap(([name, block]) =>
    block.repeated ? [] : schemaMarks(block, [...at, { attribute: name }]),
  );
  return [...own, ...inner];
}

/**
 * Paths of an object that the schema says are sensitive.
 *
 * @param type with what {@link schemaMarks} says of its schema
 */
export function sensitiveIn(
  { schema, sensitive: always }: { readonly schema: BlockSchema; readonly sensitive: readonly MarkedPath[] },
  object: Value,
): readonly MarkedPath[] {
  const more = elementMarks(schema, object, []);
  return more.length === 0 ? always : [...always, ...more];
}

function elementMarks(schema: BlockSchema, object: Value, at: Path): readonly MarkedPath[] {
  if (!isEntries(object.data)) return [];
  const found: MarkedPath[] = [];
  for (const [name, block] of Object.entries(schema.blocks)) {
    const value = object.data.get(name);
    const full = [...at, { attribute: name }];
    if (value === undefined) continue;
    if (!block.repeated) found.push(...elementMarks(block, value, full));
    else if (isElements(value.data)) {
      for (const [index, element] of value.data.entries()) {
        const here = [...full, { index }];
        found.push(...schemaMarks(block, here), ...elementMarks(block, element, here));
      }
    }
  }
  return found;
}

/** A computed attribute that follows from others. */
interface Follower {
  readonly from: ReadonlySet<string>;
  readonly mark: MarkedPath;
}

const followersOf = new WeakMap<BlockSchema, readonly Follower[]>();

function followers(schema: BlockSchema): readonly Follower[] {
  let found = followersOf.get(schema);
  if (found === undefined) {
    // Whether a secret is still there gives nothing of it away.
    const intact = new Set(writeOnlySettings(schema).map((setting) => setting.intact));
    found = Object.entries(schema.attributes).flatMap(([name, { follows = [], reveals: revealed = [] }]) =>
      follows.length + revealed.length === 0 || intact.has(name)
        ? []
        : [
            {
              from: new Set([...follows, ...revealed]),
              mark: { path: [{ attribute: name }], marks: sensitive },
            },
          ],
    );
    followersOf.set(schema, found);
  }
  return found;
}

/**
 * The marks with those of the attributes that follow from marked ones. For everything that is shown or referred to; a
 * state does not hold these, since OpenTofu would take them for a change.
 */
export function withFollowing(schema: BlockSchema, marks: readonly MarkedPath[]): readonly MarkedPath[] {
  if (marks.length === 0) return marks;
  const following = followers(schema).filter(({ from }) =>
    marks.some(({ path: [step] }) => step !== undefined && "attribute" in step && from.has(step.attribute)),
  );
  return following.length === 0 ? marks : [...marks, ...following.map(({ mark }) => mark)];
}
