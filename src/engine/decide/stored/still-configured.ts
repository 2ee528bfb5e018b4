/**
 * @module `moved` and `removed` blocks about what is still configured: an error, as in OpenTofu and Terraform. Followed,
 * the one would give an object away and have it made anew, and the other would mean nothing.
 * Source: what `plan` of OpenTofu 1.12 and Terraform 1.11 says ("Moved object still exists", "Removed resource still
 * exists").
 */
import { placeOf } from "../../../compiler/index.ts";
import { type Diagnostic, errorDiagnostic } from "../../../diagnostics/diagnostic.ts";
import type { SourceRange } from "../../../diagnostics/source.ts";
import { type InstanceAddress, parseAddress } from "../../../values/address.ts";
import type { PlannedInstance } from "../planned-instance.ts";
import type { Planning } from "../planning.ts";
import { isRemoved, removalsOf } from "./declared-removals.ts";
import { type DeclaredMove, isMovedFrom, isMovedTo, movesOf } from "./moves.ts";

/** One for each block as it is written, at the first instance that it is wrong about: in a circuit it moves many. */
export function stillConfigured({ loaded, planned }: Planning): readonly Diagnostic[] {
  const moves = movesOf(loaded.configuration);
  const removals = removalsOf(loaded.configuration);
  if (moves.length === 0 && removals.length === 0) return [];
  const instances = [...planned.values()].flat();
  const moved = moves.length === 0 ? [] : instances.map(withAddress);
  const found = [
    ...moves.flatMap((block) => {
      const first = moved.find(({ address }) => isGivenAway(block, moves, address))?.instance;
      return first === undefined ? [] : stillThere(movedWords, first, block.range);
    }),
    ...removals.flatMap((block) => {
      const first = instances.find((one) => isRemoved(block, one));
      return first === undefined ? [] : stillThere(removedWords, first, block.range);
    }),
  ];
  return [...new Map(found.reverse().map((one) => [one.range, one])).values()].reverse();
}

/** Unlike other engines: what is moved on may have left its name to something else that is moved. */
const isGivenAway = (
  block: DeclaredMove,
  moves: readonly DeclaredMove[],
  address: InstanceAddress,
): boolean =>
  isMovedFrom(block, address) && !moves.some((other) => other !== block && isMovedTo(other, address));

const withAddress = (instance: PlannedInstance) => ({
  instance,
  address: { ...parseAddress(instance.resource)!, key: instance.key },
});

const movedWords = {
  summary: "What is moved is still configured",
  meaning: "the moved block says that it has another address now",
};
const removedWords = {
  summary: "What is removed is still configured",
  meaning: "the removed block says that it was taken out",
};

function stillThere(
  { summary, meaning }: typeof movedWords,
  { subject, loaded }: PlannedInstance,
  range: SourceRange,
): Diagnostic {
  const place = loaded === undefined ? "" : `, at ${placeOf(loaded.resource.range)}`;
  return errorDiagnostic(
    summary,
    `${subject.address} is still there${place}, and ${meaning}. Remove one of the two.`,
    { range },
  );
}
