/**
 * @module MoveResourceState: an instance that a `moved` block makes another resource type of. No two types of Conn3x
 * stand for the same thing on a host, so there is no such move yet.
 */
import { errorDiagnostic } from "../../src/diagnostics/diagnostic.ts";
import { toWireDiagnostics } from "../wire/diagnostics.ts";
import { diagnostics, value } from "../wire/messages.ts";
import { field, message, string } from "../wire/protobuf.ts";
import { rpc } from "./rpc.ts";

export const moveResourceState = rpc({
  name: "MoveResourceState",
  request: message({ sourceTypeName: field(2, string), targetTypeName: field(5, string) }),
  response: message({ targetState: field(1, value), diagnostics: field(2, diagnostics) }),
  handle: ({ sourceTypeName, targetTypeName }) => ({
    targetState: undefined,
    diagnostics: toWireDiagnostics([
      errorDiagnostic(
        `A ${sourceTypeName} cannot become a ${targetTypeName}`,
        `They are different things on a host. Remove the "moved" block; to keep what is on the host, take the old instance out of the state with a "removed" block and import it under the new address.`,
      ),
    ]),
  }),
  failed: (problems) => ({ targetState: undefined, diagnostics: toWireDiagnostics(problems) }),
});
