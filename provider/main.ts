/**
 * @module The program `terraform-provider-conn3x`, which OpenTofu and Terraform start.
 */
import { runProviderProcess } from "./process.ts";

/** Put in by the build. */
declare const CONN3X_VERSION: string | undefined;

void runProviderProcess({
  // The handshake does not wait for the resources and the SSH client to be loaded.
  openProvider: async () => {
    const [{ createProvider }, { createSessionPool }] = await Promise.all([
      import("../src/core/create-provider.ts"),
      import("../src/ssh/session-pool.ts"),
    ]);
    return createProvider({ sessions: createSessionPool() });
  },
  version: typeof CONN3X_VERSION === "string" ? CONN3X_VERSION : "0.0.0-dev",
});
