/**
 * @module `init` for the backend: checks that the state can be read there, copies it from the old backend when
 * that is asked for, and remembers.
 */

import { promises as fs } from "node:fs";
import type { Configuration } from "../../../compiler/index.ts";
import { type Diagnostic, errorDiagnostic, hasErrors } from "../../../diagnostics/diagnostic.ts";
import type { Report } from "../../../diagnostics/report.ts";
import { SourceFile } from "../../../diagnostics/source.ts";
import { systemErrorSentence, systemErrorText } from "../../../diagnostics/system-error.ts";
import { scopeOf } from "../../../eval/scope.ts";
import { readRegularSync } from "../../../files/read-regular.ts";
import { parseFile } from "../../../hcl/parse/parse.ts";
import { defaultStatePath } from "../default-path.ts";
import { pushState } from "../edit.ts";
import { fileBackend } from "../file-backend.ts";
import { peekState } from "../peek.ts";
import type { StateFile } from "../state.ts";
import type { StateBackend } from "../state-backend.ts";
import { stateText } from "../write-state.ts";
import { remoteBackends } from "./backends.ts";
import {
  backendFor,
  changeSince,
  sameSettings,
  type WrittenBackend,
  writtenBackend,
} from "./configured-backend.ts";
import { type BackendRecord, readRecord, writeRecord } from "./record.ts";
import { type BackendSpec, bodySettings, type Settings, textSettings } from "./settings.ts";

export interface InitBackendOptions {
  readonly configuration: Pick<Configuration, "backend" | "incomplete">;
  readonly environment: NodeJS.ProcessEnv;
  /** Values of `-backend-config`: `NAME=VALUE`, or the path of a file with settings. */
  readonly given: readonly string[];
  /** What to do with a state that is elsewhere; `refuse`: it is an error until that is decided. */
  readonly elsewhere: "refuse" | "migrate" | "leave";
  /** Milliseconds. */
  readonly lockTimeout: number;
}

export interface InitialisedBackend {
  /** Absent: it was not initialised. */
  readonly type?: string;
  /** The backend of the state now. */
  readonly name?: string;
  /** How many instances were copied there. Absent: nothing was. */
  readonly copied?: number;
  readonly diagnostics: readonly Diagnostic[];
}

export async function initBackend(options: InitBackendOptions): Promise<InitialisedBackend> {
  const { configuration, environment, elsewhere } = options;
  const problems: Diagnostic[] = [];
  const report: Report = (diagnostic) => problems.push(diagnostic);
  const read = elsewhere === "leave" ? { record: undefined } : await readRecord();
  if (read.problem !== undefined) return { diagnostics: [read.problem] };
  const { record } = read;
  const written = writtenBackend(configuration.backend, report);
  const given = await givenSettings(options.given, written, record, report);
  if (problems.length > 0) return { diagnostics: problems };
  const usable = backendFor(written, given, environment, report);
  if (usable === undefined) return { diagnostics: problems };
  const change =
    changeSince(record, written) ?? (sameSettings(record?.given ?? {}, given) ? undefined : "other");
  const before =
    change === undefined || elsewhere === "leave"
      ? undefined
      : record === undefined
        ? fileBackend(defaultStatePath)
        : backendFor(record, record.given, environment, report);
  if (problems.length > 0) return { diagnostics: problems };
  const moved = await moveState(before, usable, options);
  if (hasErrors(moved.diagnostics)) return moved;
  const remembered = remoteBackends.has(written.type) ? { ...written, given } : undefined;
  const cautions = usable.caution === undefined ? [] : [usable.caution];
  const diagnostics = [...moved.diagnostics, ...cautions, ...(await writeRecord(remembered))];
  return { ...moved, type: written.type, name: usable.name, diagnostics };
}

/** Without `-backend-config` what was said before holds, for the same backend. */
async function givenSettings(
  given: readonly string[],
  { type }: WrittenBackend,
  record: BackendRecord | undefined,
  report: Report,
): Promise<Settings> {
  if (given.length === 0) return record?.type === type ? record.given : {};
  const spec = remoteBackends.get(type)?.spec;
  if (spec === undefined) {
    report(
      errorDiagnostic(
        "-backend-config has no effect",
        `The configuration has no backend that takes settings: terraform { backend "http" {} } would be such a block (there are ${[...remoteBackends.keys()].join(" and ")}).`,
      ),
    );
    return {};
  }
  let settings: Settings = {};
  for (const text of given) {
    const [, name, value] = /^([A-Za-z_]\w*)=(.*)$/s.exec(text) ?? [];
    settings =
      name === undefined
        ? { ...settings, ...(await fileSettings(text, type, spec, report)) }
        : { ...settings, ...textSettings([[name, value ?? ""]], { type, spec }, report) };
  }
  return settings;
}

async function fileSettings(
  path: string,
  type: string,
  spec: BackendSpec,
  report: Report,
): Promise<Settings> {
  try {
    const { body, diagnostics } = parseFile(
      new SourceFile(path, readRegularSync(path, { pipes: true }).toString("utf8"), 0, "values"),
    );
    diagnostics.forEach(report);
    return diagnostics.length > 0 ? {} : bodySettings(body, { type, spec, scope: scopeOf({}) }, report);
  } catch (error) {
    const detail = `${path}: ${systemErrorText(error)}. Give NAME=VALUE, or a file with NAME = "VALUE" lines.`;
    report(errorDiagnostic("-backend-config cannot be used", detail));
    return {};
  }
}

/** @param before where the state was, unless that does not matter */
async function moveState(
  before: StateBackend | undefined,
  usable: StateBackend,
  { elsewhere, lockTimeout }: InitBackendOptions,
): Promise<InitialisedBackend> {
  const there = await peekState(usable);
  if (there.problem !== undefined) return { diagnostics: [there.problem] };
  if (before === undefined || before.name === usable.name) return { diagnostics: [] };
  const here = await peekState(before);
  if (here.problem !== undefined) return { diagnostics: [here.problem] };
  if (isEmpty(here.file) || isIn(here.file, there.file)) return { diagnostics: [] };
  if (elsewhere === "refuse") return { diagnostics: [undecided(before, here.file, usable)] };
  if (there.file.lineage !== "" && there.file.lineage !== here.file.lineage && !isEmpty(there.file))
    return { diagnostics: [bothHold(before, usable)] };
  const force = isEmpty(there.file);
  const pushed = await pushState(
    { path: usable, operation: "init", lockTimeout },
    stateText(here.file),
    force,
  );
  if (hasErrors(pushed)) return { diagnostics: pushed };
  return { copied: countOf(here.file), diagnostics: [...pushed, ...(await putAside(before))] };
}

const isEmpty = ({ resources, outputs, foreign }: StateFile): boolean =>
  resources.size + outputs.size + foreign.length === 0;

/** Whether it has been copied there before. */
const isIn = (state: StateFile, there: StateFile): boolean =>
  state.lineage === there.lineage && state.serial <= there.serial;

/** Backs up and removes the old state file: otherwise it could be taken for the current state. */
async function putAside(before: StateBackend): Promise<readonly Diagnostic[]> {
  if (before.isRemote) return [];
  try {
    await before.backUp();
    await fs.rm(before.name);
    return [];
  } catch (error) {
    return [
      errorDiagnostic("The copied state is still there", `${before.name}: ${systemErrorSentence(error)}`),
    ];
  }
}

const countOf = ({ resources, foreign }: StateFile): number =>
  [...resources.values()].reduce((sum, { instances }) => sum + instances.size, foreign.length);

const undecided = (before: StateBackend, state: StateFile, usable: StateBackend): Diagnostic =>
  errorDiagnostic(
    "There is a state elsewhere",
    `${before.name} holds a state with ${countOf(state)} instances, and the configuration has its state at ${usable.name} now. conn3x init -migrate-state copies it there; conn3x init -reconfigure goes on with what is there.`,
  );

const bothHold = (before: StateBackend, usable: StateBackend): Diagnostic =>
  errorDiagnostic(
    "Both places hold a state",
    `${before.name} and ${usable.name} hold different states. Nothing was copied. conn3x init -reconfigure goes on with the one at ${usable.name}; conn3x state push -force FILE replaces it.`,
  );
