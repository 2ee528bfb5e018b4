/**
 * @module What was done on hosts and could be written nowhere: the next run does not know of it, so that a person has to.
 */
import { type Diagnostic, errorDiagnostic } from "../../../diagnostics/diagnostic.ts";
import type { StateInstance } from "../state.ts";
import type { StateBackend } from "../state-backend.ts";

export interface Change {
  /** Address of the instance. */
  readonly address: string;
  /** The instance as it is now, or as it was before it was removed. */
  readonly instance: StateInstance | undefined;
  readonly what: "made" | "removed";
  /** The change's line for the journal. */
  readonly line: () => string;
}

export class Unrecorded {
  readonly #changes = new Map<string, Change>();

  /** Notes a change that could not be written to the journal. */
  note(change: Change): void {
    this.#changes.set(change.address, change);
  }

  /** Forgets the change: a later one of the same instance was written. */
  settle(address: string): void {
    this.#changes.delete(address);
  }

  /** Forgets the changes: the state file has them all now. */
  clear(): void {
    this.#changes.clear();
  }

  /** Tries again: what has been removed since may have made room. @param append throws when there is none */
  retry(append: (line: string) => void): void {
    for (const [address, { line }] of this.#changes) {
      try {
        append(line());
        this.#changes.delete(address);
      } catch {
        // It is named in the end.
      }
    }
  }

  /** The last that is said; undefined when nothing is missing. */
  problem({ name, journal }: Pick<StateBackend, "name" | "journal">): Diagnostic | undefined {
    const all = [...this.#changes.values()];
    if (all.length === 0) return undefined;
    const lines = all.map(({ address, instance, what }) => `    ${address}${on(instance)}: ${what}`);
    return errorDiagnostic(
      "Something was done and is recorded nowhere",
      `Neither ${name} nor ${journal} could be written. The next run does not know of this, and does it again, commands as well:\n${lines.join("\n")}\nMake room first. What is a file, a package or a service is found as it is wanted; where a command must not run a second time, see to that before the next apply.`,
    );
  }
}

/** ` on 10.0.1.5`; empty where the object does not say. */
function on(instance: StateInstance | undefined): string {
  const { ssh } = JSON.parse(instance?.attributes ?? "{}") as { ssh?: { address?: unknown } };
  return typeof ssh?.address === "string" ? ` on ${ssh.address}` : "";
}
