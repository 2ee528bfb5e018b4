/**
 * @module Blocks of OpenTofu's language that the embedded engine does not support, and why. Other engines do.
 */
import type { Block, Expression } from "../../hcl/tree.ts";
import { literalKind } from "../check/literal-values.ts";
import { isLocalSource, moduleSource, sourceOf } from "./module-source.ts";

/** Every block type that may stand at the top of a file. */
export const topLevelTypes: readonly string[] = [
  "circuit",
  "variable",
  "locals",
  "output",
  "provider",
  "resource",
  "data",
  "module",
  "check",
  "moved",
  "removed",
  "import",
  "ephemeral",
  "terraform",
  "tofu",
];

const ours = (label: string | undefined): boolean => label?.startsWith("conn3x_") ?? false;

/** Why the embedded engine does not accept the block; undefined when it does. */
export function whyForeign(block: Block): string | undefined {
  switch (block.type) {
    case "resource":
      return ours(block.labels[0]?.value) ? whyForeignResource(block) : otherProvider(block);
    case "data":
      return ours(block.labels[0]?.value) ? undefined : otherProvider(block);
    case "ephemeral":
      return notYet("Ephemeral resources");
    case "provider":
      return block.labels[0]?.value === "conn3x" ? whyForeignProvider(block) : otherProvider(block);
    case "module":
      return whyForeignModule(block);
    case "import":
      return has(block, "attribute", "provider")
        ? notYet("Several configurations of the provider")
        : has(block, "attribute", "identity")
          ? notYet('"identity" in import blocks')
          : undefined;
    case "check":
      return whyForeignCheck(block);
    case "terraform":
    case "tofu":
      return whyForeignSettings(block);
    default:
      return undefined;
  }
}

const notYet = (what: string): string => `${what} are not supported by the embedded engine in this version.`;

const otherProvider = (block: Block): string =>
  `It belongs to another provider (${(block.labels[0]?.value ?? "").replace(/_.*/s, "")}): the embedded engine has only conn3x.`;

function whyForeignResource(block: Block): string | undefined {
  if (has(block, "attribute", "provider")) return notYet("Several configurations of the provider");
  for (const type of ["provisioner", "connection", "dynamic"]) {
    if (has(block, "block", type)) return notYet(`"${type}" blocks`);
  }
  return undefined;
}

const whyForeignProvider = (block: Block): string | undefined =>
  has(block, "attribute", "alias") ? notYet("Several configurations of the provider") : undefined;

/** The data source in it can only be another provider's: Conn3x has none. */
function whyForeignCheck({ body }: Block): string | undefined {
  const data = body.items.find((item): item is Block => item.kind === "block" && item.type === "data");
  return data && otherProvider(data);
}

function whyForeignModule(block: Block): string | undefined {
  const source = moduleSource(block);
  const written = sourceOf(block);
  if (source === undefined && written !== undefined && literalKind(written) === undefined) {
    return 'Its source is not written out: the embedded engine reads modules before it knows values. OpenTofu takes what follows from variables and local values, Terraform takes text only. Write source = "./modules/web".';
  }
  if (source !== undefined && source !== "" && !isLocalSource(source)) {
    return `Its source "${source}" is not a directory beside this one (./ or ../): the embedded engine fetches nothing.`;
  }
  if (has(block, "block", "lifecycle")) return notYet('"lifecycle" of a module');
  const providers = block.body.items.find((item) => item.kind === "attribute" && item.name === "providers");
  return providers?.kind === "attribute" && !passesProvidersOn(providers.expression)
    ? notYet("Several configurations of the provider")
    : undefined;
}

/** Whether `providers` passes on what a module has anyway: `{ conn3x = conn3x }`. */
const passesProvidersOn = (expression: Expression): boolean =>
  expression.kind === "object" &&
  expression.items.every(({ key, value }) => key.kind === "variable" && value.kind === "variable");

/** A `terraform` block may hold what needs no engine, and a backend: the engine knows which of them it has. */
function whyForeignSettings(block: Block): string | undefined {
  for (const item of block.body.items) {
    const name = item.kind === "block" ? item.type : item.name;
    if (name === "required_version" || name === "required_providers") continue;
    if (item.kind === "block" && isBackend(item)) continue;
    return `"${name}" in a ${block.type} block is not supported by the embedded engine in this version.`;
  }
  return undefined;
}

/** Whether a block within a `terraform` block is a `backend` block with its one label. */
export const isBackend = ({ type, labels }: Block): boolean => type === "backend" && labels.length === 1;

function has(block: Block, kind: "attribute" | "block", name: string): boolean {
  return block.body.items.some(
    (item) =>
      item.kind === kind &&
      (item.kind === "block" ? item.type : item.name) === name &&
      !(item.kind === "attribute" && isFalse(item.expression)),
  );
}

const isFalse = (expression: Expression): boolean =>
  expression.kind === "keyword" && expression.value === false;
