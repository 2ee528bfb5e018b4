/**
 * @module Plug-ins: modules with kinds of their own, named in `conn3x.json`.
 *
 * They are code that runs with the rights of whoever calls the command, also for `validate`. A checkout of somebody else's must
 * not bring any along unseen, so the environment has to allow them.
 */
import { createRequire } from "node:module";
import { resolve } from "node:path";
import { type Diagnostic, errorDiagnostic } from "../diagnostics/diagnostic.ts";
import { quoted } from "../diagnostics/quoted.ts";
import { systemErrorSentence } from "../diagnostics/system-error.ts";
import { readRegularSync } from "../files/read-regular.ts";
import { addKind, kinds } from "../resources/index.ts";
import { kindsOf } from "./plugin-kinds.ts";
import { readSettings, settingsFile } from "./settings-file.ts";

/** Name of the variable that has to be `allow`. */
const allowVariable = "CONN3X_PLUGINS";

/** The diagnostics of loading, by directory. */
const loaded = new Map<string, readonly Diagnostic[]>();

/**
 * Adds the kinds of the plug-ins that the directory's `conn3x.json` names, once, before anything asks for kinds.
 *
 * @param refused why no code may be run at all, whatever the environment says
 * @returns what went wrong; without such a file nothing does
 */
export function loadPlugins(
  directory: string,
  environment: Readonly<Record<string, string | undefined>>,
  refused?: string,
): readonly Diagnostic[] {
  const path = resolve(directory);
  const before = loaded.get(path);
  if (before !== undefined) return before;
  const problems = addPlugins(path, environment, refused);
  loaded.set(path, problems);
  return problems;
}

function addPlugins(
  directory: string,
  environment: Readonly<Record<string, string | undefined>>,
  refused?: string,
): readonly Diagnostic[] {
  const text = textOf(resolve(directory, settingsFile));
  if (text === undefined) return [];
  const settings = typeof text === "string" ? readSettings(text) : text;
  if (!("plugins" in settings)) return [settings];
  const { plugins } = settings;
  if (plugins.length === 0) return [];
  if (refused !== undefined || environment[allowVariable] !== "allow") return [notAllowed(plugins, refused)];
  const load = createRequire(resolve(directory, settingsFile));
  return plugins.flatMap((name) => loadPlugin(name, load));
}

function textOf(path: string): string | Diagnostic | undefined {
  try {
    return readRegularSync(path).toString("utf8");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    return errorDiagnostic(`${settingsFile} cannot be read`, `${path}: ${systemErrorSentence(error)}`);
  }
}

function loadPlugin(name: string, load: NodeJS.Require): readonly Diagnostic[] {
  let exported: unknown;
  try {
    exported = load(name);
  } catch (error) {
    return [cannotBeLoaded(name, error)];
  }
  const own = kindsOf(exported, new Set(kinds.keys()));
  if (typeof own === "string")
    return [errorDiagnostic("Plug-in has no usable kinds", `The plug-in ${quoted(name)} ${own}.`)];
  for (const kind of own) addKind(kind);
  return [];
}

const notAllowed = (plugins: readonly string[], refused: string | undefined): Diagnostic =>
  errorDiagnostic(
    "Plug-ins are not allowed",
    `${settingsFile} names ${plugins.map(quoted).join(", ")}: code that would run here with your rights. ${refused === undefined ? `If you trust it, set the environment variable ${allowVariable}=allow.` : `It does not: ${refused}.`}`,
  );

/** Of an error in the plug-in's own code only its kind is shown: its message may quote anything. */
function cannotBeLoaded(name: string, error: unknown): Diagnostic {
  const { code } = error as Partial<NodeJS.ErrnoException>;
  const missing = code === "MODULE_NOT_FOUND" || code === "ERR_MODULE_NOT_FOUND";
  const why = missing
    ? "It, or something that it imports, was not found. Paths start with ./ and are relative to conn3x.json; packages have to be installed there."
    : `Loading it ended with ${error instanceof Error ? `a ${error.name}` : "an error"}. To see all of it: node -e 'require(${JSON.stringify(name)})'`;
  return errorDiagnostic("Plug-in cannot be loaded", `The plug-in ${quoted(name)}: ${why}`);
}
