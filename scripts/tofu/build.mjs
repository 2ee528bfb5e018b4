/**
 * Builds OpenTofu from its source once, into a cache outside of the repository, and prints the program's path. It is
 * what the tests drive the provider with where no `tofu` is installed: OpenTofu's releases are not in any package
 * registry, its source is in Go's. Needs Go; takes a few minutes the first time, none afterwards.
 *
 *     node scripts/tofu/build.mjs
 *
 * `CONN3X_CACHE` names another cache than `~/.cache/conn3x`.
 */
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, renameSync } from "node:fs";
import { homedir } from "node:os";
import { dirname, join } from "node:path";

const module = import.meta.dirname;
const version = /opentofu\/opentofu v(\S+)/.exec(readFileSync(join(module, "go.mod"), "utf8"))[1];
const program = join(process.env.CONN3X_CACHE || join(homedir(), ".cache/conn3x"), `tofu-${version}/tofu`);

if (!existsSync(program)) build();
process.stdout.write(`${program}\n`);

function build() {
  mkdirSync(dirname(program), { recursive: true });
  process.stderr.write(`building OpenTofu ${version}, which takes a few minutes …\n`);
  // Under another name until it is whole, so that an interrupted build is not taken for a finished one.
  const unfinished = `${program}.${process.pid}`;
  const released = "-s -w -X github.com/opentofu/opentofu/version.dev=no";
  const { status, error } = spawnSync(
    "go",
    [
      "build",
      "-mod=readonly",
      "-ldflags",
      released,
      "-o",
      unfinished,
      "github.com/opentofu/opentofu/cmd/tofu",
    ],
    { cwd: module, stdio: ["ignore", 2, 2], env: { ...process.env, CGO_ENABLED: "0" } },
  );
  if (error !== undefined || status !== 0) {
    process.stderr.write(error === undefined ? "go build failed\n" : `Go is needed: ${error.message}\n`);
    process.exit(1);
  }
  renameSync(unfinished, program);
}
