/**
 * @module The instances of a step that other members of its circuit refer to: those on the same host.
 */
import type { Expression } from "../../hcl/tree.ts";
import type { StepDeclaration } from "../declare/declaration.ts";
import { resourceName } from "../names.ts";
import type { Builder } from "./build.ts";
import type { Scope } from "./scope.ts";

/** What resolving references to steps needs. */
type Viewpoint = Pick<Scope, "circuit" | "hostName">;

/**
 * The instance on the same host; for a step with keys of its own a map of them. For a step that runs once it is the only
 * one, whatever its host.
 */
export function instancesOnHost(step: StepDeclaration, view: Viewpoint, build: Builder): Expression {
  const resource = resourceOf(step, view, build);
  if (resource === undefined) return build.broken();
  if (step.forEach === undefined) {
    return step.runOnce
      ? build.index(build.call("values", resource), build.number(0))
      : build.index(resource, view.hostName(build));
  }
  const key = build.path("k");
  const parts = { keyName: "k", valueName: "v", collection: resource, value: build.path("v") };
  if (step.runOnce) {
    return build.forObject({
      ...parts,
      key: build.call("replace", key, build.string("/^[^/]*[/]/"), build.string("")),
    });
  }
  const prefix = () => build.template(view.hostName(build), "/");
  return build.forObject({
    ...parts,
    key: build.call("trimprefix", key, prefix()),
    condition: build.call("startswith", build.path("k"), prefix()),
  });
}

/** One instance of a step with keys of its own. @param key a string, or an expression for it */
export function instanceWithKey(
  step: StepDeclaration,
  key: string | Expression,
  view: Viewpoint,
  build: Builder,
): Expression {
  if (step.runOnce) {
    return build.index(instancesOnHost(step, view, build), typeof key === "string" ? build.string(key) : key);
  }
  const resource = resourceOf(step, view, build);
  if (resource === undefined) return build.broken();
  const host = view.hostName(build);
  return build.index(
    resource,
    typeof key === "string" ? build.template(host, `/${key}`) : build.template(host, "/", key),
  );
}

/** The instances that a handler on a host watches. */
export type Watched =
  | { readonly form: "one"; readonly instance: Expression }
  /** A `for` over the instances `k => v` of a resource with a condition on `k`. */
  | { readonly form: "several"; readonly resource: Expression; readonly condition: Expression };

/**
 * The step's instances on the host `each.key`. A step with keys of its own may have several, and there may be none for
 * one that is not on every host.
 *
 * @returns undefined when the step has no usable kind
 */
export function watchedInstances(
  step: StepDeclaration,
  view: Pick<Scope, "circuit">,
  build: Builder,
): Watched | undefined {
  const resource = resourceOf(step, view, build);
  if (resource === undefined) return undefined;
  const host = build.path("each", "key");
  if (step.forEach === undefined && !step.runOnce) {
    return { form: "one", instance: build.index(resource, host) };
  }
  const key = build.path("k");
  const condition =
    step.forEach === undefined
      ? build.equal(key, host)
      : build.call("startswith", key, build.template(host, "/"));
  return { form: "several", resource, condition };
}

/** `conn3x_file.web__config`; undefined when the step has no usable kind, which was reported. */
const resourceOf = (
  { kind, name }: StepDeclaration,
  { circuit }: Pick<Scope, "circuit">,
  build: Builder,
): Expression | undefined =>
  kind === undefined ? undefined : build.path(kind.type, resourceName(circuit.name, name));
