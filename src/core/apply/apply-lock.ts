/**
 * @module Serialises applies that must not run at the same time on one host.
 */

import { hostOf } from "../../login/index.ts";
import type { Session } from "../../ssh/index.ts";
import { plainPath } from "../../values/host-path.ts";
import type { PlainObject } from "../../values/plain.ts";
import type { Context } from "../context.ts";
import type { AnyStep } from "../read/ours.ts";

/** Runs `work` after all earlier work with the same key of {@link AnyStep.exclusive} on that host. */
export function applyLock<T>(
  context: Context,
  session: Session,
  kind: AnyStep,
  object: PlainObject,
  work: () => Promise<T>,
): Promise<T> {
  const key = kind.exclusive?.(object);
  if (key === undefined) return work();
  // One file has as many paths as there are links to its directory.
  const host = hostOf(session);
  return context.turns.take(`${host} ${plainPath(context.names.real(host, key))}`, work);
}
