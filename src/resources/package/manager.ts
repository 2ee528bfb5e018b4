/**
 * @module The interface of package managers. Each has a folder next to this file.
 */
import type { Script } from "../../script/script.ts";

/** What is known of one package by the name that was asked for. */
export interface PackageState {
  /** `configured`: removed, its configuration files are left. `broken`: an installation did not come to its end. */
  readonly state: "installed" | "absent" | "configured" | "broken";
  /** Null unless it is there. */
  readonly version: string | null;
  readonly held: boolean;
  /** Installed packages that stand in for a name that no installed package has. */
  readonly providers: readonly string[];
  /** Versions that could be installed, where that was asked; empty when there is no package of the name. */
  readonly available?: readonly string[];
}

export const absent: PackageState = { state: "absent", version: null, held: false, providers: [] };

/** A name without the architecture that may stand after it: `libc6` of `libc6:i386`. */
export const plainName = (name: string): string => name.split(":", 1)[0]!;

/** What a manager tells of some packages and of itself. */
export interface Inventory {
  /** Whether something was interrupted before, and has to be brought to its end first. */
  readonly interrupted: boolean;
  readonly packages: ReadonlyMap<string, PackageState>;
}

/** What is to be installed: a name, or one version of it. */
export interface Wanted {
  readonly name: string;
  readonly version?: string;
}

export interface Patience {
  /** Seconds to wait for another process that works on packages. */
  readonly lockTimeout: number;
}

export interface PackageManager {
  /** As a host is asked for it: one word. */
  readonly name: string;
  readonly ask: (names: readonly string[]) => Script;
  /** @throws AnswerError */
  readonly parse: (answer: string, names: readonly string[]) => Inventory;
  /** A closer look: what stands in for names that are not there and, with `available`, what could be installed. */
  readonly askMore: (names: readonly string[], available: boolean) => Script;
  /** @throws AnswerError */
  readonly parseMore: (answer: string, inventory: Inventory) => Inventory;
  /** Brings what was interrupted to its end. */
  readonly repair: (patience: Patience) => Script;
  /** Fetches the lists of packages, unless they are younger than `age` seconds. */
  readonly update: (age: number, patience: Patience) => Script;
  /** All at once; fails where a name is no package's, and where something else would have to be removed. */
  readonly install: (wanted: readonly Wanted[], patience: Patience) => Script;
  readonly remove: (names: readonly string[], patience: Patience) => Script;
  /** With their configuration files. */
  readonly purge: (names: readonly string[], patience: Patience) => Script;
  readonly hold: (names: readonly string[], patience: Patience) => Script;
  readonly unhold: (names: readonly string[], patience: Patience) => Script;
}
