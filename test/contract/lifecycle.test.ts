/**
 * The contract suite on a host of this process: needs no root and no network but loopback.
 */

import { demoStage } from "../../src/kind/testing/demo-stage.ts";
import { lifecycleSuite } from "../../src/kind/testing/lifecycle.ts";
import { contractCases, furtherCases, serviceCases } from "./kinds.ts";

lifecycleSuite(demoStage({ units: ["web.service", "worker.service"] }), [
  ...contractCases,
  ...furtherCases,
  ...serviceCases,
]);
