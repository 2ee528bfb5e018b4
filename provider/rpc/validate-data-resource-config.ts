/**
 * @module ValidateDataResourceConfig: there are no data sources. What is found on a host is a managed resource, because
 * a data source has no stored value to fall back on when the host does not answer.
 */
import { toWireDiagnostics } from "../wire/diagnostics.ts";
import { diagnostics } from "../wire/messages.ts";
import { field, message, string } from "../wire/protobuf.ts";
import { noDataSource } from "./read-data-source.ts";
import { rpc } from "./rpc.ts";

export const validateDataResourceConfig = rpc({
  name: "ValidateDataResourceConfig",
  request: message({ typeName: field(1, string) }),
  response: message({ diagnostics: field(1, diagnostics) }),
  handle: ({ typeName }) => ({ diagnostics: toWireDiagnostics([noDataSource(typeName)]) }),
  failed: (problems) => ({ diagnostics: toWireDiagnostics(problems) }),
});
