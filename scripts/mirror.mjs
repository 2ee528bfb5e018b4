/**
 * Lays the built provider out as a filesystem mirror, from which `tofu init` and `terraform init` install it without a
 * network. Source: https://opentofu.org/docs/cli/config/config-file/#filesystem_mirror ("unpacked layout").
 */
import { chmod, copyFile, mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";

/** The provider is a program for Node: the same file everywhere, so that lock files of all platforms agree. */
const platforms = ["linux_amd64", "linux_arm64", "darwin_amd64", "darwin_arm64"];

const root = join(import.meta.dirname, "..");
const address = ["registry.opentofu.org", "conn3x", "conn3x"];

/**
 * @param {string} directory made where it is missing; other providers and versions in it stay
 * @param {string} provider the built program
 * @returns {Promise<string>} the version that is there now
 */
export async function layOutMirror(
  directory,
  provider = join(root, "dist/provider/terraform-provider-conn3x"),
) {
  const { version } = JSON.parse(await readFile(join(root, "package.json"), "utf8"));
  for (const platform of platforms) {
    const place = join(directory, ...address, version, platform);
    await rm(place, { recursive: true, force: true });
    await mkdir(place, { recursive: true });
    const program = join(place, `terraform-provider-conn3x_v${version}`);
    await copyFile(provider, program);
    await chmod(program, 0o755);
    // Node takes a file without an ending for what the nearest package.json says.
    await writeFile(join(place, "package.json"), '{ "type": "commonjs" }\n');
  }
  return version;
}
