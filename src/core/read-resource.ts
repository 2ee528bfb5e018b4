/**
 * @module Refreshing one instance from its host.
 */
import type { Diagnostic } from "../diagnostics/diagnostic.ts";
import { warningDiagnostic } from "../diagnostics/diagnostic.ts";
import type { Found } from "../resources/kind.ts";
import { HostError } from "../ssh/host-error.ts";
import type { PlainObject } from "../values/plain.ts";
import { nullValue, type Value } from "../values/value.ts";
import { type Context, diagnosticOf, sessionFor } from "./context.ts";
import { hostWarning } from "./host-diagnostics.ts";
import { plainObject, withPlain } from "./objects.ts";
import { type AnyStep, isOurs } from "./ours.ts";
import { decodePrivate, encodePrivate, lastApplied, rememberApplied } from "./private-data.ts";
import type { ReadRequest, ReadResponse } from "./provider.ts";

/** An action has nothing on the host: a refresh never changes it (C10). */
export async function readResource(context: Context, request: ReadRequest): Promise<ReadResponse> {
  const kind = context.kinds.get(request.type)!;
  if (kind.role === "action") return unchanged(request);
  try {
    const stored = plainObject(request.current);
    const block = request.login ?? (request.current.data as ReadonlyMap<string, Value>).get("ssh");
    const session = sessionFor(context, block);
    const found = await context.facts.read(session, kind, stored, "refresh");
    return observed(request, kind, stored, found);
  } catch (error) {
    const warn = error instanceof HostError && error.hostDown;
    return unchanged(request, warn ? hostWarning(error) : diagnosticOf(error));
  }
}

const unchanged = (request: ReadRequest, ...diagnostics: readonly Diagnostic[]): ReadResponse => ({
  state: request.current,
  private: request.private,
  diagnostics,
});

/** Only what is positively not there counts as gone; what cannot be read keeps what is stored. */
function observed(
  request: ReadRequest,
  kind: AnyStep,
  stored: PlainObject,
  found: Found<unknown>,
): ReadResponse {
  if (found.state === "unreadable") {
    return unchanged(
      request,
      warningDiagnostic(
        "Cannot be read on the host",
        `${kind.id.of(stored)} ${found.why}. What is stored about it was left as it is.`,
      ),
    );
  }
  if (found.state === "absent" || !isOurs(kind, found.facts, stored)) {
    return { state: nullValue(request.current.type), private: new Uint8Array(), diagnostics: [] };
  }
  const data = decodePrivate(kind.schema, request.private);
  const applied = lastApplied(request.current, data);
  // Spelled as it was last applied where that means the same, so that drift which went away leaves no trace.
  const state = withPlain(kind.schema, applied, kind.observe(found.facts, plainObject(applied)));
  return {
    state,
    private: encodePrivate(kind.schema, rememberApplied(applied, state, data)),
    diagnostics: [],
  };
}
