/**
 * @module The program `terraform-provider-conn3x`, which OpenTofu and Terraform start.
 */
import "./ignore-interrupts.ts";
import { keepHeapSmallWhileWaiting, version } from "../src/core/index.ts";
import { runProviderProcess } from "./process.ts";

keepHeapSmallWhileWaiting();
void runProviderProcess({
  // The handshake does not wait for the resources and the SSH client to be loaded.
  openProvider: async () => {
    const [
      { createProvider },
      { createSessionPool },
      { refusingInEachWalk },
      { tellingBesides },
      { loadPlugins },
    ] = await Promise.all([
      import("../src/core/create-provider.ts"),
      import("../src/ssh/session-pool.ts"),
      import("./contradictions.ts"),
      import("./told-besides.ts"),
      import("../src/plugins/load-plugins.ts"),
    ]);
    // An engine starts its providers in the directory of the root module.
    const problems = loadPlugins(process.cwd(), process.env);
    const provider = createProvider({ sessions: createSessionPool(), problems });
    return tellingBesides(refusingInEachWalk(provider));
  },
  version,
});
