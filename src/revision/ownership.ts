/**
 * @module Who owns a setting: Conn3x, which puts drift back, or somebody else, whose value stands (D1–D6).
 *
 * A setting that somebody else owns is *substituted*: the observed value replaces the configured one before
 * anything is compared or written. Merely skipping it in the comparison would write the configured value as soon as a
 * sibling changed.
 */

import { type Diagnostic, errorDiagnostic, warningDiagnostic } from "../diagnostics/diagnostic.ts";
import { nearest } from "../diagnostics/nearest.ts";
import { ownableSettings, whyNotOwnable } from "../schema/ownable.ts";
import { type BlockSchema, isConfigurable } from "../schema/schema.ts";
import { writeOnlySettings } from "../schema/write-only.ts";
import { valuesEqual } from "../values/equal.ts";
import { at } from "../values/path.ts";
import { isPlainObject, toPlain } from "../values/plain.ts";
import { isNull, type Value } from "../values/value.ts";
import { type Fields, sameMeaning } from "./proposal.ts";

export type DriftMode = "enabled" | "warn" | "disabled";

/** What an instance's `drift` block says. */
export interface Ownership {
  readonly mode: DriftMode;
  /** Attributes that somebody else owns. */
  readonly ignore: ReadonlySet<string>;
}

const everythingOurs: Ownership = { mode: "enabled", ignore: new Set() };

/** @param object an object's fields; without a `drift` block, or with one that is not known yet, everything is ours */
export function ownershipOf(object: Fields): Ownership {
  const block = object.get("drift");
  const plain = block === undefined ? null : toPlain(block);
  if (!isPlainObject(plain)) return everythingOurs;
  const { mode, ignore } = plain;
  return {
    mode: mode === "warn" || mode === "disabled" ? mode : "enabled",
    ignore: new Set(Array.isArray(ignore) ? ignore.filter((name) => typeof name === "string") : []),
  };
}

/** The object that is planned for, and which of its settings are somebody else's. */
export interface Owned {
  readonly config: Fields;
  /** Settings whose observed value stands. */
  readonly theirs: ReadonlySet<string>;
  readonly diagnostics: readonly Diagnostic[];
}

/**
 * Substitutes what somebody else owns. A copy: the given objects stay as they are.
 *
 * @param prior the observed object; undefined when the object is to be created, which seeds from the configuration
 * @param applied the object as last applied
 * @param rewritten write-only settings that were edited
 */
export function substituteOwned(
  schema: BlockSchema,
  config: Fields,
  prior: Fields | undefined,
  applied: Fields | undefined,
  rewritten: ReadonlySet<string> = new Set(),
): Owned {
  const { mode, ignore } = ownershipOf(config);
  if (prior === undefined || applied === undefined) return { config, theirs: new Set(), diagnostics: [] };
  const warned = mode === "warn" ? driftedAndNotEdited(schema, config, prior, applied, rewritten) : [];
  // Core takes the prior value in place of a configured one only where there is one.
  const theirs = [...ignore, ...warned].filter(
    (name) =>
      !isNull(config.get(name)!) &&
      (schema.attributes[name]?.writeOnly !== undefined || !isNull(prior.get(name)!)),
  );
  if (theirs.length === 0) return { config, theirs: new Set(), diagnostics: [] };
  const substituted = new Map(config);
  for (const name of theirs) substituted.set(name, prior.get(name)!);
  return { config: substituted, theirs: new Set(theirs), diagnostics: warned.map(driftWarning) };
}

/**
 * Settings whose value on the host stands while an object that is there is acted on: what `ignore` names, what `warn`
 * left as it was observed, and what follows from them.
 *
 * @param prior the stored object, as the plan saw it
 */
export function settingsOfOthers(schema: BlockSchema, planned: Fields, prior: Fields): ReadonlySet<string> {
  const { mode, ignore } = ownershipOf(planned);
  const showsIntact = new Set(writeOnlySettings(schema).map(({ intact }) => intact));
  const left = (name: string) => {
    const value = planned.get(name)!;
    // What is as it was written is not left to anybody: it may be about to be written anew.
    if (value.data === true && showsIntact.has(name)) return false;
    return mode === "warn" && !isNull(value) && valuesEqual(value, prior.get(name)!);
  };
  const theirs = Object.entries(schema.attributes).flatMap(([name, { follows, writeOnly }]) => {
    // What is not set is nobody's: a file's hash follows from `source` where there is no `content`.
    const isIgnored = ignore.has(name) && (writeOnly !== undefined || !isNull(planned.get(name)!));
    if (isIgnored || (isOwnable(schema, name) && left(name))) return [name];
    return follows !== undefined && left(name) ? [name, ...follows] : [];
  });
  const following = Object.entries(schema.attributes).filter(([, { follows }]) =>
    follows?.some((name) => theirs.includes(name)),
  );
  return new Set([...theirs, ...following.map(([name]) => name)]);
}

const driftWarning = (name: string): Diagnostic =>
  warningDiagnostic(
    "Setting changed on the host",
    `${name} differs from what was applied and is left as it is, as drift { mode = "warn" } asks. Edit the configuration, or name it in ignore, or remove the mode to have it put back.`,
    { attribute: at(name) },
  );

function driftedAndNotEdited(
  schema: BlockSchema,
  config: Fields,
  prior: Fields,
  applied: Fields,
  rewritten: ReadonlySet<string>,
): readonly string[] {
  const isEdited = (name: string) => {
    if (schema.attributes[name]?.writeOnly !== undefined) return rewritten.has(name);
    const configured = config.get(name)!;
    const last = applied.get(name)!;
    return !valuesEqual(configured, last) && !sameMeaning(schema.attributes[name]!, configured, last);
  };
  const drifted = Object.entries(schema.attributes)
    .filter(([name, { observed }]) => observed && !valuesEqual(applied.get(name)!, prior.get(name)!))
    .flatMap(([name, { follows }]) => [name, ...(follows ?? [])]);
  return [...new Set(drifted)].filter(
    (name) => isConfigurable(schema.attributes[name]!) && !isNull(config.get(name)!) && !isEdited(name),
  );
}

/** Why a name cannot stand in `ignore` (D4). */
export function checkIgnored(schema: BlockSchema, drift: Value | undefined): readonly Diagnostic[] {
  const plain = drift === undefined ? null : toPlain(drift);
  const ignore = isPlainObject(plain) ? plain.ignore : null;
  if (!Array.isArray(ignore)) return [];
  return ignore
    .filter((name) => typeof name === "string")
    .flatMap((name, index) => {
      const reason = notOwnable(schema, name);
      if (reason === undefined) return [];
      const place = [...at("drift", "ignore"), { index }];
      return [
        {
          ...errorDiagnostic("Setting cannot be left to somebody else", `"${name}" ${reason}`, {
            attribute: place,
          }),
          withoutValues: `One of the names ${reason}`,
        },
      ];
    });
}

function notOwnable(schema: BlockSchema, name: string): string | undefined {
  const reason = whyNotOwnable(schema, name);
  if (reason === undefined) return undefined;
  const able = ownableSettings(schema);
  const near = Object.hasOwn(schema.attributes, name) ? undefined : nearest(name, able);
  const choice = able.length === 0 ? "This kind has none that can." : `These can: ${able.join(", ")}.`;
  return `${reason}${near === undefined ? "" : ` Did you mean "${near}"?`} ${choice}`;
}

const isOwnable = (schema: BlockSchema, name: string): boolean => whyNotOwnable(schema, name) === undefined;
