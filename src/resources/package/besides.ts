/**
 * @module What a change does to packages that its step does not name, and what of that may be.
 */
import { type Diagnostic, errorDiagnostic, warningDiagnostic } from "../../diagnostics/diagnostic.ts";
import { at } from "../../values/path.ts";
import type { PlainObject } from "../../values/plain.ts";
import type { Besides, Going } from "../kind.ts";
import { namesOf } from "./names.ts";
import type { Effect, Simulation } from "./transaction.ts";

const effectsOf = (simulation: Simulation | undefined): readonly Effect[] =>
  simulation !== undefined && "effects" in simulation ? simulation.effects : [];

/**
 * A line for each, removals first.
 *
 * @param allowed names and patterns of what may go
 * @returns undefined where it is not known
 */
export function besides(simulation: Simulation | undefined, allowed: readonly string[]): Besides | undefined {
  if (simulation === undefined || "impossible" in simulation) return undefined;
  const { effects } = simulation;
  const text = (["remove", "clean", "change", "install"] as const).flatMap((word) =>
    effects.filter(({ does }) => does === word).map(described),
  );
  return { text, removes: removedBesides(simulation).filter((name) => matches(allowed, name)) };
}

function described(effect: Effect): string {
  switch (effect.does) {
    case "install":
      return `installs ${effect.name} ${effect.version}`.trimEnd();
    case "remove":
      return `removes ${effect.name} ${effect.version}`.trimEnd();
    case "clean":
      return `${`removes ${effect.name} ${effect.version}`.trimEnd()}, which nothing needs then`;
    case "change":
      return `changes ${effect.name}${effect.from === "" ? "" : ` from ${effect.from}`} to ${effect.to}`;
    case "held":
      return `changes ${effect.name}, which is held`;
  }
}

const removedBesides = (simulation: Simulation | undefined): readonly string[] =>
  effectsOf(simulation).flatMap(({ does, name }) => (does === "remove" ? [name] : []));

/** Names and patterns of what may go with the packages of an object. */
export const removable = (object: PlainObject, named: ReadonlySet<string>): readonly string[] => [
  ...new Set([...texts(object.allow_removal), ...texts(object.removed_later), ...named]),
];

const texts = (value: unknown): readonly string[] => (Array.isArray(value) ? value.map(String) : []);

/**
 * Where the plan showed what goes, nothing else may go, whatever else would be allowed to. What other instances take away, it
 * showed as well.
 */
export const mayGo = (object: PlainObject, { named, shown }: Going): readonly string[] =>
  shown === undefined ? removable(object, named) : [...new Set([...shown, ...named])];

export const matches = (patterns: readonly string[], name: string): boolean =>
  patterns.some((pattern) =>
    new RegExp(`^${pattern.replace(/[.+]/g, "\\$&").replaceAll("*", ".*").replaceAll("?", ".")}$`).test(name),
  );

/** @param others whether something else is to change on the host, so that this may turn out otherwise */
export function checkBesides(
  object: PlainObject,
  simulation: Simulation | undefined,
  { named }: Going,
  others: boolean,
): readonly Diagnostic[] {
  const allowed = removable(object, named);
  const unasked = removedBesides(simulation)
    .filter((name) => !matches(allowed, name))
    .sort();
  const held = effectsOf(simulation).flatMap(({ does, name }) => (does === "held" ? [name] : []));
  const say = others ? warningDiagnostic : errorDiagnostic;
  const attribute = at(typeof object.name === "string" ? "name" : "names");
  const then = others ? "Unless something changes that before, apply does nothing here. " : "";
  const subject = namesOf(object).join(", ");
  return [
    ...(unasked.length === 0
      ? []
      : [
          say(
            "Packages would be removed that no step names",
            `${subject}: the host's package manager would also remove ${unasked.join(", ")}. ${then}If ${unasked.length === 1 ? "it" : "they"} may go, name ${unasked.length === 1 ? "it" : "them"} in a package step with state = "absent", or set allow_removal = [${unasked.map((name) => JSON.stringify(name)).join(", ")}].`,
            { attribute },
          ),
        ]),
    ...(held.length === 0
      ? []
      : [
          say(
            "Held packages would be changed",
            `${subject}: the host's package manager would also have to change ${held.join(", ")}, which ${held.length === 1 ? "is" : "are"} held on the host. ${then}Release ${held.length === 1 ? "it" : "them"} with hold = false in a package step of its own.`,
            { attribute },
          ),
        ]),
    ...(simulation !== undefined && "impossible" in simulation
      ? [
          warningDiagnostic(
            "Package manager cannot do this as the host is now",
            `${subject}: ${simulation.impossible}`,
            { attribute },
          ),
        ]
      : []),
  ];
}
