/**
 * @module A state in readable form: every instance as the block that would make it.
 */
import type { Colors } from "picocolors/types";
import { visible } from "../../diagnostics/visible.ts";
import type { Value } from "../../values/value.ts";
import { objectLines } from "./entry.ts";
import { formatLine, line } from "./line.ts";
import { labels, plainSpelling, valueLines } from "./value-lines.ts";

/** What is shown of an instance. */
export interface ShownInstance {
  /** `conn3x_file.web__config["web1"]` */
  readonly address: string;
  readonly type: string;
  readonly name: string;
  readonly tainted: boolean;
  /** Sensitive parts are marked. */
  readonly object: Value;
}

export function renderState(
  instances: readonly ShownInstance[],
  outputs: ReadonlyMap<string, Value>,
  colors: Colors,
): string {
  if (instances.length === 0 && outputs.size === 0) return "The state is empty: nothing is managed yet.\n";
  const blocks = instances.map(({ address, type, name, tainted, object }) => {
    const lines = [
      line(0, " ", `resource "${type}" "${name}" {`),
      ...objectLines(object, " ", plainSpelling),
      line(0, " ", "}"),
    ];
    // A state is no plan: there is no column for marks.
    const text = lines.map((each) => formatLine(each, colors).slice(4)).join("\n");
    return `${colors.bold(`# ${visible(address)}:`)}${tainted ? " (tainted)" : ""}\n${text}\n`;
  });
  return [...blocks, ...(outputs.size === 0 ? [] : [`Outputs:\n\n${outputText(outputs, colors)}`])].join(
    "\n",
  );
}

/** `name = value` for each; a sensitive one is not shown. */
export function outputText(outputs: ReadonlyMap<string, Value>, colors: Colors): string {
  const names = [...outputs.keys()].sort();
  const label = labels(names, false, plainSpelling);
  return names
    .flatMap((name) => {
      const frame = { path: [], depth: 0, mark: " ", before: label(name), after: "" } as const;
      return valueLines(outputs.get(name)!, frame, plainSpelling);
    })
    .map((each) => `${formatLine(each, colors).slice(4)}\n`)
    .join("");
}
