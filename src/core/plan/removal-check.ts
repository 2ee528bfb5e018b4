/**
 * @module Looks at the host while the end of an object is planned: what goes with it has to be seen before.
 */

import { hostOf } from "../../login/index.ts";
import type { Kind } from "../../resources/kind.ts";
import type { Decision } from "../../revision/decision.ts";
import { fieldsOf } from "../../revision/proposal.ts";
import { wasSkipped } from "../../revision/skip.ts";
import { HostError, type Session } from "../../ssh/index.ts";
import type { PlainObject } from "../../values/plain.ts";
import { isNull, type Value } from "../../values/value.ts";
import { sshOf } from "../apply/applied.ts";
import { goingOf, withClaims } from "../apply/claims.ts";
import { keptOnRemoval } from "../apply/keeps.ts";
import { type Context, Failure, sessionFor } from "../context.ts";
import { plainObject } from "../objects.ts";
import type { PlanRequest } from "../provider.ts";
import type { AnyStep } from "../read/ours.ts";
import { decodePrivate, type PrivateData } from "../stored/private-data.ts";
import { lookAt } from "./host-look.ts";
import { besidesIn, nothingSeen, type PlanOutlook } from "./plan-outlook.ts";

type Removal = Pick<PlanRequest, "prior" | "priorPrivate" | "login" | "forgets" | "mayFollow">;

/** A host that does not answer, or that cannot be logged in to, was reported when it was read. */
export async function checkRemoval(
  context: Context,
  kind: Kind,
  { prior, priorPrivate, login, forgets, mayFollow = false }: Removal,
  decision: Decision,
  planned: Value,
): Promise<PlanOutlook> {
  if (kind.role === "action" || (kind.gone === undefined && kind.leftover === undefined)) return nothingSeen;
  if (forgets || isNull(prior) || wasSkipped(fieldsOf(prior)) || !ends(decision, planned)) return nothingSeen;
  const stored = plainObject(prior);
  const data = decodePrivate(kind.schema, priorPrivate);
  if (keptOnRemoval(kind, stored, data) !== undefined) return nothingSeen;
  try {
    const session = sessionFor(context, login ?? sshOf(prior));
    if (context.down.has(session)) return nothingSeen;
    const look = kind.leftover?.(stored);
    const [outlook, left] = await Promise.all([
      checkGone(context, kind, session, { stored, data, mayFollow }),
      look === undefined ? [] : lookAt(context, session, look),
    ]);
    return { ...outlook, diagnostics: [...outlook.diagnostics, ...left] };
  } catch (error) {
    if (error instanceof HostError || error instanceof Failure) return nothingSeen;
    throw error;
  }
}

interface Stored {
  readonly stored: PlainObject;
  readonly data: PrivateData;
  readonly mayFollow: boolean;
}

async function checkGone(
  context: Context,
  kind: AnyStep,
  session: Session,
  { stored, data, mayFollow }: Stored,
): Promise<PlanOutlook> {
  if (kind.gone === undefined) return nothingSeen;
  const gone = kind.gone(stored);
  const host = hostOf(session);
  context.plannedChanges.takeAway(host, kind.type, kind.takesAway?.(gone) ?? []);
  if (kind.planCheck === undefined) return nothingSeen;
  const found = await context.facts.read(session, kind, gone, "plan_check");
  const going = goingOf(context, host, kind);
  const prior = withClaims(kind, stored, data);
  return {
    diagnostics: kind.planCheck(gone, found, { prior, going, others: mayFollow }),
    ...besidesIn(kind, found, gone, going),
  };
}

/** Whether the stored object is to go: also where it is replaced, or left out from now on. */
const ends = ({ action }: Decision, planned: Value): boolean =>
  action === "delete" || action === "replace" || (action === "update" && wasSkipped(fieldsOf(planned)));
