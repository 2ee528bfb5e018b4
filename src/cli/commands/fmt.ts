/**
 * @module `conn3x fmt`
 */

import { readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createTwoFilesPatch } from "diff";
import { readHeader } from "../../compiler/index.ts";
import { type Diagnostic, errorDiagnostic, hasErrors } from "../../diagnostics/diagnostic.ts";
import { SourceFile } from "../../diagnostics/source.ts";
import { systemErrorSentence, systemErrorText } from "../../diagnostics/system-error.ts";
import { readRegularSync } from "../../files/read-regular.ts";
import { formatText } from "../../hcl/format/format.ts";
import { parseFile } from "../../hcl/parse/parse.ts";
import type { Context, ExitCode } from "../command.ts";
import type { FlagSpec } from "../command-line/option.ts";

type FmtOption = FlagSpec<"check" | "diff" | "list" | "recursive" | "write">;

/** The files that `tofu fmt` formats, and circuits. */
const formatted = /\.(?:circuit\.hcl|tf|tofu|tfvars|tftest\.hcl|tofutest\.hcl)$/;

interface Work {
  readonly context: Context<FmtOption>;
  readonly problems: Diagnostic[];
  changed: boolean;
}

export async function runFmt(context: Context<FmtOption>): Promise<ExitCode> {
  const { terminal, options, args } = context;
  const work: Work = { context, problems: [], changed: false };
  for (const path of args.length === 0 ? ["."] : args) {
    if (path === "-") formatInput(work);
    else for (const file of filesOf(path, options.flag("recursive"), work.problems)) formatFile(file, work);
  }
  terminal.report(work.problems);
  if (hasErrors(work.problems)) return 1;
  return options.flag("check") && work.changed ? 3 : 0;
}

function filesOf(path: string, recursive: boolean, problems: Diagnostic[]): readonly string[] {
  try {
    if (!statSync(path).isDirectory()) return [path];
    return readdirSync(path, { withFileTypes: true })
      .sort((a, b) => (a.name < b.name ? -1 : 1))
      .flatMap((entry) => {
        const inner = path === "." ? entry.name : join(path, entry.name);
        if (entry.isDirectory()) {
          return recursive && !entry.name.startsWith(".") && entry.name !== "node_modules"
            ? filesOf(inner, true, problems)
            : [];
        }
        return formatted.test(entry.name) && !entry.name.startsWith(".") ? [inner] : [];
      });
  } catch (error) {
    problems.push(errorDiagnostic("Nothing to format", `${path}: ${systemErrorSentence(error)}`));
    return [];
  }
}

function formatFile(path: string, work: Work): void {
  const { terminal, options } = work.context;
  const text = read(path, work);
  // What the compiler wrote is its own affair, and bears a checksum.
  if (text === undefined || readHeader(text) !== undefined) return;
  const canonical = canonicalText(path, text, work);
  if (canonical === undefined || canonical === text) return;
  work.changed = true;
  if (options.flag("list")) terminal.out(`${path}\n`);
  if (options.flag("diff")) terminal.out(diffText(path, text, canonical));
  if (options.flag("check") || !options.flag("write")) return;
  try {
    writeFileSync(path, canonical);
  } catch (error) {
    work.problems.push(errorDiagnostic("File cannot be written", `${path}: ${systemErrorSentence(error)}`));
  }
}

/** Standard input in its canonical form on standard output. */
function formatInput(work: Work): void {
  const { terminal, options } = work.context;
  const text = read(0, work);
  const canonical = text === undefined ? undefined : canonicalText("<stdin>", text, work);
  if (text === undefined || canonical === undefined) return;
  work.changed ||= canonical !== text;
  if (options.flag("diff") && canonical !== text) terminal.out(diffText("<stdin>", text, canonical));
  else if (!options.flag("check")) terminal.data(canonical);
}

function canonicalText(name: string, text: string, { problems }: Work): string | undefined {
  const { diagnostics } = parseFile(new SourceFile(name, text));
  if (!hasErrors(diagnostics)) return formatText(text);
  problems.push(...diagnostics);
  return undefined;
}

/** Refuses text that is not UTF-8, because writing it back would change it. Keeps a byte order mark. */
const strictUtf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

function read(path: string | 0, { problems }: Work): string | undefined {
  try {
    return strictUtf8.decode(path === 0 ? readFileSync(path) : readRegularSync(path));
  } catch (error) {
    const why = error instanceof TypeError ? "it is not text in UTF-8" : systemErrorText(error);
    problems.push(errorDiagnostic("File cannot be read", `${path === 0 ? "standard input" : path}: ${why}.`));
    return undefined;
  }
}

const diffText = (path: string, before: string, after: string): string =>
  createTwoFilesPatch(`old/${path}`, `new/${path}`, before, after, "", "").replace(/^=+\n/, "");
