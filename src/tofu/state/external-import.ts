/**
 * @module Imports one object with the engine, without a plan, like the embedded engine's
 * `importInstance`.
 */
import { type Diagnostic, errorDiagnostic } from "../../diagnostics/diagnostic.ts";
import {
  checkConfigured,
  type ImportTarget,
  importTarget,
  Problems,
  type VariableInput,
} from "../../engine/index.ts";
import { resourceNameOf } from "../../values/address.ts";
import { knownConfiguration } from "../plan/known-configuration.ts";
import { isOurType } from "../plan/subjects.ts";
import { ownWords } from "../program/engine-commands.ts";
import { preparation } from "../program/prepare.ts";
import type { EngineProgram } from "../program/program.ts";
import { openSession, type SessionOptions } from "../program/session.ts";
import { createProviderLog, type ProviderLog } from "../provider/provider-log.ts";
import { type RunSettings, variableArguments } from "../run/plan-run.ts";
import { importSource } from "./import-logins.ts";

export interface ExternalImportOptions extends SessionOptions, Omit<RunSettings, "parallelism"> {
  /** Values of variables; lowest precedence first. */
  readonly inputs: readonly VariableInput[];
  /** The address to import to: `conn3x_file.web__config["web1"]`. */
  readonly address: string;
  readonly id: string;
}

/** @returns what went wrong, and warnings */
export async function importWithEngine(options: ExternalImportOptions): Promise<readonly Diagnostic[]> {
  const { configuration, inputs, address, id, statePath, lockTimeout } = options;
  const problems = new Problems();
  const target = importTarget(options, problems);
  if (target === undefined) return problems.all;
  const { loaded } = knownConfiguration(configuration, inputs);
  if (isOurs(target)) checkConfigured(target, loaded, problems);
  if (problems.failed) return problems.all;
  const heard = listening();
  const opened = await openSession(options, {
    prepare: preparation(options),
    reads: false,
    log: heard.log,
    imports: () => importSource([target], loaded),
  });
  if (opened.session === undefined) return opened.problems;
  const { session } = opened;
  try {
    const args = [
      "import",
      "-input=false",
      `-lock-timeout=${lockTimeout}ms`,
      ...variableArguments(options),
      ...(statePath === undefined ? [] : [`-state=${statePath}`]),
      address,
      id,
    ];
    const { status, stderr } = await session.engine.run(args);
    const said = heard.warnings;
    if (status !== 0) return [...said, ...ownWords(session, "import", { status, stderr })];
    return isOurs(target) && !heard.isAsked() ? [...said, nothingImported(session.engine.program)] : said;
  } finally {
    await session.close();
  }
}

const isOurs = ({ resource }: ImportTarget): boolean => isOurType(resourceNameOf(resource).type);

/** The engine reports errors in a form that can be parsed, and warnings for people only. */
function listening() {
  const log = createProviderLog();
  const warnings: Diagnostic[] = [];
  let asked = false;
  const watch: ProviderLog["watch"] = (provider) => {
    const watched = log.watch(provider);
    return {
      ...watched,
      async importResource(type, id, login) {
        asked = true;
        const answer = await watched.importResource(type, id, login);
        warnings.push(...answer.diagnostics.filter(({ severity }) => severity === "warning"));
        return answer;
      },
    };
  };
  return { log: { ...log, watch }, warnings, isAsked: () => asked };
}

const nothingImported = ({ product, path }: EngineProgram): Diagnostic =>
  errorDiagnostic(
    `${product} imported nothing`,
    `${path} import ended without an error, and without asking for what is to be imported.`,
  );
