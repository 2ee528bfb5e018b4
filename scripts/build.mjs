/**
 * Bundles what runs into `dist/`. CommonJS, because `ssh2` requires modules dynamically, which an ESM bundle cannot;
 * native add-ons stay outside and are optional.
 *
 *     npm run build -- --mirror DIR
 *
 * lays the provider out in a directory as well, for `tofu init` without a network.
 */

import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync } from "node:fs";
import { chmod, rename, rm, writeFile } from "node:fs/promises";
import { resolve } from "node:path";
import { parseArgs } from "node:util";
import { build } from "esbuild";
import { layOutMirror } from "./mirror.mjs";
import { shellStart } from "./shell-start.mjs";

const { mirror } = parseArgs({ options: { mirror: { type: "string" } } }).values;
// `npm run` changes to the package's directory; what was given is relative to where it was called.
const mirrorDirectory = mirror && resolve(process.env.INIT_CWD ?? "", mirror);

const { version } = JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8"));

/** Output name → entry. Entries that run as programs start with `#!`. */
const programs = {
  conn3x: "src/cli/main.ts",
  "provider/terraform-provider-conn3x": "provider/main.ts",
  lab: "test/lab/main.ts",
  bench: "test/bench/main.ts",
};

/** What carries commands out is loaded from a file of its own: parsing it would triple the time that `conn3x version` takes. */
const commands = { name: "conn3x-commands", entry: "src/cli/cli.ts" };
const apart = {
  name: "apart",
  setup: ({ onResolve }) =>
    onResolve({ filter: /^\.\/cli\.ts$/ }, ({ importer }) =>
      importer.endsWith("/src/cli/main.ts") ? { path: `./${commands.name}.cjs`, external: true } : undefined,
    ),
};

/**
 * gRPC's transport requires a parser of `.proto` files, and with it protobufjs, for two services that nothing here offers
 * (channelz, ORCA), when one of them is asked for. Messages have a codec of their own (`provider/wire`).
 */
const withoutProtoFiles = {
  name: "without-proto-files",
  setup: ({ onResolve, onLoad }) => {
    onResolve({ filter: /^@grpc\/proto-loader$/ }, ({ path }) => ({ path, namespace: "absent" }));
    onLoad({ filter: /.*/, namespace: "absent" }, ({ path }) => ({
      contents: `throw new Error("${path} is not part of this program");`,
    }));
  },
};

/** What programs import: package.json says by which name. Their types are made from the same sources. */
const libraries = {
  api: "src/api/index.ts",
  kind: "src/kind/index.ts",
};
/** Imports vitest, which only a module can. What it bundles requires modules of Node all the same. */
const testing = {
  entryPoints: { "kind-testing": "src/kind/testing/index.ts" },
  format: "esm",
  outExtension: { ".js": ".mjs" },
  banner: {
    js: 'import { createRequire as conn3xRequire } from "node:module"; const require = conn3xRequire(import.meta.url), __dirname = import.meta.dirname;',
  },
};

const root = new URL("..", import.meta.url).pathname;
process.chdir(root);
await rm("dist", { recursive: true, force: true });
const entries = Object.entries(programs).filter(([, entry]) => existsSync(entry));
const common = {
  outdir: "dist",
  outExtension: { ".js": ".cjs" },
  bundle: true,
  platform: "node",
  target: "node20",
  format: "cjs",
  external: ["*.node", "cpu-features"],
  define: { CONN3X_VERSION: JSON.stringify(version) },
  legalComments: "none",
  logLevel: "warning",
};
const types = emitTypes();
await Promise.all([
  build({
    ...common,
    entryPoints: { ...Object.fromEntries(entries), [commands.name]: commands.entry },
    plugins: [apart, withoutProtoFiles],
    // `require` instead: an `import()` first scans all of the file for what it exports.
    supported: { "dynamic-import": false },
    banner: { js: "#!/usr/bin/env node" },
  }),
  build({ ...common, entryPoints: libraries, plugins: [withoutProtoFiles] }),
  build({ ...common, ...testing, external: [...common.external, "vitest"], plugins: [withoutProtoFiles] }),
]);
await types;
for (const [name] of entries) await chmod(`dist/${name}.cjs`, 0o755);

// Engines look for a provider by a name without an ending, which Node takes for what the nearest package.json says.
await writeFile("dist/package.json", '{ "type": "commonjs" }\n');
const built = "dist/provider/terraform-provider-conn3x.cjs";
const text = readFileSync(built, "utf8");
await writeFile(built, `${shellStart}\n${text.slice(text.indexOf("\n") + 1)}`);
await rename(built, "dist/provider/terraform-provider-conn3x");

/** Declarations of what the libraries export, and of all that these name. */
async function emitTypes() {
  const program = new URL("../node_modules/typescript/bin/tsc", import.meta.url).pathname;
  const child = spawn(process.execPath, [program, "-p", "scripts/types.json"], { stdio: "inherit" });
  const [status] = await once(child, "close");
  if (status !== 0) throw new Error("the types of the libraries could not be made");
}

if (mirrorDirectory) {
  const built = await layOutMirror(mirrorDirectory);
  process.stdout.write(`The provider ${built} is in the mirror ${mirrorDirectory}\n`);
}
