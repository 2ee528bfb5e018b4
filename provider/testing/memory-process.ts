/**
 * @module A provider process as OpenTofu starts it, with the memory provider inside.
 */
import { runProviderProcess } from "../process.ts";
import { createMemoryProvider } from "./memory-provider.ts";

void runProviderProcess({
  openProvider: () => createMemoryProvider(process.env.CONN3X_MEMORY_HOST ?? "/dev/null"),
  version: "test",
});
