/**
 * @module `conn3x force-unlock`
 */
import { errorDiagnostic } from "../../diagnostics/diagnostic.ts";
import type { Context, ExitCode } from "../command.ts";
import { statePlaceOf } from "../stored.ts";

export async function runForceUnlock({ terminal, options, args }: Context): Promise<ExitCode> {
  const [id = ""] = args;
  const place = await statePlaceOf(options);
  if (!options.flag("force") && !(await isWanted(terminal, place.name))) return 1;
  try {
    const problem = await place.forceUnlock(id);
    if (problem === undefined) {
      terminal.out(`The state is unlocked: ${place.name}.\n`);
      return 0;
    }
    terminal.report([problem]);
    return 1;
  } finally {
    await place.close();
  }
}

async function isWanted(terminal: Context["terminal"], name: string): Promise<boolean> {
  if (!terminal.interactive) {
    terminal.report([
      errorDiagnostic("Nobody can be asked", "Give -force when you are certain that no run holds the lock."),
    ]);
    return false;
  }
  terminal.out(
    `The lock of ${name} will be ended. When a run goes on, both may write the state then.\nOnly yes is taken for a yes.\n`,
  );
  if ((await terminal.ask("End it? ")) === "yes") return true;
  terminal.out("Nothing was unlocked.\n");
  return false;
}
