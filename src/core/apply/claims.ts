/**
 * @module What a kind is given besides the object: which settings of the stored one the configuration has set, and what only
 * counts at the moment.
 */
import type { Going } from "../../resources/kind.ts";
import { fieldsOf } from "../../revision/proposal.ts";
import { type PlainObject, toPlain } from "../../values/plain.ts";
import { isNull, type Value } from "../../values/value.ts";
import type { Context } from "../context.ts";
import type { AnyStep } from "../read/ours.ts";
import type { PrivateData } from "../stored/private-data.ts";

/** The stored object, with `null` for settings that were only found so: see `StepKind.claims`. */
export function withClaims(
  { claims = [] }: AnyStep,
  prior: PlainObject,
  { claimed = [] }: PrivateData,
): PlainObject {
  const found = claims.filter((name) => !claimed.includes(name));
  return found.length === 0 ? prior : { ...prior, ...Object.fromEntries(found.map((name) => [name, null])) };
}

/**
 * The settings that the configuration has set: now, or before as long as they are left as they were.
 *
 * @param after the object when everything is done
 */
export const claimedIn = (
  { claims = [] }: AnyStep,
  config: Value,
  prior: PlainObject | undefined,
  after: PlainObject,
): readonly string[] =>
  claims.filter(
    (name) =>
      !isNull(fieldsOf(config)!.get(name)!) ||
      (prior !== undefined && prior[name] !== null && prior[name] === after[name]),
  );

/** The object with the configured values of settings that are no part of what is wanted: see `StepKind.advice`. */
export function withAdvice({ advice = [] }: AnyStep, object: PlainObject, config: Value): PlainObject {
  const fields = fieldsOf(config);
  if (advice.length === 0 || fields === undefined) return object;
  return { ...object, ...Object.fromEntries(advice.map((name) => [name, toPlain(fields.get(name)!)])) };
}

export const goingOf = (
  { plannedChanges }: Context,
  host: string,
  { type }: AnyStep,
  { shown }: Pick<PrivateData, "shown"> = {},
): Going => ({ named: plannedChanges.takenAway(host, type), ...(shown === undefined ? {} : { shown }) });
