/**
 * @module Applies an instance that `when` leaves out: the object that it had made is removed, and nothing else is done.
 */
import { fieldsOf } from "../../revision/proposal.ts";
import { wasSkipped } from "../../revision/skip.ts";
import { isNull } from "../../values/value.ts";
import type { Context } from "../context.ts";
import { plainObject, withPlain } from "../objects.ts";
import type { ApplyRequest, ApplyResponse } from "../provider.ts";
import type { AnyStep } from "../read/ours.ts";
import { complete, idOf } from "./applied.ts";
import { removeStep } from "./remove-step.ts";

export async function applySkipped(
  context: Context,
  kind: AnyStep,
  request: ApplyRequest,
): Promise<ApplyResponse> {
  const { planned, prior } = request;
  if (!isNull(prior) && !wasSkipped(fieldsOf(prior))) {
    const removed = await removeStep(context, kind, request);
    if (removed.diagnostics.length > 0) return removed;
  }
  const plain = plainObject(planned);
  const object = withPlain(kind.schema, planned, { ...plain, id: idOf(kind, plain) });
  return { state: complete(object, context.mint), private: new Uint8Array(), diagnostics: [] };
}
