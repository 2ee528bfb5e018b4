/**
 * @module The provider as an engine starts it, on simulated hosts. At its end it writes the most memory that it had, in
 * MiB, into the file that `CONN3X_PEAK` names.
 */
import { writeFileSync } from "node:fs";
import { runProviderProcess } from "../../provider/process.ts";
import { createProvider } from "../../src/core/create-provider.ts";
import { localSessions } from "./local-sessions.ts";

process.on("exit", () => {
  const peak = Math.round(process.resourceUsage().maxRSS / 1024);
  if (process.env.CONN3X_PEAK !== undefined) writeFileSync(process.env.CONN3X_PEAK, String(peak));
});

void runProviderProcess({
  openProvider: () => createProvider({ sessions: localSessions() }),
  version: "test",
});
