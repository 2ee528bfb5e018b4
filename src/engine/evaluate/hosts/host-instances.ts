/**
 * @module What the compiled model means by a step's instances on a host. For engines that read HCL it is written as a `for`
 * over the instances of all hosts; evaluated so, the hosts together would go through them as many times as there are hosts.
 */
import { byOwnKeyRoot, onHostRoot, rewriteBody, rewriteExpression } from "../../../compiler/index.ts";
import type { Resolution } from "../../../eval/scope.ts";
import type { Body } from "../../../hcl/tree.ts";
import { inModule } from "../../../values/address.ts";
import type { PathStep } from "../../../values/path.ts";
import type { ModuleInstance } from "../modules/module-instance.ts";
import type { Access, ResourceValues } from "../resources/resource-values.ts";

/** The body with what is meant in place of how it is written. */
export const withMeanings = (body: Body): Body =>
  rewriteBody(body, (expression) =>
    rewriteExpression(expression, (inner) => (inner.kind === "meant" ? inner.meaning : undefined)),
  );

/** Whether a root name is one of those that only meanings have. The step after it names a resource. */
export const isMeaningRoot = (root: string): boolean => root === onHostRoot || root === byOwnKeyRoot;

/** @param steps the resource, then the host, where that is known */
export function resolveMeaning(
  resources: ResourceValues,
  root: string,
  steps: readonly PathStep[],
  module: ModuleInstance,
  accesses: Access[] | undefined,
): Resolution {
  const [local, host] = steps.map((step) => ("key" in step ? step.key : undefined));
  const address = inModule(module.address, local!);
  if (root === byOwnKeyRoot) {
    accesses?.push({ resource: address, of: "all", key: undefined });
    return { value: resources.byOwnKey(address), consumed: 1 };
  }
  accesses?.push({ resource: address, of: "all", key: undefined, ...(host === undefined ? {} : { host }) });
  return { value: resources.onHost(address, host), consumed: 2 };
}
