/**
 * @module The values of circuits' `hosts`, checked one by one: what is wrong with one is said of that host and where it
 * is written, and not of the login of each step on it.
 */
import {
  badHostName,
  checkSshSetting,
  emptyAddress,
  hostSettings,
  isHostName,
  type NamedExpression,
  nameAsSetting,
  noAddress,
  notAHost,
  notAnAddress,
  suggestion,
} from "../../../compiler/index.ts";
import { type Diagnostic, errorDiagnostic } from "../../../diagnostics/diagnostic.ts";
import { nearest } from "../../../diagnostics/nearest.ts";
import { quoted } from "../../../diagnostics/quoted.ts";
import { evaluate } from "../../../eval/evaluate.ts";
import type { Scope } from "../../../eval/scope.ts";
import type { Expression } from "../../../hcl/tree.ts";
import { type AttributeSchema, type BlockSchema, hideValues, showValues } from "../../../schema/schema.ts";
import { convert, isConversionError } from "../../../values/convert.ts";
import { containsMark, unmark, unmarkDeep } from "../../../values/marks.ts";
import { at } from "../../../values/path.ts";
import { toPlain } from "../../../values/plain.ts";
import { friendlyName } from "../../../values/type-text.ts";
import { isNull, isUnknown, type Value } from "../../../values/value.ts";
import { isElements, isEntries, isWhollyFinite, isWhollyKnown } from "../../../values/walk.ts";
import { type HostRanges, hostRanges } from "./host-ranges.ts";

export interface HostsToCheck {
  /** As written. */
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
    const host = unmark(given);
    const location = this.#place(name);
    if (!isHostName(name)) this.problems.push(badHostName(name, { range: this.#places.name(name) }));
    if (isUnknown(host)) return;
    if (isEntries(host.data)) this.#readObject(name, host.data);
    else if (typeof host.data === "string") this.#readAddress(name, given);
    else {
      this.problems.push(notAHost(isNull(host) ? "null" : friendlyName(host.type), location));
      this.#useless(name, "address");
    }
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

  #readObject(name: string, settings: ReadonlyMap<string, Value>): void {
    let misspelt = false;
    for (const [setting, value] of settings) {
      const range = this.#places.settingName(name, setting);
      if (setting === "name") {
        if (value.data !== name) this.problems.push(nameAsSetting({ ...this.#place(name, setting), range }));
      } else if (setting === "address") this.#readAddress(name, value);
      else if (Object.hasOwn(this.#ssh.attributes, setting) && hostSettings.includes(setting)) {
        this.#readSetting(name, setting, this.#ssh.attributes[setting]!, value);
      } else if (this.#ssh.blocks[setting]?.repeated) {
        this.#readBlocks(name, setting, this.#ssh.blocks[setting], value);
      } else if (
        !checkSshSetting(setting, range, hostSettings, "a host", (problem) =>
          this.problems.push({ ...problem, ...this.#place(name, setting), range }),
        )
      ) {
        misspelt ||= nearest(setting, hostSettings) === "address";
      }
    }
    if (settings.has("address")) return;
    this.#useless(name, "address");
    if (!misspelt) this.problems.push(noAddress(this.#place(name)));
  }

  /** A list of objects with the settings of a block that may be repeated. */
  #readBlocks(name: string, setting: string, { attributes }: BlockSchema, given: Value): void {
    const { data } = unmark(given);
    if (!isElements(data)) return;
    for (const [index, element] of data.entries()) {
      for (const [inner, value] of entriesOf(element) ?? []) {
        const schema = Object.hasOwn(attributes, inner) ? attributes[inner] : undefined;
        if (schema !== undefined)
          this.#readSetting(name, setting, schema, value, `${setting}[${index}].${inner}`);
        else {
          this.problems.push(
            errorDiagnostic(
              `Unknown setting ${quoted(inner)}`,
              `There is no setting of that name in a ${setting}. ${suggestion(inner, Object.keys(attributes))}`,
              this.#place(name, setting),
            ),
          );
        }
      }
    }
  }

  #readAddress(name: string, given: Value): void {
    const { data, type } = unmark(given);
    const location = this.#place(name, "address");
    if (data === null) this.problems.push(noAddress(location));
    else if (typeof data === "string" && data.trim() === "") this.problems.push(emptyAddress(location));
    else if (typeof data === "string" || isUnknown(given)) {
      this.#readSetting(name, "address", this.#ssh.attributes.address!, given);
      return;
    } else this.problems.push(notAnAddress(friendlyName(type), location));
    this.#useless(name, "address");
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
