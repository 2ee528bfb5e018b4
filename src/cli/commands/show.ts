/**
 * @module `conn3x show`
 */
import { existsSync, readFileSync } from "node:fs";
import { providerSchema } from "../../core/create-provider.ts";
import { type Diagnostic, errorDiagnostic, warningDiagnostic } from "../../diagnostics/diagnostic.ts";
import { readState } from "../../engine/state/read-state.ts";
import { readSensitivePaths } from "../../engine/state/sensitive-paths.ts";
import { instanceAddress, type StateFile } from "../../engine/state/state.ts";
import { journalPath } from "../../engine/state/store.ts";
import { outputValues } from "../../engine/state/stored-object.ts";
import { type BlockSchema, schemaType } from "../../schema/schema.ts";
import { isConversionError } from "../../values/convert.ts";
import { fromJson, parseJson } from "../../values/json.ts";
import { type MarkedPath, markPaths } from "../../values/marks.ts";
import type { Path } from "../../values/path.ts";
import type { Context, ExitCode } from "../command.ts";
import { renderState, type ShownInstance } from "../render/state.ts";

export async function runShow({ terminal, options }: Context): Promise<ExitCode> {
  const path = options.value("state") ?? "terraform.tfstate";
  const read = readFile(path);
  if (read.problem !== undefined) {
    terminal.report([read.problem]);
    return 1;
  }
  const { instances, problems } = instancesOf(read.state);
  terminal.report(existsSync(journalPath(path)) ? [...problems, interrupted(path)] : problems);
  terminal.out(renderState(instances, outputValues(read.state.outputs), terminal.colors));
  return problems.length === 0 ? 0 : 1;
}

/** A file that is not there is an empty state. */
function readFile(path: string): ReturnType<typeof readState> {
  try {
    return readState(existsSync(path) ? readFileSync(path, "utf8") : "", path);
  } catch (error) {
    return { problem: errorDiagnostic("State cannot be read", `${(error as Error).message}.`) };
  }
}

function instancesOf({ resources }: StateFile) {
  const instances: ShownInstance[] = [];
  const problems: Diagnostic[] = [];
  for (const [resource, { type, name, instances: stored }] of resources) {
    const schema = providerSchema.resources.get(type);
    for (const [key, { tainted, attributes, sensitivePaths }] of stored) {
      const address = instanceAddress(resource, key);
      const read = schema === undefined ? undefined : fromJson(parseJson(attributes), schemaType(schema));
      if (schema === undefined || read === undefined || isConversionError(read)) {
        problems.push(notOurs(address));
        continue;
      }
      const marks = [...readSensitivePaths(sensitivePaths), ...sensitiveSettings(schema, [])];
      instances.push({ address, type, name, tainted, object: markPaths(read.value, marks) });
    }
  }
  return { instances, problems };
}

/** Places that the schema says are sensitive, whatever the state says. */
function sensitiveSettings(schema: BlockSchema, at: Path): MarkedPath[] {
  const own = Object.entries(schema.attributes).flatMap(([name, { sensitive }]): MarkedPath[] =>
    sensitive ? [{ path: [...at, { attribute: name }], marks: new Set(["sensitive"]) }] : [],
  );
  const inner = Object.entries(schema.blocks).flatMap(([name, block]) =>
    sensitiveSettings(block, [...at, { attribute: name }]),
  );
  return [...own, ...inner];
}

const notOurs = (address: string): Diagnostic =>
  errorDiagnostic(
    `${address} cannot be shown`,
    "The state holds it in a form that this version of Conn3x does not know. It was written by another version.",
    { address },
  );

const interrupted = (path: string): Diagnostic =>
  warningDiagnostic(
    "A run was interrupted",
    `What it did last is in ${journalPath(path)} and not shown here. The next plan or apply takes it in.`,
  );
