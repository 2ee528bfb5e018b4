/**
 * The contract suite on a host of this process: needs no root and no network but loopback.
 */
import { demoStage } from "./demo-stage.ts";
import { contractCases, furtherCases, serviceCases } from "./kinds.ts";
import { lifecycleSuite } from "./lifecycle.ts";

lifecycleSuite(demoStage({ units: ["web.service", "worker.service"] }), [
  ...contractCases,
  ...furtherCases,
  ...serviceCases,
]);
