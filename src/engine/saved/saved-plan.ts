/**
 * @module A plan in a file: what the provider answered while it was made, what was asked for, and which state and
 * configuration it belongs to. Applying it decides anew from these answers, so that exactly what was shown is done, and
 * refuses when anything that it rests on has changed.
 *
 * The file is gzip-compressed JSON. It holds values in clear, sensitive ones too, and is readable by its owner only.
 */
import { createHash } from "node:crypto";
import { promisify } from "node:util";
import { gunzip, gzip } from "node:zlib";
import type { Configuration } from "../../compiler/index.ts";
import { type Diagnostic, errorDiagnostic } from "../../diagnostics/diagnostic.ts";
import { systemErrorSentence, systemErrorText } from "../../diagnostics/system-error.ts";
import { readRegular } from "../../files/read-regular.ts";
import { replaceFile } from "../../files/replace-file.ts";
import type { SelectionNames } from "../decide/selection.ts";
import type { Plan } from "../plan.ts";
import type { StateIdentity } from "../state/store.ts";
import type { InputsOfPlan } from "./ephemeral-inputs.ts";
import type { RecordedAnswer } from "./recording.ts";
import { stale } from "./stale.ts";

const version = 3;

/** What was asked for. */
export interface PlannedOptions extends SelectionNames, InputsOfPlan {
  readonly mode: Plan["mode"];
  readonly refresh: boolean;
  readonly replace: readonly string[];
}

export interface SavedPlan {
  /** The state that the plan was made from. */
  readonly state: StateIdentity;
  readonly configuration: string;
  readonly options: PlannedOptions;
  /** When it was made: `plantimestamp()` says so again. */
  readonly planTime: Date;
  readonly answers: readonly RecordedAnswer[];
}

/** SHA-256 over all files of a configuration, those of its modules included. */
export function configurationDigest(configuration: Configuration): string {
  const hash = createHash("sha256");
  const add = ({ files, modules }: Configuration): void => {
    for (const { name, text } of files) hash.update(JSON.stringify([name, text]));
    for (const module of modules.values()) if (module.configuration !== undefined) add(module.configuration);
  };
  add(configuration);
  return hash.digest("hex");
}

/** @returns what went wrong; nothing when it is written */
export async function writeSavedPlan(path: string, plan: SavedPlan): Promise<readonly Diagnostic[]> {
  const variables = plan.options.variables.map(({ range: _, ...variable }) => variable);
  const options = { ...plan.options, variables };
  const body = { ...plan, options, planTime: plan.planTime.toISOString() };
  const text = JSON.stringify({ conn3x_plan: version, sha256: digestOf(body), ...body });
  try {
    await replaceFile(path, await promisify(gzip)(text), { mode: 0o600 });
    return [];
  } catch (error) {
    return [errorDiagnostic("Plan cannot be saved", `${path}: ${systemErrorSentence(error)}`)];
  }
}

export type ReadSavedPlan =
  | { readonly plan: SavedPlan; readonly problem?: undefined }
  | { readonly plan?: undefined; readonly problem: Diagnostic };

export async function readSavedPlan(path: string): Promise<ReadSavedPlan> {
  let bytes: Buffer;
  try {
    bytes = await readRegular(path);
  } catch (error) {
    return {
      problem: errorDiagnostic(
        "Plan cannot be read",
        `${path}: ${systemErrorText(error)}. conn3x plan -out=FILE saves one.`,
      ),
    };
  }
  const json = await unpacked(bytes);
  if (json === "too large") {
    const why = `It unpacks to more than ${longestPlan / 2 ** 20} MiB, which no plan does.`;
    return { problem: noPlan(path, why) };
  }
  if (bytes.subarray(0, 2).toString("latin1") === "PK")
    return {
      problem: noPlan(path, "OpenTofu or Terraform made it: give -engine=tofu or -engine=terraform."),
    };
  if (json?.conn3x_plan === undefined)
    return { problem: noPlan(path, "It is not one that conn3x plan -out wrote.") };
  if (json.conn3x_plan !== version)
    return { problem: noPlan(path, "Another version of Conn3x wrote it. Plan again.") };
  const { conn3x_plan: _, sha256, ...body } = json;
  if (sha256 !== digestOf(body))
    return { problem: noPlan(path, "It was damaged, or edited by hand, after it was written. Plan again.") };
  return { plan: { ...body, planTime: new Date(body.planTime) } };
}

/** What is applied is what was shown: a file that was changed is found out. */
const digestOf = (body: object): string => createHash("sha256").update(JSON.stringify(body)).digest("hex");

/** The saved plan as it is in the file. */
type PlanFile = SavedPlan & { readonly conn3x_plan?: number; readonly sha256?: string };

/** Far above what thousands of hosts make: a small file can unpack to gigabytes. Bytes. */
const longestPlan = 256 * 2 ** 20;

async function unpacked(bytes: Buffer): Promise<PlanFile | "too large" | undefined> {
  try {
    return JSON.parse((await promisify(gunzip)(bytes, { maxOutputLength: longestPlan })).toString("utf8"));
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "ERR_BUFFER_TOO_LARGE" ? "too large" : undefined;
  }
}

const noPlan = (path: string, why: string): Diagnostic => errorDiagnostic(`${path} is no plan to apply`, why);

/** Why a saved plan must not be applied; nothing when everything is as it was. */
export function staleness(
  plan: SavedPlan,
  state: StateIdentity,
  configuration: Configuration,
): readonly Diagnostic[] {
  if (configurationDigest(configuration) !== plan.configuration)
    return [stale("The configuration has been changed since it was made.")];
  const { lineage, serial, hash } = plan.state;
  if (lineage === state.lineage && serial === state.serial && hash === state.hash) return [];
  return [
    stale(
      lineage === state.lineage
        ? `It was made on serial ${serial} of the state, and the state is at serial ${state.serial} now: something was applied in between.`
        : "It was made on another state.",
    ),
  ];
}
