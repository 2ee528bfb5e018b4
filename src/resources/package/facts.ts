/**
 * @module Facts about packages on a host: one question about all of them, and a closer look at those that are
 * missing.
 */
import { AnswerError, type Closer, type Facts, type Found } from "../kind.ts";
import type { Inventory, PackageManager } from "./manager.ts";
import { managers, withManager } from "./managers.ts";
import { namesOf } from "./names.ts";

export interface PackageFacts extends Inventory {
  readonly manager: PackageManager;
}

export const packageFacts: Facts<PackageFacts, readonly string[]> = {
  subject: namesOf,
  ask: (subjects) =>
    withManager(new Map(managers.map((manager) => [manager.name, manager.ask(all(subjects))]))),
  parse(stdout, subjects) {
    const text = stdout.toString("utf8");
    const word = text.split("\n", 1)[0]!;
    const manager = managers.find(({ name }) => name === word);
    if (manager === undefined) return subjects.map(() => unknownManager(word));
    const { interrupted, packages } = manager.parse(text.slice(word.length + 1), all(subjects));
    return subjects.map((names) => ({
      state: "present",
      facts: { manager, interrupted, packages: new Map(names.map((name) => [name, packages.get(name)!])) },
    }));
  },
};

const all = (subjects: readonly (readonly string[])[]): readonly string[] => [...new Set(subjects.flat())];

function unknownManager(word: string): Found<PackageFacts> {
  if (word === "") throw new AnswerError("the host did not tell what manages its packages");
  const why =
    word === "none"
      ? "cannot be managed: the host has no package manager that Conn3x knows"
      : `cannot be managed: the host's packages are managed by ${word}, which this version of Conn3x cannot use`;
  return { state: "unreadable", why };
}

export const missingPackages: Closer<PackageFacts> = {
  ask({ manager, packages }, { state }, look) {
    const missing = [...packages].filter(([, one]) => one.state !== "installed").map(([name]) => name);
    const asked = look === "foresee" ? [...packages.keys()] : missing;
    if (asked.length === 0 || state === "absent" || state === "purged") return undefined;
    return { ask: "script", script: manager.askMore(asked, look === "foresee") };
  },
  parse: ({ stdout }, { manager, ...inventory }) => ({
    manager,
    ...manager.parseMore(stdout.toString("utf8"), inventory),
  }),
};
