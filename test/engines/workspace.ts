/**
 * @module A configuration directory of its own, and a real engine working in it with our provider.
 */
import { spawn } from "node:child_process";
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { providerAddress } from "../../provider/reattach.ts";
import type { Engine } from "./engine.ts";
import type { PlanJson, StateJson } from "./json.ts";

export interface WorkspaceOptions {
  readonly engine: Engine;
  /** Name → text. */
  readonly files: Readonly<Record<string, string>>;
  /**
   * A directory with the program `terraform-provider-conn3x`, a mirror that has it, for which `init` comes first, or the
   * value of `TF_REATTACH_PROVIDERS`.
   */
  readonly provider:
    | { readonly directory: string }
    | { readonly mirror: string }
    | { readonly reattach: string };
  readonly environment?: NodeJS.ProcessEnv;
  /** A directory that is there already, and stays; a new one when it is not given. */
  readonly directory?: string;
}

export interface RunResult {
  readonly status: number;
  readonly stdout: string;
  readonly stderr: string;
}

export interface PlanResult extends RunResult {
  /** Absent when the plan failed. */
  readonly plan?: PlanJson;
}

export interface Workspace {
  readonly directory: string;
  /** Writes another file, or one anew. */
  write(name: string, text: string): void;
  /** Runs a command of the engine. Never rejects for a failing one. Killed after `limit` milliseconds. */
  run(args: readonly string[], limit?: number): Promise<RunResult>;
  /** Starts a command without waiting for it. */
  start(
    args: readonly string[],
    limit?: number,
  ): { readonly pid: number; readonly result: Promise<RunResult> };
  /** Plans, and reads the plan as JSON. Status 2 says that something changes. */
  plan(...args: readonly string[]): Promise<PlanResult>;
  /** Applies without asking; with the name of a plan that {@link Workspace.plan} made, just that (`tfplan`). */
  apply(...args: readonly string[]): Promise<RunResult>;
  destroy(...args: readonly string[]): Promise<RunResult>;
  /** @throws Error when the engine cannot show it */
  state(): Promise<StateJson>;
  remove(): void;
}

/** Milliseconds that a command gets. */
const usualLimit = 180_000;

/** A workspace writes the given files, and the engine's own configuration, into its directory. */
export function openWorkspace(options: WorkspaceOptions): Workspace {
  const directory = options.directory ?? mkdtempSync(join(tmpdir(), "conn3x-engine-"));
  const write = (name: string, text: string): void => {
    mkdirSync(dirname(join(directory, name)), { recursive: true });
    writeFileSync(join(directory, name), text);
  };
  for (const [name, text] of Object.entries(options.files)) write(name, text);
  write("engine.tfrc", cliConfiguration(options));
  const environment = engineEnvironment(options, join(directory, "engine.tfrc"));

  const start = (args: readonly string[], limit = usualLimit) => {
    const child = spawn(options.engine.program, args, {
      cwd: directory,
      env: environment,
      stdio: ["ignore", "pipe", "pipe"],
    });
    let stdout = "";
    let stderr = "";
    child.stdout.setEncoding("utf8").on("data", (chunk) => {
      stdout += chunk;
    });
    child.stderr.setEncoding("utf8").on("data", (chunk) => {
      stderr += chunk;
    });
    const timer = setTimeout(() => {
      stderr += `\nkilled after ${limit} ms: ${args.join(" ")}\n`;
      child.kill("SIGKILL");
    }, limit);
    const result = new Promise<RunResult>((resolve, reject) => {
      child.on("error", reject);
      child.on("close", (status) => {
        clearTimeout(timer);
        resolve({ status: status ?? -1, stdout, stderr });
      });
    });
    return { pid: child.pid ?? -1, result };
  };
  const run = (args: readonly string[], limit?: number) => start(args, limit).result;
  const showJson = async <T>(...file: readonly string[]): Promise<T> => {
    const shown = await run(["show", "-json", ...file]);
    if (shown.status !== 0) throw new Error(`show failed:\n${shown.stdout}${shown.stderr}`);
    return JSON.parse(shown.stdout) as T;
  };

  return {
    directory,
    write,
    run,
    start,
    async plan(...args) {
      const planned = await run(["plan", "-out=tfplan", "-detailed-exitcode", "-no-color", ...args]);
      if (planned.status !== 0 && planned.status !== 2) return planned;
      return { ...planned, plan: await showJson<PlanJson>("tfplan") };
    },
    apply: (...args) => run(["apply", "-auto-approve", "-no-color", ...args]),
    destroy: (...args) => run(["destroy", "-auto-approve", "-no-color", ...args]),
    state: () => showJson<StateJson>(),
    remove: () => {
      if (options.directory === undefined) rmSync(directory, { recursive: true, force: true });
    },
  };
}

/** With an override the provider is taken from a directory, without `init`, a registry or a lock file; never from a network. */
function cliConfiguration({ provider }: WorkspaceOptions): string {
  if ("reattach" in provider) return "";
  if ("mirror" in provider) {
    const mirror = `filesystem_mirror {\n    path = ${JSON.stringify(provider.mirror)}\n  }`;
    return `provider_installation {\n  ${mirror}\n}\n`;
  }
  const override = `${JSON.stringify(providerAddress)} = ${JSON.stringify(provider.directory)}`;
  return `provider_installation {\n  dev_overrides {\n    ${override}\n  }\n}\n`;
}

/**
 * Lays a mirror out that has a program as the provider.
 *
 * @param directory is made
 * @returns the directory
 */
export function mirrorOf(directory: string, program: string): string {
  const architecture = process.arch === "x64" ? "amd64" : process.arch;
  const place = join(directory, providerAddress, "0.1.0", `linux_${architecture}`);
  mkdirSync(place, { recursive: true });
  copyFileSync(program, join(place, "terraform-provider-conn3x_v0.1.0"));
  return directory;
}

/** Nothing that the user has set for an engine of their own. */
function engineEnvironment({ provider, environment }: WorkspaceOptions, cliFile: string): NodeJS.ProcessEnv {
  const own = Object.entries(process.env).filter(([name]) => !name.startsWith("TF_"));
  return {
    ...Object.fromEntries(own),
    TF_CLI_CONFIG_FILE: cliFile,
    TF_INPUT: "0",
    CHECKPOINT_DISABLE: "1",
    ...("reattach" in provider ? { TF_REATTACH_PROVIDERS: provider.reattach } : {}),
    ...environment,
  };
}
