/**
 * @module The values of circuits' `hosts`, checked one by one: what is wrong with one is said of that host and where it
 * is written, and not of the login of each step on it.
 */

import type { NamedExpression } from "../../../compiler/index.ts";
import { type Diagnostic, errorDiagnostic } from "../../../diagnostics/diagnostic.ts";
import { nearest } from "../../../diagnostics/nearest.ts";
import { quoted } from "../../../diagnostics/quoted.ts";
import { evaluate } from "../../../eval/evaluate.ts";
import type { Scope } from "../../../eval/scope.ts";
import type { Expression } from "../../../hcl/tree.ts";
import {
  badHostName,
  checkHost,
  type Given,
  givenValue,
  hostSettings,
  isHostName,
  type ReportOfHost,
} from "../../../login/index.ts";
import { type AttributeSchema, type BlockSchema, hideValues, showValues } from "../../../schema/schema.ts";
import { convert, isConversionError } from "../../../values/convert.ts";
import { containsMark, unmark, unmarkDeep } from "../../../values/marks.ts";
import { at } from "../../../values/path.ts";
import { toPlain } from "../../../values/plain.ts";
import { isNull, type Value } from "../../../values/value.ts";
import { isElements, isEntries, isWhollyFinite, isWhollyKnown } from "../../../values/walk.ts";
import { type HostRanges, hostRanges } from "./host-ranges.ts";

export interface HostsToCheck {
  /** The expression of `hosts` as written. */
  readonly hosts: Expression;
  readonly locals: ReadonlyMap<string, NamedExpression>;
  readonly scope: Scope;
  /** The same with variables as they were given, before their types dropped what they do not have. */
  readonly given: Scope;
  /** The schema's `ssh` block. */
  readonly ssh: BlockSchema;
}

export interface CheckedHosts {
  /** Why they could not be evaluated. */
  readonly unevaluated: readonly Diagnostic[];
  /** What is wrong with their values. */
  readonly problems: readonly Diagnostic[];
  /** What cannot be used, by host: names of settings. */
  readonly unusable: ReadonlyMap<string, ReadonlySet<string>>;
}

export function checkHosts({ hosts, locals, scope, given, ssh }: HostsToCheck): CheckedHosts {
  const { value, diagnostics } = evaluate(hosts, scope);
  const reader = new HostReader(hostRanges(hosts, locals), ssh);
  const entries = entriesOf(value);
  const asGiven = entriesOf(evaluate(hosts, given).value);
  for (const [name, host] of entries ?? []) {
    reader.read(name, host);
    const before = asGiven?.get(name);
    if (before !== undefined && before !== host) reader.compare(name, host, before);
  }
  return { unevaluated: diagnostics, problems: reader.problems, unusable: reader.unusable };
}

/** Undefined for what is not known, or no map: which instances there are shows that. */
function entriesOf(value: Value): ReadonlyMap<string, Value> | undefined {
  const { data } = unmark(value);
  return isEntries(data) ? data : undefined;
}

class HostReader {
  readonly problems: Diagnostic[] = [];
  readonly unusable = new Map<string, Set<string>>();
  readonly #places: HostRanges;
  readonly #ssh: BlockSchema;

  constructor(ranges: HostRanges, ssh: BlockSchema) {
    this.#places = ranges;
    this.#ssh = ssh;
  }

  read(name: string, given: Value): void {
    if (!isHostName(name)) this.problems.push(badHostName(name, { range: this.#places.name(name) }));
    const host = unmark(given);
    const found: Diagnostic[] = [];
    const report: ReportOfHost = (problem, setting) => {
      const { range } = problem;
      found.push({ ...problem, ...this.#place(name, setting), ...(range && { range }) });
    };
    for (const setting of checkHost(this.#given(name, host), report, name)) this.#useless(name, setting);
    if (isEntries(host.data)) this.#readSettings(name, host.data);
    else if (typeof host.data === "string") this.#readSettings(name, new Map([["address", given]]));
    this.problems.push(...found);
  }

  /** The host with the locations of its settings. */
  #given(name: string, host: Value): Given {
    const whole = givenValue(host, this.#places.value(name));
    if (!isEntries(host.data)) return whole;
    const entries = [...host.data].map(([setting, value]) => ({
      name: setting,
      nameRange: this.#places.settingName(name, setting),
      value: givenValue(value, this.#places.setting(name, setting)),
    }));
    return { ...whole, entries };
  }

  /** What a variable's type dropped is lost without a word: that is said where it would have counted. */
  compare(name: string, host: Value, before: Value): void {
    const [kept, given] = [entriesOf(host), entriesOf(before)];
    if (kept === undefined || given === undefined) return;
    for (const setting of given.keys()) {
      if (kept.has(setting) || isNull(given.get(setting)!)) continue;
      const near = nearest(setting, hostSettings);
      const known = hostSettings.includes(setting);
      if (!known && near === undefined) continue;
      this.problems.push(
        errorDiagnostic(
          known ? `${quoted(setting)} is lost on the way` : `Unknown setting ${quoted(setting)}`,
          known
            ? `The type of the variable that it comes from has no such attribute, and drops it. Add it to the type: ${setting} = optional(…).`
            : `There is no setting of that name in a host, and the type of the variable that it comes from drops it. Did you mean "${near}"?`,
          { ...this.#place(name, setting), range: this.#places.settingName(name, setting) },
        ),
      );
    }
  }

  #readSettings(name: string, settings: ReadonlyMap<string, Value>): void {
    const { attributes, blocks } = this.#ssh;
    for (const [setting, value] of settings) {
      if (!hostSettings.includes(setting) || this.unusable.get(name)?.has(setting)) continue;
      if (Object.hasOwn(attributes, setting)) this.#readSetting(name, setting, attributes[setting]!, value);
      else if (blocks[setting]?.repeated) this.#readBlocks(name, setting, blocks[setting], value);
    }
  }

  /** A list of objects with the settings of a block that may be repeated. */
  #readBlocks(name: string, setting: string, { attributes }: BlockSchema, given: Value): void {
    const { data } = unmark(given);
    if (!isElements(data)) return;
    for (const [index, element] of data.entries()) {
      for (const [inner, value] of entriesOf(element) ?? []) {
        if (Object.hasOwn(attributes, inner))
          this.#readSetting(name, setting, attributes[inner]!, value, `${setting}[${index}].${inner}`);
      }
    }
  }

  /** @param called for messages */
  #readSetting(name: string, setting: string, schema: AttributeSchema, given: Value, called = setting): void {
    const { value } = unmarkDeep(given);
    const fail = (summary: string, detail: string): void => {
      this.problems.push(errorDiagnostic(summary, detail, this.#place(name, setting)));
      this.#useless(name, setting);
    };
    const converted = convert(value, schema.type);
    if (isConversionError(converted)) {
      fail(`"${called}" has a value of the wrong type`, `For "${called}": ${converted.error}.`);
      return;
    }
    if (!isWhollyFinite(converted.value)) {
      fail("Invalid value", `${called} must be a finite number, and is an infinity.`);
      return;
    }
    if (schema.check === undefined || isNull(value) || !isWhollyKnown(converted.value)) return;
    const report = containsMark(given, "sensitive") ? hideValues : showValues;
    const problem = schema.check(toPlain(converted.value), report);
    if (problem !== undefined) fail("Invalid value", `${called} ${problem}.`);
  }

  /** Of a host of this circuit: another circuit's of the same name is another one. */
  #place(name: string, setting?: string) {
    return setting === undefined
      ? { range: this.#places.value(name), host: name, attribute: [] }
      : { range: this.#places.setting(name, setting), host: name, attribute: at(setting) };
  }

  #useless(name: string, setting: string): void {
    this.unusable.set(name, (this.unusable.get(name) ?? new Set<string>()).add(setting));
  }
}
