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
  /**
   * Whether it counts as installed for the sake of others only, so that the manager takes it away when they go. Absent where
   * that was not looked at.
   */
  readonly automatic?: boolean;
  /** The name without its architecture, where that finds the same package. Absent: there is none, or that is not known. */
  readonly realName?: string;
  /** Installed packages that stand in for a name that no installed package has. */
  readonly providers: readonly string[];
  /** Versions that could be installed, where that was asked; empty when there is no package of the name. */
  readonly available?: readonly string[];
}

export const absent: PackageState = { state: "absent", version: null, held: false, providers: [] };

/** A name without the architecture that may stand after it: `libc6` of `libc6:i386`. */
export const plainName = (name: string): string => name.split(":", 1)[0]!;

/** What a manager reports of some packages and of itself. */
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

/** What one step does, in one transaction. */
export interface Change {
  readonly verb: "install" | "remove" | "purge";
  /** Never empty; without versions where they are to go. */
  readonly packages: readonly Wanted[];
  /** Whether a hold of one of them gives way. Others' never do. */
  readonly overHold: boolean;
}

export interface Patience {
  /** Seconds to wait for another process that works on packages. */
  readonly lockTimeout: number;
}

/**
 * Shell text about one change. `$c3x_plans` is not empty while planning. `c3x_try COMMAND…` of `with-lock.ts` is there, and {@link PackageManager.functions}; each
 * part is the body of a function.
 */
export interface Transaction {
  /** Status 0 when each name is a package's, else the first that is not on stderr. Unset: the other scripts do. */
  readonly known?: Script;
  /**
   * Tries what {@link act} would do, and writes nothing on the host. A line for each package, with tabs between:
   * `install NAME VERSION`, `change NAME OLD NEW` (with `-` for an
   * unknown old version), `remove NAME VERSION`, `clean NAME VERSION` for one that nothing needs any more
   * and that the manager never leaves, and `held NAME` for one that would have to give
   * way although it is held.
   */
  readonly simulate: Script;
  /** Does it. `$c3x_removes` is not empty where something that the change does not name goes as well. */
  readonly act: Script;
}

export interface PackageManager {
  /** The word that `detect` (managers.ts) prints for it on a host. */
  readonly name: string;
  readonly ask: (names: readonly string[]) => Script;
  /** Whether only `askMore` finds which packages count as automatic. Default: `ask` does. */
  readonly asksReasons?: true;
  /** @throws AnswerError */
  readonly parse: (answer: string, names: readonly string[]) => Inventory;
  /** A closer look: what stands in for names that are not there and, with `available`, what could be installed. */
  readonly askMore: (names: readonly string[], available: boolean) => Script;
  /** @throws AnswerError */
  readonly parseMore: (answer: string, inventory: Inventory) => Inventory;
  /** Patterns of `case` for `STATUS OUTPUT` of its tool: see {@link Lock}. */
  readonly lock: Lock;
  /** Definitions that its other scripts use. */
  readonly functions: Script;
  /** Brings what was interrupted to its end. Undefined: its database takes a package whole or not at all. */
  readonly repair?: Script;
  readonly lists: Lists;
  readonly transaction: (change: Change) => Transaction;
  readonly hold: (names: readonly string[]) => Script;
  readonly unhold: (names: readonly string[]) => Script;
  /** Makes packages count as wanted for themselves, so that they stay when what needs them goes. */
  readonly keep: (names: readonly string[]) => Script;
}

/** How a tool says what became of it: patterns of `case` for `STATUS OUTPUT` of a run. */
export interface Lock {
  /** Pattern of `case` for a run that found the lock held. */
  readonly locked: Script;
  /** Pattern of `case` for a run that succeeded. Default: status 0. */
  readonly fine?: Script;
  /** A filter that keeps the lines of the output about a failure; where nothing is left, all of it is shown. */
  readonly reporting?: Script;
}

/** The lists of packages that a host has. */
export interface Lists {
  /** A file that is as old as the last complete refresh. */
  readonly stamp: string;
  /** Patterns of paths that name the sources: lists that are older than one of them count for nothing. */
  readonly sources: Script;
  /**
   * The body of a function that fetches all lists. Status 0: complete. What went wrong, and what there is to say besides,
   * goes to stderr.
   */
  readonly refresh: Script;
  /** Patterns of `case` for complaints of a change that newer lists may cure, besides that of an unknown name. */
  readonly curable: Script;
}
