/**
 * @module A provider whose defects are in the log, with where they happened: the protocol carries no more than their words.
 */
import type { Provider } from "../src/core/index.ts";
import { traceOf } from "../src/diagnostics/defect.ts";
import type { Diagnostic } from "../src/diagnostics/diagnostic.ts";
import type { Log } from "./log.ts";

interface Reported {
  readonly diagnostics: readonly Diagnostic[];
}

export function tellingDefects(provider: Provider, log: Log): Provider {
  const telling =
    <Arguments extends readonly unknown[], Response extends Reported>(
      name: string,
      call: (...request: Arguments) => Promise<Response>,
    ) =>
    async (...request: Arguments): Promise<Response> => {
      const response = await call(...request);
      for (const diagnostic of response.diagnostics) {
        const trace = traceOf(diagnostic);
        if (trace !== undefined) log("error", `${name} met a defect`, { error: trace });
      }
      return response;
    };
  return {
    ...provider,
    readResource: telling("reading", provider.readResource),
    planResource: telling("planning", provider.planResource),
    applyResource: telling("applying", provider.applyResource),
    importResource: telling("importing", provider.importResource),
  };
}
