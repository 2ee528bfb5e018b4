/**
 * @module The provider as an engine starts it, on simulated hosts. At its end each of the processes adds the most memory
 * that it had, in MiB, as a line to the file that `CONN3X_PEAK` names.
 */
import { appendFileSync } from "node:fs";
import { runProviderProcess } from "../../provider/process.ts";
import { createProvider } from "../../src/core/create-provider.ts";
import { keepHeapSmallWhileWaiting } from "../../src/core/heap.ts";
import { localSessions } from "./local-sessions.ts";
import { peakMemory } from "./peak-memory.ts";

keepHeapSmallWhileWaiting();

process.on("exit", () => {
  if (process.env.CONN3X_PEAK !== undefined) appendFileSync(process.env.CONN3X_PEAK, `${peakMemory()}\n`);
});

void runProviderProcess({
  openProvider: () => createProvider({ sessions: localSessions() }),
  version: "test",
});
