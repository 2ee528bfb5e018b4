/**
 * @module `moved`, `removed` and `import` blocks.
 */

import { errorDiagnostic } from "../../diagnostics/diagnostic.ts";
import type { Report } from "../../diagnostics/report.ts";
import type { Block, Expression } from "../../hcl/tree.ts";
import { readAddress } from "../address.ts";
import type { Address, Import, Moved, Removed } from "../model.ts";
import { type BodyContent, onlyOne, readBody } from "./body-reader.ts";
import { checkNoLabels } from "./labels.ts";

export function declareMoved(block: Block, report: Report): Moved | undefined {
  checkNoLabels(block, report);
  const content = readBody(
    block.body,
    { where: "a moved block", attributes: ["from", "to"], blocks: [] },
    report,
  );
  const [from, to] = ["from", "to"].map((name) => addressIn(content, name, block, report));
  return from === undefined || to === undefined ? undefined : { from, to, range: block.header };
}

export function declareRemoved(block: Block, report: Report): Removed | undefined {
  checkNoLabels(block, report);
  const content = readBody(
    block.body,
    { where: "a removed block", attributes: ["from"], blocks: ["lifecycle", "provisioner"] },
    report,
  );
  const from = addressIn(content, "from", block, report);
  const lifecycle = onlyOne(
    content.blocks.filter((inner) => inner.type === "lifecycle"),
    "a removed block",
    report,
  );
  const destroy = lifecycle === undefined ? true : readDestroy(lifecycle, report);
  return from === undefined ? undefined : { from, destroy, range: block.header };
}

function readDestroy(lifecycle: Block, report: Report): boolean {
  const rules = { where: "lifecycle of a removed block", attributes: ["destroy"], blocks: [] };
  const destroy = readBody(lifecycle.body, rules, report).attributes.get("destroy")?.expression;
  if (destroy === undefined) return true;
  if (destroy.kind === "keyword" && destroy.value !== null) return destroy.value;
  report(
    errorDiagnostic('"destroy" must be written out', "Write true or false: nothing is evaluated for it.", {
      range: destroy,
    }),
  );
  return true;
}

export function declareImport(block: Block, report: Report): Import | undefined {
  checkNoLabels(block, report);
  const content = readBody(
    block.body,
    { where: "an import block", attributes: ["to", "id", "for_each", "provider", "identity"], blocks: [] },
    report,
  );
  const { attributes } = content;
  const to = needed(content, "to", block, report);
  const id = attributes.get("identity")?.expression ?? needed(content, "id", block, report);
  if (to === undefined || id === undefined) return undefined;
  return { to, id, forEach: attributes.get("for_each")?.expression, range: block.header };
}

function addressIn(content: BodyContent, name: string, block: Block, report: Report): Address | undefined {
  const expression = needed(content, name, block, report);
  if (expression === undefined) return undefined;
  const address = readAddress(expression);
  if (address === undefined) {
    report(
      errorDiagnostic(
        `"${name}" is not an address`,
        'Write the address of a resource, an instance or a module, without quotes: conn3x_file.web__config, conn3x_file.web__config["web1"], module.web.',
        { range: expression },
      ),
    );
  }
  return address;
}

function needed(content: BodyContent, name: string, block: Block, report: Report): Expression | undefined {
  const found = content.attributes.get(name)?.expression;
  if (found === undefined) {
    report(
      errorDiagnostic(`"${block.type}" needs "${name}"`, `Add ${name} = … to it.`, { range: block.header }),
    );
  }
  return found;
}
