/**
 * @module The program `conn3x`.
 */
import { versionText } from "./commands/version.ts";

void main(process.argv.slice(2));

async function main(argv: readonly string[]): Promise<void> {
  // `conn3x version` is what shells and scripts call often: it loads no more than it prints.
  if (argv.length === 1 && /^(?:version|--?version)$/.test(argv[0]!)) {
    process.stdout.on("error", () => process.exit(1)).write(versionText());
    return;
  }
  // Rejections that nobody waits for come here too.
  process.on("uncaughtException", (error) => {
    reportDefect(error);
    process.exit(1);
  });
  try {
    const { runCli } = await import("./cli.ts");
    process.exitCode = await runCli(argv);
  } catch (error) {
    reportDefect(error);
    process.exitCode = 1;
  }
}

/** What no layer expected. People get one line, and how to get more. */
function reportDefect(error: unknown): void {
  const { message, stack } = error instanceof Error ? error : { message: String(error), stack: undefined };
  const traced = process.env.CONN3X_TRACE === "1";
  process.stderr.write(
    `\nError: this is a defect of Conn3x: ${message.split("\n")[0]}\n` +
      (traced
        ? `${stack ?? message}\n`
        : "Run the same with CONN3X_TRACE=1 for a trace to report it with.\n"),
  );
}
