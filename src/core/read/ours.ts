/**
 * @module Whether the object that was found on a host is that of an instance.
 */
import type { StepKind } from "../../resources/kind.ts";
import type { Plain, PlainObject } from "../../values/plain.ts";

/** A kind of step, whatever its facts are. */
export type AnyStep = StepKind<unknown, Plain>;

/** @param made whether Conn3x made the object, as far as is known */
export const isOurs = (kind: AnyStep, facts: unknown, object: PlainObject, made = false): boolean =>
  kind.isOurs?.(facts, object, made) ?? true;

/** The settings whose exact names differ from the observed values. */
export const exactNames = (
  kind: AnyStep,
  facts: unknown,
  observed: PlainObject,
): ReadonlyMap<string, string> =>
  new Map(
    Object.entries(kind.exact?.(facts, observed) ?? {}).filter(
      (entry): entry is [string, string] => entry[1] !== null,
    ),
  );
