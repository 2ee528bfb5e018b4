/**
 * @module Names that an expression has by itself: the instance's `each` and `count`, paths, the workspace.
 */
import type { Resolution } from "../../../eval/scope.ts";
import { stringValue } from "../../../values/value.ts";
import type { ModuleInstance } from "../modules/module-instance.ts";
import type { Self } from "./self.ts";
import { noAttribute, outside } from "./unresolved.ts";

/** What only the steps and handlers of circuits refer to: the compiler has replaced it there. */
export const ofCircuits = new Set(["host", "step", "handler", "circuit"]);

export const onlyInCircuits = (root: string): Resolution => ({
  summary: `"${root}" has no meaning here`,
  detail: "It has one in the steps and handlers of circuits only.",
});

export const knownRoots = new Set([
  "var",
  "local",
  "each",
  "count",
  "path",
  "terraform",
  "tofu",
  "data",
  "module",
  "self",
]);

export function* rootNames(self: Self): Iterable<string> {
  yield* ["var", "local", "module", "path", "terraform", "tofu"];
  if (self.each !== undefined) yield "each";
  if (self.count !== undefined) yield "count";
  if (self.object !== undefined) yield "self";
}

export function resolveOwn(
  root: string,
  name: string,
  self: Self,
  { directory }: ModuleInstance,
  workspace: string,
): Resolution {
  switch (root) {
    case "each":
      if (self.each === undefined) return outside("each", "for_each");
      if (name === "key") return { value: self.each.key, consumed: 1 };
      if (name === "value") return { value: self.each.value, consumed: 1 };
      return noAttribute("each", name, ["key", "value"]);
    case "count":
      if (self.count === undefined) return outside("count", "count");
      if (name === "index") return { value: self.count, consumed: 1 };
      return noAttribute("count", name, ["index"]);
    case "path":
      if (name === "module") return { value: stringValue(directory), consumed: 1 };
      if (name === "root") return { value: stringValue("."), consumed: 1 };
      if (name === "cwd") return { value: stringValue(process.cwd()), consumed: 1 };
      return noAttribute("path", name, ["module", "root", "cwd"]);
    case "terraform":
    case "tofu":
      if (name === "workspace") return { value: stringValue(workspace), consumed: 1 };
      return noAttribute(root, name, ["workspace"]);
    case "self":
      return {
        summary: '"self" has no meaning here',
        detail:
          "What an instance will be is not known while it is being said. In a step, its host is host, and what earlier steps gave is step.NAME.",
      };
    default:
      return {
        summary: `"${root}" is not supported by this version`,
        detail: `The embedded engine has no "${root}" references yet. Use -engine=tofu.`,
      };
  }
}
