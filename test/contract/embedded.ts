/**
 * @module Circuits, the real kinds and the embedded engine on a host of this process: what the engine and the core do
 * together.
 */
import { cpSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { loadConfiguration } from "../../src/compiler/source/load.ts";
import { createProvider } from "../../src/core/create-provider.ts";
import type { Provider } from "../../src/core/provider.ts";
import { type DemoHost, type DemoHostOptions, startDemoHost } from "../../src/demo/host/demo-host.ts";
import type { Diagnostic } from "../../src/diagnostics/diagnostic.ts";
import type { ApplyOutcome } from "../../src/engine/apply-outcome.ts";
import type { Event } from "../../src/engine/event.ts";
import type { Plan } from "../../src/engine/plan.ts";
import { type Run, startRun } from "../../src/engine/run.ts";
import { lockPath } from "../../src/engine/state/lock.ts";
import { kinds } from "../../src/resources/index.ts";
import { createSessionPool } from "../../src/ssh/session-pool.ts";

export interface Embedded {
  readonly host: DemoHost;
  /** Of the configuration and the state. */
  readonly directory: string;
  /** After a killed run another one, with what that run left. */
  readonly statePath: string;
  /** Of the last plan or apply. */
  readonly events: Event[];
  /** @param circuit body of a circuit named `web` with the host `h1`: steps and handlers */
  plan(circuit: string, more?: Configured): Promise<Plan>;
  apply(circuit: string, more?: Configured): Promise<ApplyOutcome & { readonly plan: Plan }>;
  /** Kills an apply where the host has done what a matching address is about, and nobody heard of it. */
  killAfter(circuit: string, address: RegExp): Promise<void>;
  remove(): Promise<void>;
}

export interface Configured {
  /** Text before the circuit: variables, outputs. */
  readonly before?: string;
  /** Further settings of the circuit's `ssh` block. */
  readonly ssh?: string;
  readonly mode?: Plan["mode"];
  /** Called between plan and apply. */
  readonly between?: () => void;
  /** Ends the run in order, as ^C does. */
  readonly signal?: AbortSignal;
  /** File with the key, below the directory. */
  readonly key?: string;
}

export async function openEmbedded(options: DemoHostOptions = {}): Promise<Embedded> {
  const host = await startDemoHost(options);
  const directory = mkdtempSync(join(tmpdir(), "conn3x-embedded-"));
  writeFileSync(join(directory, "key"), host.privateKey, { mode: 0o600 });
  let statePath = join(mkdtempSync(join(directory, "state-")), "terraform.tfstate");
  const events: Event[] = [];

  const start = async (circuit: string, more: Configured, provider: Provider): Promise<Run> => {
    writeFileSync(join(directory, "web.circuit.hcl"), circuitText(host, directory, circuit, more));
    const configuration = await loadConfiguration(directory, { kinds });
    refuse(configuration.diagnostics);
    events.length = 0;
    const run = await startRun({
      configuration,
      provider,
      variables: [],
      statePath,
      mode: more.mode ?? "normal",
      refresh: true,
      lockTimeout: 0,
      events: (event) => events.push(event),
      parallelism: 10,
      ...(more.signal && { signal: more.signal }),
    });
    if (run.plan === undefined) await run.close();
    refuse(run.diagnostics);
    return run;
  };
  const during = async <T>(
    circuit: string,
    more: Configured,
    work: (run: Run, plan: Plan) => Promise<T>,
  ): Promise<T> => {
    const provider = createProvider({ sessions: createSessionPool() });
    try {
      const run = await start(circuit, more, provider);
      try {
        return await work(run, run.plan!);
      } finally {
        await run.close();
      }
    } finally {
      await provider.close();
    }
  };

  return {
    host,
    directory,
    get statePath() {
      return statePath;
    },
    events,
    plan: (circuit, more = {}) => during(circuit, more, async (_, plan) => plan),
    apply: (circuit, more = {}) =>
      during(circuit, more, async (run, plan) => {
        more.between?.();
        return { ...(await run.apply()), plan };
      }),
    async killAfter(circuit, address) {
      const provider = createProvider({ sessions: createSessionPool() });
      await new Promise<void>((resolve, reject) => {
        const standing: Provider = {
          ...provider,
          async applyResource(request) {
            const response = await provider.applyResource(request);
            const begun = events.findLast(({ kind }) => kind === "apply_start");
            if (begun?.kind !== "apply_start" || !address.test(begun.subject.address)) return response;
            resolve();
            return new Promise(() => undefined);
          },
        };
        start(circuit, {}, standing)
          .then((run) => run.apply())
          .then(() => reject(new Error("nothing was applied that matches")), reject);
      });
      // What stands still may wake up: from here on it has a folder of its own.
      const left = mkdtempSync(join(directory, "state-"));
      cpSync(dirname(statePath), left, { recursive: true });
      statePath = join(left, basename(statePath));
      rmSync(lockPath(statePath));
      await provider.close();
    },
    async remove() {
      await host.close();
      rmSync(directory, { recursive: true, force: true });
    },
  };
}

function refuse(diagnostics: readonly Diagnostic[]): void {
  const errors = diagnostics.filter(({ severity }) => severity === "error");
  if (errors.length > 0)
    throw new Error(errors.map(({ summary, detail }) => `${summary}: ${detail}`).join("\n"));
}

const circuitText = (
  host: DemoHost,
  directory: string,
  circuit: string,
  { before = "", ssh = "", key = "key" }: Configured,
): string => `${before}
circuit "web" {
  hosts = {
    h1 = { address = "${host.address}", port = ${host.port}, host_key = "${host.hostKey}" }
  }
  ssh {
    user             = "${host.user}"
    private_key_file = "${join(directory, key)}"
    agent            = false
    ${ssh}
  }
${circuit}
}
`;

/** What was said in a run, and about what failed. */
export const saidIn = (events: readonly Event[]): string =>
  events
    .flatMap((event) =>
      event.kind === "diagnostic" ? [`${event.diagnostic.summary}\n${event.diagnostic.detail}`] : [],
    )
    .join("\n");
