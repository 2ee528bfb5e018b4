/**
 * @module The `provider "conn3x"` block: evaluated before anything is read.
 */
import type { Configuration } from "../../../compiler/index.ts";
import type { Provider } from "../../../core/index.ts";
import { type Diagnostic, errorDiagnostic } from "../../../diagnostics/diagnostic.ts";
import type { Block } from "../../../hcl/tree.ts";
import { schemaType } from "../../../schema/schema.ts";
import { unmarkDeep } from "../../../values/marks.ts";
import { nullValue } from "../../../values/value.ts";
import type { Surroundings } from "../names/surroundings.ts";
import { createWorld } from "../names/world.ts";
import type { Problems } from "../problems.ts";
import { withoutSecrets } from "../without-secrets.ts";
import { bodyDecoder } from "./body-decoder.ts";
import { nothingKnown } from "./resource-values.ts";
import { settingRange } from "./setting-range.ts";

/** Meta-arguments that core takes out of the block. */
const metaArguments = new Set(["alias", "version"]);

/** Configures the provider. What the block takes from resources is unknown to it. */
export function configureProvider(
  { providers }: Configuration,
  surroundings: Surroundings,
  provider: Provider,
  problems: Problems,
): void {
  const [block, ...others] = providers;
  for (const other of others) problems.report(secondProvider(other));
  if (block?.body.items.some((item) => item.kind === "attribute" && item.name === "alias")) {
    problems.report(secondProvider(block));
  }
  const { value: config, paths: marks } =
    block === undefined
      ? { value: nullValue(schemaType(provider.schema.provider)), paths: [] }
      : evaluated(block, surroundings, provider, problems);
  if (problems.failed) return;
  const report = (found: readonly Diagnostic[]): boolean =>
    problems.reportAll(placed(withoutSecrets(found, config, marks), block));
  if (report(provider.validateProviderConfig(config))) report(provider.configure(config));
}

/** Adds to each diagnostic the location in the block of the setting that it is about. */
const placed = (diagnostics: readonly Diagnostic[], block: Block | undefined): readonly Diagnostic[] =>
  diagnostics.map((diagnostic) =>
    block === undefined || diagnostic.range !== undefined
      ? diagnostic
      : { range: settingRange(block.body, diagnostic.attribute) ?? block.header, ...diagnostic },
  );

function evaluated(
  block: Block,
  surroundings: Surroundings,
  provider: Provider,
  problems: Problems,
): ReturnType<typeof unmarkDeep> {
  const items = block.body.items.filter((item) => item.kind === "block" || !metaArguments.has(item.name));
  const decoder = bodyDecoder({ ...block.body, items }, provider.schema.provider, block.header, "used");
  problems.reportAll(decoder.problems);
  // Locals found here may be of resources and hold nothing yet: they are not to be remembered.
  const world = createWorld(surroundings, nothingKnown, (problem) => problems.report(problem));
  return unmarkDeep(decoder.decode(world.scope({}), (problem) => problems.report(problem)));
}

const secondProvider = ({ header }: Block) =>
  errorDiagnostic(
    "Only one provider configuration is supported by this version",
    "Provider aliases have no meaning here: say how hosts are reached in the ssh blocks of circuits and steps.",
    { range: header },
  );
