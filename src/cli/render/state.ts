/**
 * @module A state in readable form: every instance as a resource block.
 */
import type { Colors } from "picocolors/types";
import { visible } from "../../diagnostics/visible.ts";
import { compareText } from "../../values/set-order.ts";
import { showValue } from "../../values/show.ts";
import type { Value } from "../../values/value.ts";
import { objectLines } from "./entry.ts";
import { formatLine, line } from "./line.ts";
import { isHidden, plainSpelling } from "./value-lines.ts";

/** The shown parts of an instance. */
export interface ShownInstance {
  /** `conn3x_file.web__config["web1"]` */
  readonly address: string;
  readonly type: string;
  readonly name: string;
  readonly tainted: boolean;
  /** The key of a deposed object. */
  readonly deposed?: string;
  /** Sensitive parts are marked. */
  readonly object: Value;
}

export function renderState(
  instances: readonly ShownInstance[],
  outputs: ReadonlyMap<string, Value>,
  colors: Colors,
): string {
  if (instances.length === 0 && outputs.size === 0) return "The state is empty: nothing is managed yet.\n";
  const blocks = instances.map(({ address, type, name, tainted, deposed, object }) => {
    const lines = [
      line(0, " ", `resource "${type}" "${name}" {`),
      ...objectLines(object, " ", plainSpelling),
      line(0, " ", "}"),
    ];
    // A state has no column for marks, as a plan has.
    const text = lines.map((each) => formatLine(each, colors).slice(4)).join("\n");
    const status = `${tainted ? " (tainted)" : ""}${deposed === undefined ? "" : ` (deposed object ${deposed})`}`;
    return `${colors.bold(`# ${visible(address)}:`)}${status}\n${text}\n`;
  });
  return [...blocks, ...(outputs.size === 0 ? [] : [`Outputs:\n\n${outputText(outputs)}`])].join("\n");
}

/** `name = value` for each, as `tofu output` prints them; a sensitive one is not shown. */
export const outputText = (outputs: ReadonlyMap<string, Value>): string =>
  [...outputs]
    .sort(([a], [b]) => compareText(a, b))
    .map(([name, value]) => `${name} = ${isHidden(value) ? "<sensitive>" : visible(showValue(value))}\n`)
    .join("");
