/**
 * @module The program `conn3x`.
 */
import { versionText } from "./commands/version.ts";
import { unexpectedText } from "./terminal/unexpected.ts";

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

function reportDefect(error: unknown): void {
  process.stderr.write(unexpectedText(error, process.env.CONN3X_TRACE === "1"));
}
