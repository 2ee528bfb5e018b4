/**
 * The contract suite on a host of this process: needs no root and no network but loopback.
 */
import { demoStage } from "./demo-stage.ts";
import { contractCases, furtherCases } from "./kinds.ts";
import { lifecycleSuite } from "./lifecycle.ts";

lifecycleSuite(demoStage(), [...contractCases, ...furtherCases]);
