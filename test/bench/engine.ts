/**
 * @module One run of the embedded engine on simulated hosts, timed, in a process of its own so that its memory can be
 * told.
 */
import { join } from "node:path";
import { loadConfiguration } from "../../src/compiler/source/load.ts";
import { createProvider } from "../../src/core/create-provider.ts";
import { keepHeapSmall } from "../../src/core/heap.ts";
import { startRun } from "../../src/engine/run.ts";
import { kinds } from "../../src/resources/index.ts";
import { simulatedHosts } from "./simulated-hosts.ts";

export interface EngineRun {
  /** Milliseconds from the loading of the configuration to the end of the run. */
  readonly elapsed: number;
  /** Milliseconds of processor time meanwhile, on all threads: on a machine that others use, too, it says more. */
  readonly processor: number;
  /** Megabytes at the highest. */
  readonly memory: number;
  /** Questions that hosts were asked. */
  readonly questions: number;
  readonly instances: number;
}

/** What a simulated host has in a file of {@link simulatedCircuit}. */
const contentOf = (host: string, step: string): string => `${step} on ${host}\n`;

/** @param work `first`: an apply where nothing is there yet; `plan`: a plan where everything is as wanted */
export async function runEngine(directory: string, work: "first" | "plan"): Promise<EngineRun> {
  keepHeapSmall();
  const started = performance.now();
  const before = process.cpuUsage();
  const hosts = simulatedHosts(
    work === "first"
      ? undefined
      : (address, path) => contentOf(hostOf(address), path.slice(path.lastIndexOf("/") + 1)),
  );
  const configuration = await loadConfiguration(directory, { kinds });
  const provider = createProvider({ sessions: hosts.sessions });
  const run = await startRun({
    configuration,
    provider,
    variables: [],
    statePath: join(directory, "terraform.tfstate"),
    mode: "normal",
    refresh: true,
    lockTimeout: 0,
    events: () => undefined,
    parallelism: 64,
  });
  const { plan } = run;
  if (plan === undefined) throw new Error(run.diagnostics.map(({ detail }) => detail).join("\n"));
  const changing = plan.changes.filter(({ decision }) => decision.action !== "none").length;
  if (changing !== (work === "first" ? plan.changes.length : 0))
    throw new Error(`${changing} instances change`);
  if (work === "first") {
    const { failed, diagnostics } = await run.apply();
    if (failed.length > 0) throw new Error(diagnostics.map(({ detail }) => detail).join("\n"));
  }
  await run.close();
  const { user, system } = process.cpuUsage(before);
  return {
    elapsed: performance.now() - started,
    processor: (user + system) / 1000,
    memory: process.resourceUsage().maxRSS / 1024,
    questions: hosts.questions(),
    instances: plan.changes.length,
  };
}

const hostName = (index: number): string => `host${index}`;
const addressOf = (index: number): string => `10.${index >> 16}.${(index >> 8) & 255}.${index & 255}`;

function hostOf(address: string): string {
  const [, high, middle, low] = address.split(".").map(Number);
  return hostName((high! << 16) | (middle! << 8) | low!);
}

/** A circuit of files on so many simulated hosts. */
export function simulatedCircuit(hosts: number, steps: number): string {
  const entries = Array.from({ length: hosts }, (_, i) => `    ${hostName(i)} = "${addressOf(i)}"\n`);
  const blocks = Array.from(
    { length: steps },
    (_, i) => `  step "s${i}" {
    file {
      path    = "/srv/bench/s${i}"
      content = "s${i} on \${host.name}\\n"
    }
  }
`,
  );
  return `circuit "bench" {\n  hosts = {\n${entries.join("")}  }\n${blocks.join("")}}\n`;
}
