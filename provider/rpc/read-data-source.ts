/**
 * @module ReadDataSource: there are no data sources, see `validate-data-resource-config.ts`.
 */
import { type Diagnostic, errorDiagnostic } from "../../src/diagnostics/diagnostic.ts";
import { toWireDiagnostics } from "../wire/diagnostics.ts";
import { diagnostics, value } from "../wire/messages.ts";
import { field, message, string } from "../wire/protobuf.ts";
import { rpc } from "./rpc.ts";

export const readDataSource = rpc({
  name: "ReadDataSource",
  request: message({ typeName: field(1, string) }),
  response: message({ state: field(1, value), diagnostics: field(2, diagnostics) }),
  handle: ({ typeName }) => ({
    state: undefined,
    diagnostics: toWireDiagnostics([noDataSource(typeName)]),
  }),
  failed: (problems) => ({ state: undefined, diagnostics: toWireDiagnostics(problems) }),
});

export const noDataSource = (typeName: string): Diagnostic =>
  errorDiagnostic(
    `There is no data source "${typeName}"`,
    "Conn3x has no data sources. What is found on a host is in the resource conn3x_facts.",
  );
