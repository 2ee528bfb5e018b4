/**
 * @module Bundles a program for a test, as `scripts/build.mjs` bundles the real ones.
 */
import { chmodSync, mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { build } from "esbuild";
import { shellStart } from "../../scripts/shell-start.mjs";

/**
 * @param entry path of the program's source, from the repository's root
 * @returns a new directory with the program in it as `terraform-provider-conn3x`; the caller removes the directory
 */
export async function bundleProvider(
  entry: string,
): Promise<{ readonly directory: string; readonly program: string }> {
  const directory = mkdtempSync(join(tmpdir(), "conn3x-test-"));
  const program = join(directory, "terraform-provider-conn3x");
  await build({
    entryPoints: [join(import.meta.dirname, "../..", entry)],
    outfile: program,
    bundle: true,
    platform: "node",
    target: "node20",
    format: "cjs",
    external: ["*.node", "cpu-features"],
    define: { CONN3X_VERSION: '"0.0.0"' },
    banner: { js: shellStart },
    logLevel: "error",
  });
  chmodSync(program, 0o755);
  return { directory, program };
}
