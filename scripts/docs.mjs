/** `npm run docs`: writes docs/reference from the schemas of kinds and the definitions of commands. */
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { build } from "esbuild";

const root = new URL("..", import.meta.url).pathname;
const target = join(root, "docs/reference");
const directory = await mkdtemp(join(root, "node_modules/.conn3x-docs-"));
try {
  const bundle = join(directory, "pages.cjs");
  await build({
    absWorkingDir: root,
    entryPoints: ["src/cli/reference/pages.ts"],
    outfile: bundle,
    bundle: true,
    platform: "node",
    target: "node20",
    format: "cjs",
    external: ["*.node", "cpu-features"],
    logLevel: "warning",
  });
  const pages = createRequire(import.meta.url)(bundle).referencePages();
  await rm(target, { recursive: true, force: true });
  for (const [path, text] of pages) {
    await mkdir(dirname(join(target, path)), { recursive: true });
    await writeFile(join(target, path), text);
  }
  process.stdout.write(`${pages.size} pages in docs/reference\n`);
} finally {
  await rm(directory, { recursive: true, force: true });
}
