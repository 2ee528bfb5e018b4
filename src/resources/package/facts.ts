/**
 * @module Facts about packages on a host: one question about all of them, and a closer look at those that are
 * missing and at what a change would do besides.
 */
import { lines } from "../../script/script.ts";
import { Unknown } from "../../values/value.ts";
import {
  AnswerError,
  type Closer,
  type Facts,
  type Found,
  foundAs,
  isOfPlan,
  type Look,
  type RealNames,
} from "../kind.ts";
import type { Inventory, PackageManager } from "./manager.ts";
import { managers, withManager } from "./managers.ts";
import { namesOf } from "./names.ts";
import { isRemoval, neededChange } from "./needed-change.ts";
import { askSimulation, parseSimulation, type Simulation } from "./transaction.ts";

export interface PackageFacts extends Inventory {
  readonly manager: PackageManager;
  /** What the change that is due would do besides; absent where that was not asked. */
  readonly simulation?: Simulation;
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
    return subjects.map((names) => {
      const own = new Map(names.map((name) => [name, packages.get(name)!]));
      const facts = { manager, interrupted, packages: own };
      return foundAs<PackageFacts>({ state: "present", facts }, realNamesOf(own));
    });
  },
};

function realNamesOf(packages: Inventory["packages"]): RealNames | undefined {
  const named = [...packages].flatMap(([asked, { realName }]) =>
    realName === undefined ? [] : [[asked, realName] as const],
  );
  return named.length === 0 ? undefined : Object.fromEntries(named);
}

const all = (subjects: readonly (readonly string[])[]): readonly string[] => [...new Set(subjects.flat())];

function unknownManager(word: string): Found<PackageFacts> {
  if (word === "") throw new AnswerError("the host did not tell what manages its packages");
  const why =
    word === "none"
      ? "cannot be managed: the host has no package manager that Conn3x knows"
      : `cannot be managed: the host's packages are managed by ${word}, which this version of Conn3x cannot use`;
  return { state: "unreadable", why };
}

/** What separates the two parts of an answer. */
const simulationBegins = /^simulation$/m;

const isAllOf = (look: Look, { asksReasons }: PackageManager): boolean =>
  isOfPlan(look) || (look === "act" && asksReasons === true);

/** A plan that changes nothing asks for none of it. */
export const missingPackages: Closer<PackageFacts> = {
  ask(facts, object, look) {
    const { manager, packages } = facts;
    const missing = [...packages].filter(([, one]) => one.state !== "installed").map(([name]) => name);
    const asked = isRemoval(object) ? [] : isAllOf(look, manager) ? [...packages.keys()] : missing;
    const change =
      isOfPlan(look) && !(object.state instanceof Unknown) ? neededChange(object, facts) : undefined;
    if (asked.length === 0 && change === undefined) return undefined;
    return {
      ask: "script",
      script: lines([
        ...(asked.length === 0 ? [] : [manager.askMore(asked, isOfPlan(look))]),
        ...(change === undefined ? [] : [askSimulation(manager, change)]),
      ]),
    };
  },
  parse({ stdout }, { manager, ...inventory }) {
    const answer = stdout.toString("utf8");
    const begins = answer.search(simulationBegins);
    const more = begins < 0 ? answer : answer.slice(0, begins);
    return {
      manager,
      ...(more === "" ? inventory : manager.parseMore(more, inventory)),
      ...(begins < 0 ? {} : { simulation: parseSimulation(answer.slice(begins)) }),
    };
  },
};
