/**
 * @module The front of the core: the provider's calls (validate, upgrade, read, plan, apply, import) over all kinds and hosts. Both
 * engines make them: the embedded one in process, OpenTofu and Terraform through `provider/`.
 */

// The provider.
export { createProvider, providerSchema } from "./create-provider.ts";
export type {
  ApplyResponse,
  ImportedInstance,
  PlanRequest,
  PlanResponse,
  Provider,
  ProviderSchema,
  ReadRequest,
  ReadResponse,
} from "./provider.ts";
export { version } from "./version.ts";

export type { RealNames } from "../resources/kind.ts";

// What several of them share in one run.
export { createPlannedChanges } from "./plan/planned-changes.ts";

// What its answers and stored objects mean to an engine.
export { hostChanged } from "./apply/as-planned.ts";
export { failureReason } from "./hosts/failure-reason.ts";
export { hostError, isAboutWholeHost } from "./hosts/host-diagnostics.ts";
export type { NoLogin } from "../login/index.ts";
export { configuredLogin, type ProviderLogins } from "./hosts/configured-login.ts";
export { namedTarget } from "./import/import-id.ts";
export { decodePrivate, lastApplied } from "./stored/private-data.ts";
export { upgradeState } from "./stored/upgrade-state.ts";

// Instances that are about one object.
export { contradictions } from "./objects/contradictions.ts";
export { createHeldObjects, type HeldObjects } from "./objects/held-objects.ts";
export { type Holder, wantedSettings } from "./objects/holder.ts";
export { type HeldObject, identified, identitiesOf } from "./objects/same-object.ts";

// The process that it runs in.
export { keepHeapSmall, keepHeapSmallWhileWaiting } from "./heap.ts";
