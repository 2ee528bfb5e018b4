/**
 * @module The provider as an engine starts it, without comparing instances with each other: for circuits that are made up
 * to be compiled, whose instances may well want one object differently.
 */
import { runProviderProcess } from "../../provider/process.ts";
import { createProvider } from "../../src/core/create-provider.ts";
import { createSessionPool } from "../../src/ssh/session-pool.ts";

void runProviderProcess({
  openProvider: () => createProvider({ sessions: createSessionPool() }),
  version: "test",
});
