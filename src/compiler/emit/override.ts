/**
 * @module Whether a directory needs the file that is merged into the user's own blocks: engines look for the provider of
 * `conn3x_…` at its address only where `required_providers` has it.
 */
import type { Block } from "../../hcl/tree.ts";
import type { Configuration } from "../model.ts";
import { sourceOfOverride } from "../outputs/generated.ts";
import { circuitFiles } from "./circuit-parts.ts";

/** The body of the file; undefined where none is needed. */
export function overrideSource(configuration: Configuration): string | undefined {
  if (circuitFiles(configuration).length > 0) return sourceOfOverride.circuits;
  const blocks = configuration.sources.flatMap(({ body }) =>
    body.items.filter((item): item is Block => item.kind === "block"),
  );
  return blocks.some(isOurs) && !blocks.some(requiresOurs) ? sourceOfOverride.plain : undefined;
}

function isOurs({ type, labels: [label] }: Block): boolean {
  if (type === "provider") return label?.value === "conn3x";
  return /^(resource|data|ephemeral)$/.test(type) && label?.value.startsWith("conn3x_") === true;
}

/** `terraform { required_providers { conn3x = … } }` */
const requiresOurs = ({ type, body }: Block): boolean =>
  (type === "terraform" || type === "tofu") &&
  body.items.some(
    (item) =>
      item.kind === "block" &&
      item.type === "required_providers" &&
      item.body.items.some((entry) => entry.kind === "attribute" && entry.name === "conn3x"),
  );
