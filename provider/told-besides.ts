/**
 * @module A provider whose plans report in a warning what else happens on the host: the protocol carries nothing but objects
 * and diagnostics.
 */
import type { Provider } from "../src/core/index.ts";
import { warningDiagnostic } from "../src/diagnostics/diagnostic.ts";

/** More lines than these are counted. */
const mostLines = 40;

export const tellingBesides = (provider: Provider): Provider => ({
  ...provider,
  async planResource(request) {
    const response = await provider.planResource(request);
    const { besides = [] } = response.decision;
    if (besides.length === 0) return response;
    const shown = besides.slice(0, mostLines).map((line) => `  ${line}`);
    const more = besides.length > mostLines ? [`  (and ${besides.length - mostLines} more)`] : [];
    const text = ["Besides what it names, this change", ...shown, ...more].join("\n");
    return {
      ...response,
      diagnostics: [...response.diagnostics, warningDiagnostic("More changes on the host", text)],
    };
  },
});
