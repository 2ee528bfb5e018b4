/**
 * @module `conn3x_package`: packages that are present or absent.
 */
import { type Diagnostic, errorDiagnostic, warningDiagnostic } from "../../diagnostics/diagnostic.ts";
import type { ResourceDiff } from "../../revision/resource-diff.ts";
import { at } from "../../values/path.ts";
import type { PlainObject } from "../../values/plain.ts";
import { Unknown } from "../../values/value.ts";
import type { Around, Found, StepKind } from "../kind.ts";
import { besides, checkBesides, removable } from "./besides.ts";
import { missingPackages, type PackageFacts, packageFacts } from "./facts.ts";
import { fitsVersion, namesOf } from "./names.ts";
import { heldByOthers, heldText, isRemoval, neededChange, simulationOf } from "./needed-change.ts";
import { observePackages, toInstall } from "./observe.ts";
import { operatePackages, removePackages, withoutPackages } from "./operate.ts";
import { packageSchema } from "./schema.ts";

export const packageKind: StepKind<PackageFacts, readonly string[]> = {
  role: "step",
  name: "package",
  type: "conn3x_package",
  schema: packageSchema,
  id: { from: ["name", "names"], of: (object) => namesOf(object).join(", ") },
  imported: (identity) => ({ name: identity.slice(1) }),
  check: checkPackage,
  facts: packageFacts,
  closer: missingPackages,
  observe: observePackages,
  exact: ({ packages }, { name }) => ({
    version: typeof name === "string" ? ([...packages.values()][0]?.version ?? null) : null,
  }),
  isThere: ({ packages }) => [...packages.values()].some(({ state }) => state !== "absent"),
  keepsUnlessAsked: true,
  plan: planPackage,
  planCheck: checkPackagePlan,
  // The host's manager does one thing at a time.
  exclusive: () => "packages",
  asFound: ["names", "state"],
  claims: ["hold"],
  advice: ["removed_later"],
  gone: withoutPackages,
  takesAway: (object) => (isRemoval(object) ? namesOf(object) : []),
  besides: (facts, object, { named }) => besides(simulationOf(object, facts), removable(object, named)),
  operate: (want, found, prior, _, going) => operatePackages(want, found, prior, going),
  remove: removePackages,
};

/** What is left to the host may be another once packages come or go. */
function planPackage(diff: ResourceDiff): void {
  if (!diff.isTheirs("state")) {
    const state = diff.get("state");
    if (state instanceof Unknown) diff.setNewComputed("automatic");
    else diff.setNew("automatic", isRemoval({ state }) ? null : false);
  }
  if (!["name", "names", "state", "version"].some((name) => diff.meansOther(name))) return;
  for (const name of ["version", "hold"]) if (diff.config(name) === null) diff.setNewComputed(name);
}

function checkPackage(config: PlainObject): readonly Diagnostic[] {
  const { name, names, version, state } = config;
  if (name === null && names === null) {
    return [errorDiagnostic("Missing name", "A package needs name or names.", { attribute: at("name") })];
  }
  // What is not known yet may turn out to be null.
  const hasVersion = typeof version === "string";
  if (hasVersion && Array.isArray(names)) {
    return [
      errorDiagnostic(
        "Version of several packages",
        "version is for one package: give each a step of its own.",
        {
          attribute: at("version"),
        },
      ),
    ];
  }
  if (config.hold === true && (state === "absent" || state === "purged")) {
    return [
      errorDiagnostic("Hold of nothing", `A package with state = "${state}" cannot be held.`, {
        attribute: at("hold"),
      }),
    ];
  }
  if (hasVersion && (state === "absent" || state === "purged")) {
    return [
      errorDiagnostic("Version of nothing", `A package with state = "${state}" has no version.`, {
        attribute: at("version"),
      }),
    ];
  }
  return [];
}

const alone: Around = { going: { named: new Set() }, others: false };

/** What would be refused, or done besides. */
function checkPackagePlan(
  object: PlainObject,
  found: Found<PackageFacts>,
  { prior, going, others }: Around = alone,
): readonly Diagnostic[] {
  if (found.state !== "present") return [];
  const { facts } = found;
  const change = neededChange(object, facts);
  if (change === undefined) return [];
  const held = heldByOthers(object, change, facts, prior);
  const unknown = isRemoval(object) ? [] : unknownPackages(object, facts);
  const say = others ? warningDiagnostic : errorDiagnostic;
  return [
    ...(held.length === 0
      ? []
      : [
          say("Package is held", heldText(held, object), {
            attribute: at(typeof object.name === "string" ? "name" : "names"),
          }),
        ]),
    ...unknown,
    // What cannot be found cannot be tried either.
    ...(unknown.length > 0 ? [] : checkBesides(object, simulationOf(object, facts), going, others)),
  ];
}

/** What no list of the host has. Lists that are fetched first may have it by then: that is worth a warning only. */
function unknownPackages(object: PlainObject, facts: PackageFacts): readonly Diagnostic[] {
  const say = object.update_cache === false ? errorDiagnostic : warningDiagnostic;
  return toInstall(object, facts).flatMap((name) => {
    const { available } = facts.packages.get(name)!;
    if (available === undefined) return [];
    const fits =
      typeof object.version !== "string" || available.some((one) => fitsVersion(String(object.version), one));
    if (available.length > 0 && fits) return [];
    const [attribute, what] =
      available.length > 0
        ? ["version", `have no version ${String(object.version)} of ${name}, but ${available.join(", ")}`]
        : [typeof object.name === "string" ? "name" : "names", `have no package ${name}`];
    const advice = object.update_cache === false ? "" : " Apply fetches the lists anew, and looks again.";
    return [
      say("No such package", `The package lists of the host ${what}.${advice}`, { attribute: at(attribute) }),
    ];
  });
}
