/**
 * @module Hand-written `resource "conn3x_…"` blocks.
 */

import { errorDiagnostic } from "../../diagnostics/diagnostic.ts";
import { suggestion } from "../../diagnostics/nearest.ts";
import { quoted } from "../../diagnostics/quoted.ts";
import type { Report } from "../../diagnostics/report.ts";
import type { Attribute, Block, Expression, Label } from "../../hcl/tree.ts";
import { isIdentifier } from "../../values/identifier.ts";
import { checkSettings } from "../check/settings.ts";
import { outsideAddress, outsideItems } from "../lower/dependencies.ts";
import type { Resource } from "../model.ts";
import { onlyOne } from "./body-reader.ts";
import type { KindRegistry } from "./declaration.ts";
import { checkLifecycle } from "./lifecycle.ts";
import { referenceList, referencePath } from "./reference-list.ts";

const metaArguments: readonly string[] = ["for_each", "count", "depends_on"];

/** @returns undefined for wrong labels or an unknown type, which was reported */
export function declareResource(block: Block, kinds: KindRegistry, report: Report): Resource | undefined {
  const labels = resourceLabels(block, report);
  if (labels === undefined) return undefined;
  const [type, name] = labels;
  const kind = kinds.get(type.value);
  if (kind === undefined) {
    report(
      errorDiagnostic(
        `Unknown resource type ${quoted(type.value)}`,
        `Conn3x has no resource of this type. ${suggestion(type.value, [...kinds.keys()].sort())}`,
        { range: type },
      ),
    );
    return undefined;
  }
  const { meta, lifecycle, items } = contentOf(block, report);
  const body = checkSettings({ ...block.body, items }, kind.schema, { what: type.value, block }, report);
  const dependsOn = meta.get("depends_on");
  const waits: ReadonlyMap<string, Expression> =
    dependsOn === undefined ? new Map() : outsideItems(referenceList(dependsOn, report));
  if (dependsOn !== undefined) reportCircuitNames(dependsOn, report);
  return {
    type: type.value,
    name: name.value,
    address: `${type.value}.${name.value}`,
    forEach: meta.get("for_each")?.expression,
    count: meta.get("count")?.expression,
    body,
    dependsOn: [...waits.keys()],
    dependsOnRanges: waits,
    lifecycle: lifecycle?.body,
    origin: undefined,
    range: block.header,
  };
}

/** Type and name; undefined when they are not right, which is reported. */
function resourceLabels({ labels, header }: Block, report: Report): readonly [Label, Label] | undefined {
  const [type, name, extra] = labels;
  if (type !== undefined && name !== undefined && extra === undefined && isIdentifier(name.value))
    return [type, name];
  report(
    errorDiagnostic(
      "This resource is not named right",
      'Write resource "type" "name" { … }. A name has letters, digits, underscores and dashes, and does not start with a digit.',
      { range: header },
    ),
  );
  return undefined;
}

/** The meta-arguments by name, the `lifecycle` block, and everything else. */
function contentOf({ body }: Block, report: Report) {
  const meta = new Map<string, Attribute>();
  const lifecycles: Block[] = [];
  const items: (Attribute | Block)[] = [];
  for (const item of body.items) {
    if (item.kind === "attribute" && metaArguments.includes(item.name)) meta.set(item.name, item);
    else if (item.kind === "block" && item.type === "lifecycle") lifecycles.push(item);
    else items.push(item);
  }
  const lifecycle = onlyOne(lifecycles, "a resource", report);
  if (lifecycle !== undefined) checkLifecycle(lifecycle, report);
  return { meta, lifecycle, items };
}

/** Reports names of circuits: OpenTofu gets the block as it is, and has no circuits. */
function reportCircuitNames({ expression }: Attribute, report: Report): void {
  if (expression.kind !== "tuple") return;
  for (const item of expression.items) {
    const root = referencePath(item)?.[0];
    if (root !== "circuit" && root !== "step" && root !== "handler") continue;
    report(
      errorDiagnostic(
        `"${root}" means nothing outside of circuits`,
        "Name the resources that they become, such as conn3x_file.web__config: CIRCUIT__STEP.",
        { range: item },
      ),
    );
  }
}

/** Addresses for the elements of a `depends_on`. */
export const referenceAddresses = (dependsOn: Attribute, report: Report): readonly string[] =>
  referenceList(dependsOn, report).flatMap((item) =>
    referencePath(item)!.length > 1 ? [outsideAddress(item)] : [],
  );
