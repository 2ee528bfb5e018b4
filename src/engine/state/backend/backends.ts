/**
 * @module The backends that the embedded engine has: their settings, and where the state is that these lead to.
 */
import type { Report } from "../../../diagnostics/report.ts";
import type { StateBackend } from "../state-backend.ts";
import { httpBackend } from "./http-server.ts";
import { httpSettings, httpSpec } from "./http-settings.ts";
import { pgBackend } from "./pg-server.ts";
import { pgSettings, pgSpec } from "./pg-settings.ts";
import type { BackendSpec, Settings } from "./settings.ts";

export interface BackendType {
  readonly spec: BackendSpec;
  /** @returns undefined when the settings are wrong, which was reported. Nothing is connected yet */
  readonly backend: (
    settings: Settings,
    environment: NodeJS.ProcessEnv,
    report: Report,
  ) => StateBackend | undefined;
}

const http: BackendType = {
  spec: httpSpec,
  backend(settings, _environment, report) {
    const read = httpSettings(settings, report);
    return read && httpBackend(read);
  },
};

const pg: BackendType = {
  spec: pgSpec,
  backend(settings, environment, report) {
    const read = pgSettings(settings, environment, report);
    return read && pgBackend(read);
  },
};

/** By the type that a `backend` block names. */
export const remoteBackends: ReadonlyMap<string, BackendType> = new Map([
  ["http", http],
  ["pg", pg],
]);

/** Whether a `backend` block of this type is one for the embedded engine. A `local` one names a file. */
export const isOwnBackend = (type: string): boolean => type === "local" || remoteBackends.has(type);
