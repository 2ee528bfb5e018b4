/**
 * @module What one call of the plugin protocol is made of, and how it is answered: always, whatever happens inside.
 */
import type { Provider } from "../../src/core/index.ts";
import { defect } from "../../src/diagnostics/defect.ts";
import type { Diagnostic } from "../../src/diagnostics/diagnostic.ts";
import { errorDiagnostic } from "../../src/diagnostics/diagnostic.ts";
import { PlainError, unexpectedTrace } from "../../src/diagnostics/unexpected-error.ts";
import { type BlockSchema, schemaType } from "../../src/schema/schema.ts";
import type { Type } from "../../src/values/type.ts";
import type { Faults } from "../faults.ts";
import type { Log } from "../log.ts";
import type { Message } from "../wire/protobuf.ts";
import { WireValueError } from "../wire/values.ts";

/** What calls of one connection share. */
export interface Context {
  readonly provider: Provider;
  readonly log: Log;
}

/** One method of the service `tfplugin6.Provider`. */
export interface Rpc<Request, Response> {
  readonly name: string;
  readonly request: Message<Request>;
  readonly response: Message<Response>;
  handle(request: Request, context: Context): Response | Promise<Response>;
  /** The answer when nothing but diagnostics can be said. */
  failed(diagnostics: readonly Diagnostic[]): Response;
}

/** Declares a call; its types follow from its messages. */
export const rpc = <Request, Response>(call: Rpc<Request, Response>): Rpc<Request, Response> => call;

/** A call whose request and response may be anything, as the server sees it. */
export type AnyRpc = Rpc<unknown, unknown>;

/**
 * Bytes of a request to bytes of the response. Never rejects: whatever goes wrong inside becomes a diagnostic, because
 * a broken call would leave OpenTofu with "the plugin did not respond" and nothing to go by.
 */
export async function answer(
  call: AnyRpc,
  request: Uint8Array,
  open: () => Promise<Context>,
  { log, faults }: { readonly log: Log; readonly faults: Faults },
): Promise<Buffer> {
  const start = performance.now();
  const handle = async (): Promise<Buffer> =>
    call.response.encode(await call.handle(call.request.decode(request), await open()));
  try {
    const response = await faults.guard(handle());
    log("debug", `answered ${call.name}`, { milliseconds: Math.round(performance.now() - start) });
    return response;
  } catch (error) {
    log("error", `${call.name} failed`, { error: unexpectedTrace(error) });
    const problem =
      error instanceof WireValueError ? unusable(call.name, error) : defect(error, `answering ${call.name}`);
    return call.response.encode(call.failed([problem]));
  }
}

/** The other side is at fault, or a state that it read. */
const unusable = (name: string, { message, path }: WireValueError): Diagnostic =>
  errorDiagnostic("Value cannot be used", `${name} was called with a value that it cannot use: ${message}.`, {
    attribute: path,
  });

const typesBySchema = new WeakMap<BlockSchema, Type>();

function typeOf(schema: BlockSchema): Type {
  let type = typesBySchema.get(schema);
  if (type === undefined) {
    type = schemaType(schema);
    typesBySchema.set(schema, type);
  }
  return type;
}

/** The type of the provider's configuration. */
export const providerType = ({ provider }: Context): Type => typeOf(provider.schema.provider);

/**
 * The type of a resource's objects.
 *
 * @throws Error when there is no such resource, which core checks before
 */
export function resourceType(name: string, { provider }: Context): Type {
  const schema = provider.schema.resources.get(name);
  if (schema === undefined) throw new PlainError(`there is no resource type "${name}"`);
  return typeOf(schema);
}

/** An instance without private data. */
export const nothingPrivate = new Uint8Array();
