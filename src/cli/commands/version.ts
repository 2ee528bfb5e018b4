/**
 * @module `conn3x version`
 */

import { version } from "../../core/index.ts";
import type { Context, ExitCode } from "../command.ts";
import type { FlagSpec } from "../command-line/option.ts";
import { platform } from "../terminal/platform.ts";

export async function runVersion({ terminal, options }: Context<FlagSpec<"json">>): Promise<ExitCode> {
  terminal.data(options.flag("json") ? versionJson() : versionText());
  return 0;
}

export const versionText = (): string => `Conn3x v${version}\non ${platform()}\n`;

const versionJson = (): string =>
  `${JSON.stringify({ conn3x_version: version, platform: platform(), node_version: process.version }, undefined, 2)}\n`;
