/**
 * @module The engines that tests drive with our provider: OpenTofu and Terraform, where this machine has them.
 */
import { spawnSync } from "node:child_process";
import { homedir } from "node:os";
import { join } from "node:path";

export interface Engine {
  readonly name: "tofu" | "terraform";
  readonly program: string;
  /** `1.12.6` */
  readonly version: string;
}

/** Where `scripts/tofu/build.mjs` puts the OpenTofu that it builds. */
const builtTofu = join(process.env.CONN3X_CACHE || join(homedir(), ".cache/conn3x"), "tofu-1.12.6/tofu");

/**
 * What there is: `tofu` from the PATH or the one that was built, and `terraform` from the PATH. Says on stderr what is
 * missing, so that a run of the tests without it is seen to have tested less.
 */
export function findEngines(): readonly Engine[] {
  const tofu = identify("tofu", "tofu") ?? identify("tofu", builtTofu);
  const terraform = identify("terraform", "terraform");
  if (tofu === undefined)
    console.warn("no OpenTofu here: its tests are skipped (scripts/tofu/build.mjs makes one)");
  if (terraform === undefined) console.warn("no Terraform here: its tests are skipped");
  return [tofu, terraform].filter((engine) => engine !== undefined);
}

function identify(name: Engine["name"], program: string): Engine | undefined {
  const { status, stdout } = spawnSync(program, ["version", "-json"], {
    encoding: "utf8",
    env: { ...process.env, TF_CLI_CONFIG_FILE: "/dev/null", CHECKPOINT_DISABLE: "1" },
  });
  if (status !== 0) return undefined;
  const version = (JSON.parse(stdout) as { terraform_version?: string }).terraform_version ?? "unknown";
  return { name, program, version };
}

/** Engines with their titles, as `describe.each(titled(engines))("%s", (_, engine) => …)` takes them. */
export const titled = (engines: readonly Engine[]): readonly (readonly [title: string, engine: Engine])[] =>
  engines.map((engine) => [`${engine.name} ${engine.version}`, engine]);
