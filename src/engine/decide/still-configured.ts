/**
 * @module `moved` and `removed` blocks about what is still configured: an error, as in OpenTofu and Terraform. Followed,
 * the one would give an object away and have it made anew, and the other would mean nothing.
 * Source: what `plan` of OpenTofu 1.12 and Terraform 1.11 says ("Moved object still exists", "Removed resource still
 * exists").
 */
import { placeOf } from "../../compiler/labels.ts";
import { type Diagnostic, errorDiagnostic } from "../../diagnostics/diagnostic.ts";
import type { SourceRange } from "../../diagnostics/source.ts";
import { parseAddress } from "../../values/address.ts";
import { isRemoved, removalsOf } from "./declared-removals.ts";
import { isMovedFrom, isMovedTo, movesOf } from "./moves.ts";
import type { PlannedInstance } from "./planned-instance.ts";
import type { Planning } from "./planning.ts";

/** One for each block as it is written, at the first instance that it is wrong about: in a circuit it moves many. */
export function stillConfigured({ loaded, planned }: Planning): readonly Diagnostic[] {
  const moves = movesOf(loaded.configuration);
  const removals = removalsOf(loaded.configuration);
  if (moves.length === 0 && removals.length === 0) return [];
  const instances = [...planned.values()].flat();
  const moved = moves.flatMap((block) => {
    const others = moves.filter((other) => other !== block);
    const instance = instances.find((one) => {
      const address = addressOf(one);
      // Unlike other engines: what is moved on may have left its name to something else that is moved.
      return isMovedFrom(block, address) && !others.some((other) => isMovedTo(other, address));
    });
    if (instance === undefined) return [];
    return [
      stillThere(
        "What is moved is still configured",
        instance,
        block.range,
        "the moved block says that it has another address now",
      ),
    ];
  });
  const removed = removals.flatMap((block) => {
    const instance = instances.find((one) => isRemoved(block, one));
    if (instance === undefined) return [];
    return [
      stillThere(
        "What is removed is still configured",
        instance,
        block.range,
        "the removed block says that it was taken out",
      ),
    ];
  });
  return [...new Map([...moved, ...removed].reverse().map((one) => [one.range, one])).values()].reverse();
}

const addressOf = ({ resource, key }: PlannedInstance) => ({ ...parseAddress(resource)!, key });

function stillThere(
  summary: string,
  { subject, loaded }: PlannedInstance,
  range: SourceRange,
  meaning: string,
): Diagnostic {
  const place = loaded === undefined ? "" : `, at ${placeOf(loaded.resource.range)}`;
  return errorDiagnostic(
    summary,
    `${subject.address} is still there${place}, and ${meaning}. Remove one of the two.`,
    { range },
  );
}
