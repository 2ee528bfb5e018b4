/**
 * @module The instances of a step that other members of its circuit refer to: those on the same host.
 *
 * For a step with keys of its own the model says which they are, and how that is written for engines that read HCL: as a
 * `for` over the instances of all hosts.
 */
import type { Expression } from "../../hcl/tree.ts";
import type { StepDeclaration } from "../declare/declaration.ts";
import { instancesMeant, onlyInstancesMeant } from "../host-instances.ts";
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
  const resource = resourceOf(step, view);
  if (resource === undefined) return build.broken();
  const all = pathTo(resource, build);
  if (step.forEach === undefined) {
    return step.runOnce
      ? build.index(build.call("values", all), build.number(0))
      : build.index(all, view.hostName(build));
  }
  const parts = { ...eachInstance, collection: all, value: build.path("v") };
  const key = build.path("k");
  if (step.runOnce) {
    const own = build.call("replace", key, build.string("/^[^/]*[/]/"), build.string(""));
    return build.meant(onlyInstancesMeant(resource, build), build.forObject({ ...parts, key: own }));
  }
  const host = view.hostName(build);
  return build.meant(
    instancesMeant(resource, host, build),
    build.forObject({
      ...parts,
      key: build.call("trimprefix", key, build.template(host, "/")),
      condition: isOnHost(host, build),
    }),
  );
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
  const resource = resourceOf(step, view);
  if (resource === undefined) return build.broken();
  const host = view.hostName(build);
  return build.index(
    pathTo(resource, build),
    typeof key === "string" ? build.template(host, `/${key}`) : build.template(host, "/", key),
  );
}

/** What a handler on the host `each.key` watches of a step's instances there. */
export interface Watched {
  /** Their revisions: one, or a map by the instances' whole keys. */
  readonly revisions: Expression;
  /** Whether one of them is in effect. */
  readonly applied: Expression;
  /** Whether there are any; undefined for a step that has one on each host. */
  readonly present: Expression | undefined;
}

/**
 * A step with keys of its own may have several instances on a host, and there may be none of one that is not on every host.
 *
 * @returns undefined when the step has no usable kind
 */
export function watchedInstances(
  step: StepDeclaration,
  view: Pick<Scope, "circuit">,
  build: Builder,
): Watched | undefined {
  const resource = resourceOf(step, view);
  if (resource === undefined) return undefined;
  const host = build.path("each", "key");
  if (step.forEach === undefined && !step.runOnce) {
    const instance = build.index(pathTo(resource, build), host);
    return {
      revisions: build.attributeOf(instance, "revision"),
      applied: build.attributeOf(instance, "applied"),
      present: undefined,
    };
  }
  const isThere = step.forEach === undefined ? build.equal(build.path("k"), host) : isOnHost(host, build);
  const written = watchedIn(pathTo(resource, build), build.path("k"), isThere, build);
  if (step.forEach === undefined) return written;
  const whole = build.template(host, "/", build.path("k"));
  const meant = watchedIn(instancesMeant(resource, host, build), whole, undefined, build);
  return {
    revisions: build.meant(meant.revisions, written.revisions),
    applied: build.meant(meant.applied, written.applied),
    present: build.meant(meant.present, written.present),
  };
}

/**
 * @param key of an instance, as an expression of `k`
 * @param condition for `k` to be on the host; undefined where all of the collection are
 */
function watchedIn(
  collection: Expression,
  key: Expression,
  condition: Expression | undefined,
  build: Builder,
): Watched & { readonly present: Expression } {
  const parts = { ...eachInstance, collection };
  const some = condition === undefined ? parts : { ...parts, condition };
  const any = (value: Expression, of = some): Expression =>
    build.call("anytrue", build.forTuple({ ...of, value }));
  return {
    revisions: build.forObject({ ...some, key, value: build.path("v", "revision") }),
    applied: any(build.path("v", "applied")),
    present: any(condition ?? build.keyword(true), parts),
  };
}

const eachInstance = { keyName: "k", valueName: "v" };

/** Whether `k` is the key of an instance on a host. */
const isOnHost = (host: Expression, build: Builder): Expression =>
  build.call("startswith", build.path("k"), build.template(host, "/"));

/** `conn3x_file.web__config`; undefined when the step has no usable kind, which was reported. */
const resourceOf = (
  { kind, name }: StepDeclaration,
  { circuit }: Pick<Scope, "circuit">,
): string | undefined => kind && `${kind.type}.${resourceName(circuit.name, name)}`;

function pathTo(resource: string, build: Builder): Expression {
  const [type = "", name = ""] = resource.split(".");
  return build.path(type, name);
}
