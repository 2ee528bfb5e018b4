/**
 * @module ImportResourceState: an object that is on a host already, by its id.
 */
import { toWireDiagnostics } from "../wire/diagnostics.ts";
import { diagnostics, value } from "../wire/messages.ts";
import { bytes, field, message, repeated, string } from "../wire/protobuf.ts";
import { toWireValue } from "../wire/values.ts";
import { resourceType, rpc } from "./rpc.ts";

const importedResource = message({
  typeName: field(1, string),
  state: field(2, value),
  private: field(3, bytes),
});

export const importResourceState = rpc({
  name: "ImportResourceState",
  request: message({ typeName: field(1, string), id: field(2, string) }),
  response: message({
    importedResources: field(
      1,
      repeated(() => importedResource),
    ),
    diagnostics: field(2, diagnostics),
  }),
  handle: async ({ typeName, id }, context) => {
    const { imported, diagnostics } = await context.provider.importResource(typeName, id);
    return {
      importedResources: imported.map((instance) => ({
        typeName: instance.type,
        state: toWireValue(instance.state, resourceType(instance.type, context)),
        private: instance.private,
      })),
      diagnostics: toWireDiagnostics(diagnostics),
    };
  },
  failed: (problems) => ({ importedResources: [], diagnostics: toWireDiagnostics(problems) }),
});
