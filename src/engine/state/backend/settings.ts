/**
 * @module Settings of a backend: from its block, from `-backend-config` and from the environment, in this order of rising
 * weight: environment, block, `-backend-config`. As OpenTofu has it.
 */

import type { Backend } from "../../../compiler/index.ts";
import { errorDiagnostic } from "../../../diagnostics/diagnostic.ts";
import { didYouMean } from "../../../diagnostics/nearest.ts";
import { quoted } from "../../../diagnostics/quoted.ts";
import type { Report } from "../../../diagnostics/report.ts";
import { evaluate } from "../../../eval/evaluate.ts";
import { type Scope, scopeOf } from "../../../eval/scope.ts";
import type { Body } from "../../../hcl/tree.ts";
import { convert, isConversionError } from "../../../values/convert.ts";
import { unmarkDeep } from "../../../values/marks.ts";
import { type Plain, toPlain } from "../../../values/plain.ts";
import type { Type } from "../../../values/type.ts";
import { isNull, stringValue, type Value } from "../../../values/value.ts";
import { isWhollyKnown } from "../../../values/walk.ts";

export interface SettingSpec {
  readonly type: Type;
  /** Environment variable that stands for it where nothing else does. */
  readonly variable?: string;
}

/** By name. */
export type BackendSpec = Readonly<Record<string, SettingSpec>>;

/** By name; what is not set is absent. */
export type Settings = Readonly<Record<string, Plain>>;

/** A text; undefined where none is set, or an empty one. */
export const textOf = (settings: Settings, name: string): string | undefined =>
  (settings[name] as string | undefined) || undefined;

/** The settings in the block. */
export function blockSettings({ type, body }: Backend, spec: BackendSpec, report: Report): Settings {
  return bodySettings(body, { type, spec, scope: scopeOf({}) }, report);
}

interface Reading {
  readonly type: string;
  readonly spec: BackendSpec;
  /** A scope without names: settings are needed before anything can be evaluated. */
  readonly scope: Scope;
}

export function bodySettings(body: Body, { type, spec, scope }: Reading, report: Report): Settings {
  const settings: Record<string, Plain> = {};
  for (const item of body.items) {
    const name = item.kind === "block" ? item.type : item.name;
    const range = item.kind === "block" ? item.header : item.nameRange;
    const known = ownSpec(spec, name);
    if (known === undefined || item.kind === "block") {
      report(
        errorDiagnostic(`${quoted(name)} is no setting of this backend`, noSuch(type, name, spec), { range }),
      );
      continue;
    }
    const { value, diagnostics } = evaluate(item.expression, scope);
    if (diagnostics.length > 0 || !isWhollyKnown(value)) {
      const detail =
        "What a backend is told must be written out: the state is looked for before anything else is known. What differs from place to place can be given to init with -backend-config=NAME=VALUE, or in the environment.";
      report(errorDiagnostic(`${quoted(name)} cannot be known`, detail, { range: item.expression }));
      continue;
    }
    const plain = plainOf(value, known, (detail) =>
      report(
        errorDiagnostic(`${quoted(name)} has a value of the wrong type`, detail, { range: item.expression }),
      ),
    );
    if (plain !== undefined && plain !== null) settings[name] = plain;
  }
  return settings;
}

/** @param texts by name, as given in words: `address=http://…` */
export function textSettings(
  texts: Iterable<readonly [name: string, text: string]>,
  { type, spec }: Omit<Reading, "scope">,
  report: Report,
): Settings {
  const settings: Record<string, Plain> = {};
  for (const [name, text] of texts) {
    const known = ownSpec(spec, name);
    const wrong = (detail: string): void => report(errorDiagnostic("-backend-config cannot be used", detail));
    if (known === undefined) wrong(noSuch(type, name, spec));
    else {
      const plain = plainOf(stringValue(text), known, (detail) => wrong(`${quoted(name)}: ${detail}`));
      if (plain !== undefined) settings[name] = plain;
    }
  }
  return settings;
}

/** Fills in from the environment what is not set. */
export function withEnvironment(
  settings: Settings,
  spec: BackendSpec,
  environment: NodeJS.ProcessEnv,
  report: Report,
): Settings {
  const filled: Record<string, Plain> = { ...settings };
  for (const [name, { type, variable }] of Object.entries(spec)) {
    const text = variable === undefined ? undefined : environment[variable];
    if (name in settings || text === undefined || text === "") continue;
    const plain = plainOf(stringValue(text), { type }, (detail) =>
      report(errorDiagnostic(`${variable} cannot be used`, detail)),
    );
    if (plain !== undefined) filled[name] = plain;
  }
  return filled;
}

function plainOf(value: Value, { type }: SettingSpec, wrong: (detail: string) => void): Plain | undefined {
  const converted = convert(unmarkDeep(value).value, type);
  if (isConversionError(converted)) {
    wrong(`It must be ${typeWords[type.kind] ?? type.kind}.`);
    return undefined;
  }
  return isNull(converted.value) ? null : toPlain(converted.value);
}

const typeWords: Readonly<Partial<Record<Type["kind"], string>>> = {
  string: "a text",
  number: "a number",
  bool: "true or false",
  map: "a map of texts, in the block or in a file that -backend-config names",
};

const ownSpec = (spec: BackendSpec, name: string): SettingSpec | undefined =>
  Object.hasOwn(spec, name) ? spec[name] : undefined;

const noSuch = (type: string, name: string, spec: BackendSpec): string =>
  `The backend ${quoted(type)} has no setting ${quoted(name)}.${didYouMean(name, Object.keys(spec))}`;
