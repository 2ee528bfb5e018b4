/**
 * @module Where a configuration has its state. What `init` has not seen is refused, as OpenTofu does: looking in a new
 * backend and finding nothing there, a plan would make everything anew.
 */

import type { Backend, Configuration } from "../../../compiler/index.ts";
import { type Diagnostic, errorDiagnostic } from "../../../diagnostics/diagnostic.ts";
import { quoted } from "../../../diagnostics/quoted.ts";
import type { Report } from "../../../diagnostics/report.ts";
import { defaultStatePath } from "../default-path.ts";
import { fileBackend } from "../file-backend.ts";
import { BackendError, type StateBackend } from "../state-backend.ts";
import { remoteBackends } from "./backends.ts";
import { type BackendRecord, readRecord } from "./record.ts";
import { type BackendSpec, blockSettings, type Settings, withEnvironment } from "./settings.ts";

export type ConfiguredBackend =
  | { readonly usable: StateBackend; readonly problems?: undefined }
  | { readonly usable?: undefined; readonly problems: readonly Diagnostic[] };

/** What a configuration says of its backend. */
export interface WrittenBackend {
  readonly type: string;
  readonly block: Settings;
}

/** OpenTofu's, which knows no other workspaces here. */
const localSpec: BackendSpec = { path: { type: { kind: "string" } } };

export async function configuredBackend(
  configuration: Pick<Configuration, "backend" | "incomplete">,
  environment: NodeJS.ProcessEnv,
): Promise<ConfiguredBackend> {
  const problems: Diagnostic[] = [];
  const report: Report = (diagnostic) => problems.push(diagnostic);
  const { record, problem } = await readRecord();
  if (problem !== undefined) return { problems: [problem] };
  const { backend, incomplete } = configuration;
  // A file that cannot be understood may be the one with the block.
  const written =
    incomplete && backend === undefined && record !== undefined ? record : writtenBackend(backend, report);
  if (problems.length > 0) return { problems };
  const change = changeSince(record, written);
  if (change !== undefined) return { problems: [notReady(change, written)] };
  const usable = backendFor(written, record?.given ?? {}, environment, report);
  return usable === undefined ? { problems } : { usable: usable };
}

/** What a configuration without a `backend` block says, too. */
export function writtenBackend(backend: Backend | undefined, report: Report): WrittenBackend {
  if (backend === undefined) return { type: "local", block: {} };
  const spec = remoteBackends.get(backend.type)?.spec ?? localSpec;
  return { type: backend.type, block: blockSettings(backend, spec, report) };
}

/** @returns undefined when something is wrong, which was reported */
export function backendFor(
  { type, block }: WrittenBackend,
  given: Settings,
  environment: NodeJS.ProcessEnv,
  report: Report,
): StateBackend | undefined {
  const backend = remoteBackends.get(type);
  if (backend === undefined) return fileBackend(String(block.path ?? defaultStatePath));
  let isRight = true;
  const noting: Report = (diagnostic) => {
    isRight = false;
    report(diagnostic);
  };
  const settings = withEnvironment({ ...block, ...given }, backend.spec, environment, noting);
  return isRight ? backend.backend(settings, environment, noting) : undefined;
}

export type BackendChange = "new" | "other";

/** @returns undefined when the configuration says what it said when `init` saw it */
export function changeSince(
  record: BackendRecord | undefined,
  { type, block }: WrittenBackend,
): BackendChange | undefined {
  // States in files are found where they are.
  if (record === undefined) return remoteBackends.has(type) ? "new" : undefined;
  return record.type === type && sameSettings(record.block, block) ? undefined : "other";
}

export const sameSettings = (a: Settings, b: Settings): boolean => inOrder(a) === inOrder(b);

const inOrder = (settings: Settings): string =>
  JSON.stringify(Object.entries(settings).sort(([a], [b]) => (a < b ? -1 : 1)));

const notReady = (change: BackendChange, { type }: WrittenBackend): Diagnostic =>
  change === "new"
    ? errorDiagnostic(
        "Backend initialization required",
        `The configuration has its state in a backend ${quoted(type)} that was not looked at here yet. Run conn3x init, with -backend-config for what is not in the block.`,
      )
    : errorDiagnostic(
        "Backend configuration has changed",
        "The configuration has its state elsewhere than conn3x init has seen. conn3x init -migrate-state copies the state there; conn3x init -reconfigure goes on with what is there.",
      );

/** Stands for a backend that cannot be used: every use of it fails with the reason. */
export const refusedBackend = (problem: Diagnostic): StateBackend => {
  const refuse = (): never => {
    throw new BackendError(problem.summary, problem.detail);
  };
  return {
    ...fileBackend(""),
    lock: async () => ({ problem }),
    forceUnlock: async () => problem,
    read: async () => ({ problem }),
    presentHash: refuse,
    write: refuse,
  };
};
