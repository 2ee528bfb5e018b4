/**
 * @module What a kind's custom plan logic sees and may change (P1–P3).
 */
import type { Diagnostic } from "../diagnostics/diagnostic.ts";
import { errorDiagnostic, warningDiagnostic } from "../diagnostics/diagnostic.ts";
import { type BlockSchema, isConfigurable } from "../schema/schema.ts";
import { valuesEqual } from "../values/equal.ts";
import { at, formatPath, type Path } from "../values/path.ts";
import { fromPlain, type Plain, toPlain } from "../values/plain.ts";
import { isNull, isUnknown, unknownValue, type Value } from "../values/value.ts";
import { getPath, isWhollyKnown } from "../values/walk.ts";
import { type Fields, sameOnHost } from "./proposal.ts";

/** An attribute's name, or a path into it. */
export type AttributePath = string | Path;

/** Programming error of a kind: its plan logic did what it must not. */
class PlanLogicError extends Error {
  override readonly name = "PlanLogicError";
}

/** What {@link ResourceDiff} worked on and found, taken by `decide` when the custom logic is done. */
export interface DiffOutcome {
  readonly planned: Map<string, Value>;
  readonly forced: readonly Path[];
  readonly diagnostics: readonly Diagnostic[];
}

/** What a difference is about. */
export interface DiffInstance {
  readonly type: string;
  readonly schema: BlockSchema;
  readonly config: Fields;
  readonly prior: Fields | undefined;
  /** The object as last applied: `prior` without drift. */
  readonly applied: Fields | undefined;
  /** Settings that somebody else owns; the configuration has the observed values instead. */
  readonly theirs: ReadonlySet<string>;
  /** Exact names of what settings had on the host when it was read last. */
  readonly exact?: ReadonlyMap<string, string>;
}

/**
 * The difference between the prior and the planned object of one instance. Reading gives plain data, with `Unknown`
 * where a value is not known yet. Only computed attributes may be written. Never made for a destroy.
 */
export class ResourceDiff {
  readonly #type: string;
  readonly #schema: BlockSchema;
  readonly #config: Fields;
  readonly #prior: Fields | undefined;
  readonly #applied: Fields | undefined;
  readonly #theirs: ReadonlySet<string>;
  readonly #exact: ReadonlyMap<string, string> | undefined;
  readonly #planned: Map<string, Value>;
  readonly #forced: Path[] = [];
  readonly #diagnostics: Diagnostic[] = [];

  /** @param planned the proposal; this object owns it from now on */
  constructor(instance: DiffInstance, planned: Map<string, Value>) {
    this.#type = instance.type;
    this.#schema = instance.schema;
    this.#config = instance.config;
    this.#prior = instance.prior;
    this.#applied = instance.applied;
    this.#theirs = instance.theirs;
    this.#exact = instance.exact;
    this.#planned = planned;
  }

  /** Whether somebody else owns the setting: what follows from it stays as it was observed, too. */
  isTheirs(name: string): boolean {
    return this.#theirs.has(name);
  }

  /** Whether there is no prior object. */
  get creating(): boolean {
    return this.#prior === undefined;
  }

  /** The planned value. */
  get(target: AttributePath): Plain {
    return this.#plain(this.#planned, target);
  }

  /** What the configuration says; null where it says nothing. */
  config(target: AttributePath): Plain {
    return this.#plain(this.#config, target);
  }

  /** The value before; null when there is no prior object. */
  prior(target: AttributePath): Plain {
    return this.#prior === undefined ? null : this.#plain(this.#prior, target);
  }

  /** The value as last applied, before any drift; null when there is no prior object. */
  lastApplied(target: AttributePath): Plain {
    return this.#applied === undefined ? null : this.#plain(this.#applied, target);
  }

  /** Whether the planned value differs from the prior one, or there is no prior one. */
  hasChange(target: AttributePath): boolean {
    const path = toPath(target);
    const before = this.#prior === undefined ? undefined : this.#value(this.#prior, path);
    const after = this.#value(this.#planned, path);
    return before === undefined || after === undefined ? before !== after : !valuesEqual(before, after);
  }

  /** Whether the planned value of a setting means something else on the host than the prior one. */
  meansOther(name: string): boolean {
    if (!this.hasChange(name)) return false;
    const [before, after, attribute] = [
      this.#prior?.get(name),
      this.#planned.get(name)!,
      this.#schema.attributes[name]!,
    ];
    const isAsApplied = before !== undefined && valuesEqual(before, this.#applied?.get(name) ?? before);
    return !(isAsApplied && sameOnHost(attribute, before, after, this.#exact?.get(name)));
  }

  /** Whether the planned value is wholly known. */
  isKnown(target: AttributePath): boolean {
    const value = this.#value(this.#planned, toPath(target));
    return value === undefined || isWhollyKnown(value);
  }

  /** Gives a computed attribute, which the configuration leaves out, a value. */
  setNew(name: string, value: Plain): void {
    this.#planned.set(name, fromPlain(value, this.#writable(name).type));
  }

  /** Says that a computed attribute will be known after apply. */
  setNewComputed(name: string): void {
    this.#planned.set(name, unknownValue(this.#writable(name).type));
  }

  /** Takes the planned change of a computed attribute back. */
  clear(name: string): void {
    const { type } = this.#writable(name);
    this.#planned.set(name, this.#prior?.get(name) ?? unknownValue(type));
  }

  /** Makes the change at `target` one that needs a new object. */
  forceReplace(target: AttributePath): void {
    const path = toPath(target);
    if (!this.hasChange(path)) throw this.#misuse(path, "cannot force a replacement: it does not change");
    if (!this.creating) this.#forced.push(path);
  }

  /** Refuses the plan because of the value at `target`. */
  veto(target: AttributePath, summary: string, detail: string): void {
    this.#diagnostics.push(errorDiagnostic(summary, detail, { attribute: toPath(target) }));
  }

  /** Lets the plan stand, with a warning about the value at `target`. */
  warn(target: AttributePath, summary: string, detail: string): void {
    this.#diagnostics.push(warningDiagnostic(summary, detail, { attribute: toPath(target) }));
  }

  /** The result of the comparison. */
  outcome(): DiffOutcome {
    return { planned: this.#planned, forced: this.#forced, diagnostics: this.#diagnostics };
  }

  #plain(fields: Fields, target: AttributePath): Plain {
    const value = this.#value(fields, toPath(target));
    return value === undefined ? null : toPlain(value);
  }

  #value(fields: Fields, path: Path): Value | undefined {
    const [first, ...rest] = path;
    const name = first !== undefined && "attribute" in first ? first.attribute : undefined;
    const value = name === undefined ? undefined : fields.get(name);
    if (value === undefined) throw this.#misuse(path, "is no attribute of it");
    return getPath(value, rest);
  }

  #writable(name: string): { readonly type: Value["type"] } {
    const attribute = Object.hasOwn(this.#schema.attributes, name)
      ? this.#schema.attributes[name]
      : undefined;
    if (!attribute?.computed) throw this.#misuse(at(name), "cannot be set: it is not computed");
    const configured = this.#config.get(name)!;
    if (isConfigurable(attribute) && !isNull(configured) && !isUnknown(configured)) {
      throw this.#misuse(at(name), "cannot be set: the configuration sets it");
    }
    return attribute;
  }

  #misuse(path: Path, problem: string): PlanLogicError {
    return new PlanLogicError(`plan logic of ${this.#type}: ${formatPath(path)} ${problem}`);
  }
}

const toPath = (target: AttributePath): Path => (typeof target === "string" ? at(target) : target);
