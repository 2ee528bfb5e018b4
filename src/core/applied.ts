/**
 * @module What an apply answers with: the parts that all kinds share.
 */
import type { Diagnostic } from "../diagnostics/diagnostic.ts";
import type { Kind } from "../resources/kind.ts";
import { fieldsOf } from "../revision/proposal.ts";
import { at } from "../values/path.ts";
import type { Plain, PlainObject } from "../values/plain.ts";
import { isNull, isUnknown, nullValue, stringValue, Unknown, type Value } from "../values/value.ts";
import { setPath } from "../values/walk.ts";
import type { ApplyRequest, ApplyResponse } from "./provider.ts";

/** What was there stays recorded: nothing when it was to be created. */
export const failed = (request: ApplyRequest, diagnostic: Diagnostic): ApplyResponse => ({
  state: request.prior,
  private: isNull(request.prior) ? new Uint8Array() : request.plannedPrivate,
  diagnostics: [diagnostic],
});

/** An answer with what else there is to be said. */
export const withNotes = (notes: readonly Diagnostic[], response: ApplyResponse): ApplyResponse =>
  notes.length === 0 ? response : { ...response, diagnostics: [...notes, ...response.diagnostics] };

/** The instance is no more. */
export const gone = (request: ApplyRequest): ApplyResponse => ({
  state: nullValue(request.planned.type),
  private: new Uint8Array(),
  diagnostics: [],
});

/**
 * A revision that was planned unknown becomes a fresh one; a known one is kept (C5).
 *
 * @param mint makes the fresh one
 */
export function complete(object: Value, mint: () => string): Value {
  return setPath(object, at("revision"), (revision) =>
    isUnknown(revision) ? stringValue(mint()) : revision,
  );
}

/** The `id` of an object that was planned: what the plan said, or, where it did not know, what has become known. */
export const idOf = (kind: Kind, plain: PlainObject): Plain =>
  plain.id instanceof Unknown ? kind.id.of(plain) : plain.id!;

/** The object's `ssh` block. */
export const sshOf = (object: Value): Value | undefined => fieldsOf(object)!.get("ssh");
