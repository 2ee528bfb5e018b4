/**
 * @module Keeps applies apart that must not be done side by side on one host.
 */
import type { Session } from "../ssh/session.ts";
import type { PlainObject } from "../values/plain.ts";
import type { Context } from "./context.ts";
import { hostOf } from "./host-of.ts";
import type { AnyStep } from "./ours.ts";

/** Does `work` when every earlier one with the same key of {@link AnyStep.exclusive} on that host is over. */
export function applyLock<T>(
  context: Context,
  session: Session,
  kind: AnyStep,
  object: PlainObject,
  work: () => Promise<T>,
): Promise<T> {
  const key = kind.exclusive?.(object);
  return key === undefined ? work() : context.turns.take(`${hostOf(session)} ${key}`, work);
}
