/**
 * @module The interface of init systems. Each has a file next to this one.
 */
import type { Script } from "../../script/script.ts";

export type InitName = "systemd" | "openrc" | "sysv";

/** What is known of a service. */
export interface ServiceFacts {
  readonly init: InitName;
  /** Its own name where it has others: systemd's `Id`. */
  readonly id?: string;
  readonly exists: boolean;
  readonly running: boolean;
  /** Whether it runs something once and nothing is left of that: it may have been started, or not. */
  readonly idle?: true;
  /** Whether it counts as running and is not ready yet. */
  readonly starting?: true;
  readonly enabled: boolean;
  readonly masked: boolean;
  /** Whether it is masked until the host boots again. */
  readonly maskedUntilBoot?: true;
  /** Whether it can be enabled at all; false for a unit without an `[Install]` section. */
  readonly canEnable: boolean;
  /** Whether it can read its configuration again; absent where that is not known. */
  readonly canReload?: boolean;
  /** Units that its `[Install]` section names instead of its own, where it has nothing but `Also=`. */
  readonly also?: readonly string[];
  /** systemd's word for how its file is installed, `UnitFileState` in systemctl(1): `static`, `generated` … */
  readonly fileState?: string;
}

/** Scripts that do one thing with one service each; a status other than 0 is a failure. */
export interface InitSystem {
  readonly name: InitName;
  /** Prints what {@link parse} reads, about all of them at once. */
  readonly ask: (units: readonly string[]) => Script;
  /**
   * @param answer what `ask` printed
   * @returns one for each unit, in their order
   * @throws AnswerError
   */
  readonly parse: (answer: string, units: readonly string[]) => readonly ServiceFacts[];
  /** Prints names of units that are to be enabled instead of one that cannot be. Absent where there is no such thing. */
  readonly askAlso?: (unit: string) => Script;
  readonly start: (unit: string) => Script;
  readonly stop: (unit: string) => Script;
  readonly restart: (unit: string) => Script;
  /** Does nothing for a service that is not running: it reads its configuration when it starts. */
  readonly reload: (unit: string) => Script;
  /**
   * Instead of a restart or a reload of what has just been started from nothing: restarts it only where it would not
   * be as after a restart, and fails where it does not stay up. Absent where it is not sure that a service which was
   * started had not been running.
   */
  readonly settle?: (unit: string) => Script;
  readonly enable: (unit: string) => Script;
  readonly disable: (unit: string) => Script;
  /** Absent where services cannot be masked. */
  readonly mask?: (unit: string) => Script;
  readonly unmask?: (unit: string) => Script;
}
