/**
 * @module `conn3x.json` in a configuration directory: settings of Conn3x itself, which both the command and a provider that an
 * engine started can read. (An engine starts its providers in that directory and hands them nothing of the configuration
 * before it asks for their schema.)
 */
import { type Diagnostic, errorDiagnostic } from "../diagnostics/diagnostic.ts";
import { didYouMean } from "../diagnostics/nearest.ts";
import { quoted } from "../diagnostics/quoted.ts";

export const settingsFile = "conn3x.json";

export interface Settings {
  /** Modules that export `kinds`: paths that start with `./` or `../`, or names of packages. */
  readonly plugins: readonly string[];
}

/** @returns a diagnostic when the text is no settings */
export function readSettings(text: string): Settings | Diagnostic {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    return invalid("It is not JSON.");
  }
  if (!isObject(json)) return invalid('It has to be an object, like { "plugins": ["./kinds/motd.js"] }.');
  const unknown = Object.keys(json).find((name) => name !== "plugins");
  if (unknown !== undefined)
    return invalid(`There is no setting ${quoted(unknown)}.${didYouMean(unknown, ["plugins"])}`);
  const { plugins = [] } = json;
  if (!Array.isArray(plugins) || !plugins.every((name) => typeof name === "string" && name !== ""))
    return invalid('"plugins" has to be a list of paths, like "./kinds/motd.js", and names of packages.');
  return { plugins };
}

const isObject = (json: unknown): json is Record<string, unknown> =>
  typeof json === "object" && json !== null && !Array.isArray(json);

const invalid = (detail: string): Diagnostic => errorDiagnostic(`Invalid ${settingsFile}`, detail);
