/**
 * @module The answers of an apply, as far as all kinds share them.
 */
import type { Diagnostic } from "../../diagnostics/diagnostic.ts";
import type { Kind } from "../../resources/kind.ts";
import { fieldsOf } from "../../revision/proposal.ts";
import { at } from "../../values/path.ts";
import type { Plain, PlainObject } from "../../values/plain.ts";
import { isNull, isUnknown, nullValue, stringValue, Unknown, type Value } from "../../values/value.ts";
import { setPath } from "../../values/walk.ts";
import type { ApplyRequest, ApplyResponse } from "../provider.ts";

/** The answer of a failure that changed nothing: the prior object stays recorded. */
export const failed = (request: ApplyRequest, diagnostic: Diagnostic): ApplyResponse => ({
  state: request.prior,
  private: isNull(request.prior) ? new Uint8Array() : request.plannedPrivate,
  diagnostics: [diagnostic],
});

/** An answer with further diagnostics. */
export const withNotes = (notes: readonly Diagnostic[], response: ApplyResponse): ApplyResponse =>
  notes.length === 0 ? response : { ...response, diagnostics: [...notes, ...response.diagnostics] };

/** The answer of a completed delete. */
export const gone = (request: ApplyRequest): ApplyResponse => ({
  state: nullValue(request.planned.type),
  private: new Uint8Array(),
  diagnostics: [],
});

/**
 * The revision for a planned one: a new one if that is unknown, otherwise the same (C5).
 *
 * @param mint makes a new revision
 */
export function complete(object: Value, mint: () => string): Value {
  return setPath(object, at("revision"), (revision) =>
    isUnknown(revision) ? stringValue(mint()) : revision,
  );
}

/** The `id` of a planned object: as planned, or, if the plan did not know it, as known now. */
export const idOf = (kind: Kind, plain: PlainObject): Plain =>
  plain.id instanceof Unknown ? kind.id.of(plain) : plain.id!;

/** The object's `ssh` block. */
export const sshOf = (object: Value): Value | undefined => fieldsOf(object)!.get("ssh");
