/**
 * @module Looks at what an object of a kind shares a host with.
 */
import type { Diagnostic } from "../../diagnostics/diagnostic.ts";
import { hostOf } from "../../login/index.ts";
import type { HostLook } from "../../resources/kind.ts";
import type { Session } from "../../ssh/index.ts";
import type { Context } from "../context.ts";

/** @throws HostError when the host cannot be asked */
export async function lookAt(
  { facts, plannedChanges }: Pick<Context, "facts" | "plannedChanges">,
  session: Session,
  { kind, object, about, means }: HostLook,
): Promise<readonly Diagnostic[]> {
  const found = await facts.read(session, kind, object, "plan_check");
  // What other instances take away is known by now: they are planned at the same time.
  return means(found, { named: plannedChanges.takenAway(hostOf(session), about) });
}
