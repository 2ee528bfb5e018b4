/**
 * @module What a handler watches (C7): the revisions of the steps that notify it, on the same host.
 */
import type { Expression } from "../hcl/tree.ts";
import { buildAt } from "./build.ts";
import type { HandlerDeclaration, StepDeclaration } from "./declaration.ts";
import { resourceName } from "./names.ts";

/**
 * `conn3x_file.web__config[each.key].revision`; for a step with keys of its own a map of its instances' revisions by
 * instance key.
 *
 * @returns undefined when the step has no usable kind
 */
export function triggerEntry(
  circuit: string,
  step: StepDeclaration,
  handler: HandlerDeclaration,
): Expression | undefined {
  if (step.kind === undefined) return undefined;
  const notification = step.notify.find((one) => one.handler === handler.name);
  const build = buildAt(notification?.range ?? step.nameRange);
  const resource = build.path(step.kind.type, resourceName(circuit, step.name));
  const host = build.path("each", "key");
  if (step.forEach === undefined) return build.attributeOf(build.index(resource, host), "revision");
  return build.forObject({
    keyName: "k",
    valueName: "v",
    collection: resource,
    key: build.path("k"),
    value: build.path("v", "revision"),
    condition: build.call("startswith", build.path("k"), build.template(host, "/")),
  });
}
