/**
 * @module What a command printed on hosts: as text, host after host as they end; and as JSON, all at the end.
 */
import type { Colors } from "picocolors/types";
import type { Diagnostic } from "../../diagnostics/diagnostic.ts";
import { diagnosticJson } from "../../diagnostics/json.ts";
import { visible } from "../../diagnostics/visible.ts";

/** How a command ended on a host. */
export interface HostOutput {
  /** The first circuit that has the host. */
  readonly circuit: string;
  readonly host: string;
  /** Exit status; undefined where the command did not run, or nobody knows how it ended. */
  readonly status: number | undefined;
  /** Whether it may have begun, where there is no status. */
  readonly mayHaveBegun?: boolean;
  readonly stdout: Buffer;
  readonly stderr: Buffer;
}

export function hostOutputText(output: HostOutput, colors: Colors): string {
  const { host, status, stdout, stderr } = output;
  const { bold, green, red } = colors;
  const without = output.mayHaveBegun ? "begun, and nobody knows how it ended" : "not run";
  const outcome =
    status === undefined ? red(without) : status === 0 ? green("done") : red(`exit status ${status}`);
  return `${bold(`${visible(host)}:`)} ${outcome}\n${indented(stdout)}${indented(stderr)}`;
}

function indented(output: Buffer): string {
  const text = visible(output.toString("utf8"));
  return text === "" ? "" : `${text.replace(/\n$/, "").replace(/^/gm, "  ")}\n`;
}

/** Output as text in UTF-8: bytes that are none are replaced, and no other character is. */
export function hostOutputJson(outputs: readonly HostOutput[], diagnostics: readonly Diagnostic[]): string {
  return JSON.stringify(
    {
      format_version: "1.0",
      hosts: outputs.map(({ circuit, host, status, stdout, stderr }) => ({
        host,
        circuit,
        status: status ?? null,
        stdout: stdout.toString("utf8"),
        stderr: stderr.toString("utf8"),
      })),
      diagnostics: diagnostics.map(diagnosticJson),
    },
    undefined,
    2,
  );
}
