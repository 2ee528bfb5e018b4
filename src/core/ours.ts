/**
 * @module Whether what was found on a host is the object that an instance stands for.
 */
import type { StepKind } from "../resources/kind.ts";
import type { Plain, PlainObject } from "../values/plain.ts";

/** A step's kind; what its facts say is its own affair. */
export type AnyStep = StepKind<unknown, Plain>;

/** @param made whether Conn3x made the object, as far as is known */
export const isOurs = (kind: AnyStep, facts: unknown, object: PlainObject, made = false): boolean =>
  kind.isOurs?.(facts, object, made) ?? true;
