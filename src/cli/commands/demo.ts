/**
 * @module `conn3x demo`
 */

import { playDemo } from "../../demo/demo.ts";
import { runCli } from "../cli.ts";
import type { Context, ExitCode } from "../command.ts";
import type { GlobalOption } from "../command-line/shared-options.ts";

export function runDemo({ terminal, options }: Context<GlobalOption>): Promise<ExitCode> {
  const looks = options.flag("no-color") ? ["-no-color"] : [];
  return playDemo({ ...terminal, conn3x: (args) => runCli([...args, ...looks]) });
}
