/**
 * @module Names for which HCL has no word: a step's instances by host and own key. They stand in the meaning of
 * {@link Meant} expressions, and an engine that evaluates the model resolves them.
 */
import type { Expression } from "../hcl/tree.ts";
import type { Builder } from "./lower/build.ts";

/** `instances on host["conn3x_package.web__tools"]["web1"]`: a map of the instances on a host by their own keys. */
export const onHostRoot = "instances on host";

/** `instances by own key["conn3x_package.web__tools"]`: of a step that is on one host only. */
export const byOwnKeyRoot = "instances by own key";

/** @param resource its address within the module */
export const instancesMeant = (resource: string, host: Expression, build: Builder): Expression =>
  build.index(build.index(build.path(onHostRoot), build.string(resource)), host);

/** @param resource its address within the module */
export const onlyInstancesMeant = (resource: string, build: Builder): Expression =>
  build.index(build.path(byOwnKeyRoot), build.string(resource));
