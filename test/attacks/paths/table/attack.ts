/**
 * @module What an attack is: an unprivileged user of a host, in directories of their own, against what root is configured to
 * manage there.
 */
import type { Victim } from "./victims.ts";

/** One attack on one configured object. */
export interface Cell {
  /** Name of the resource, and of the directories below. */
  readonly id: string;
  readonly victim: Victim;
  readonly attack: Attack;
  /** How the product works on the host. */
  readonly login: "root" | "sudo";
  /** Directory of the attacker, that the object's directory is in. */
  readonly home: string;
  /** Directory of the object: the attacker's. */
  readonly directory: string;
  /** Configured path. */
  readonly object: string;
  /**
   * Directory of root, that the attacker wants to get at: `secret`, a file, `tree`, a directory with files, and `parent`,
   * which has an object of the victim's name.
   */
  readonly prize: string;
  /** Text that is in the prize's files and nowhere else. */
  readonly secret: string;
}

/** Who attacks: the user of the lab's hosts that may do nothing. */
export const attacker = "plain";

export interface Attack {
  readonly name: string;
  /** Which objects it is tried on. */
  readonly against: (victim: Victim) => boolean;
  /** Where the attacker's directories are. Unset: their home. */
  readonly below?: string;
  /** Shell text that root runs before: what is there by the host's own arrangement. */
  readonly arranged?: (cell: Cell) => string;
  /** Shell text for the attacker, which can be run again when the product has undone it. */
  readonly strike: (cell: Cell) => string;
  /** Shell text for root, after an apply, that prints what the attacker has won besides a changed prize; nothing otherwise. */
  readonly won?: (cell: Cell) => string;
  /** Shell text for root that takes away what {@link arranged} made. */
  readonly undo?: (cell: Cell) => string;
}
