/**
 * @module Finds the program of an engine, and checks that it can be used.
 */

import { type Diagnostic, errorDiagnostic } from "../../diagnostics/diagnostic.ts";
import { systemErrorSentence } from "../../diagnostics/system-error.ts";
import { askProgram, isNowhere } from "../../programs/start.ts";
import { questionEnvironment } from "./engine-environment.ts";

export interface EngineProgram {
  /** Name or path, as it is started. */
  readonly path: string;
  /** How it is called in messages. */
  readonly product: Product;
  /** `1.12.6` */
  readonly version: string;
}

export type Product = "OpenTofu" | "Terraform";

/** The oldest releases that the tests run with: major and minor number. */
const oldest: Readonly<Record<Product, readonly [number, number]>> = {
  OpenTofu: [1, 12],
  Terraform: [1, 11],
};

/** The engine in this process. */
const embedded = "embedded";

/**
 * What `-engine` or else `CONN3X_ENGINE` asks for: a name or path of a program; undefined for the embedded engine.
 *
 * @param option value of `-engine`
 */
export function chosenEngine(option: string | undefined, environment: NodeJS.ProcessEnv): string | undefined {
  const chosen = option ?? environment.CONN3X_ENGINE ?? "";
  return chosen === "" || chosen === embedded ? undefined : chosen;
}

/** Finds the program and asks it who it is. */
export function findProgram(
  engine: string,
): { readonly program: EngineProgram } | { readonly problem: Diagnostic } {
  // Terraform would ask its maker for news and wait for the answer; attached providers have no part in this.
  const env = { ...questionEnvironment(), TF_REATTACH_PROVIDERS: undefined, CHECKPOINT_DISABLE: "1" };
  const ask = () => askProgram(engine, ["version"], { env, encoding: "utf8", timeout: longestAnswer });
  const first = ask();
  // On a terminal ^C goes to it, too. What it means for this command is for the command to say.
  const { error, status, stdout, stderr } = first.signal === "SIGINT" ? ask() : first;
  if (error !== undefined) return { problem: cannotStart(engine, error) };
  const found = /^(?<product>OpenTofu|Terraform) v(?<version>(?<major>\d+)\.(?<minor>\d+)\S*)/m.exec(stdout);
  if (status !== 0 || found?.groups === undefined)
    return { problem: unknownProgram(engine, stdout + stderr) };
  const product = found.groups.product as Product;
  const version = found.groups.version!;
  const [major, minor] = oldest[product];
  const [itsMajor, itsMinor] = [Number(found.groups.major), Number(found.groups.minor)];
  if (itsMajor < major || (itsMajor === major && itsMinor < minor)) {
    return { problem: tooOld(engine, product, version) };
  }
  return { program: { path: engine, product, version } };
}

/** Milliseconds that a program gets to print its version. */
const longestAnswer = 30_000;

function cannotStart(engine: string, error: NodeJS.ErrnoException): Diagnostic {
  const missing = isNowhere(engine, error);
  const where = engine.includes("/") ? "" : " on the PATH";
  const why = missing ? `There is no program ${engine}${where}.` : `${engine}: ${systemErrorSentence(error)}`;
  return errorDiagnostic(
    `Engine ${missing ? "not found" : "cannot be started"}`,
    `${why} Install OpenTofu or Terraform, name its path with -engine=PATH, or leave -engine out for the engine that Conn3x has built in.`,
  );
}

const unknownProgram = (engine: string, output: string): Diagnostic =>
  errorDiagnostic(
    "Unknown engine",
    `${engine} is neither OpenTofu nor Terraform: asked for its version, it said ${JSON.stringify(output.trim().slice(0, 200))}.`,
  );

const tooOld = (engine: string, product: Product, version: string): Diagnostic =>
  errorDiagnostic(
    `${product} is too old`,
    `${engine} is version ${version}. Conn3x is tested with ${product} ${oldest[product].join(".")} and newer ones: install one of these.`,
  );
