/**
 * @module The backends that the embedded engine has, besides files: what each is told, and where that leads.
 */
import type { StatePlace } from "../place.ts";
import { httpPlace } from "./http-server.ts";
import { httpSettings, httpSpec } from "./http-settings.ts";
import type { BackendSpec, Report, Settings } from "./settings.ts";

export interface BackendType {
  readonly spec: BackendSpec;
  /** @returns undefined when the settings are wrong, which was reported. Nothing is connected yet */
  readonly place: (settings: Settings, report: Report) => StatePlace | undefined;
}

export const remoteBackends: ReadonlyMap<string, BackendType> = new Map([
  [
    "http",
    {
      spec: httpSpec,
      place: (settings: Settings, report: Report) => {
        const read = httpSettings(settings, report);
        return read && httpPlace(read);
      },
    },
  ],
]);
