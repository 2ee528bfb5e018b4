/**
 * @module Configurations with the location of an expected diagnostic marked in their text: `«` where it starts, `»` where
 * it ends.
 */
import type { Diagnostic } from "../../diagnostics/diagnostic.ts";
import { SourceFile } from "../../diagnostics/source.ts";
import type { Configuration } from "../model.ts";
import { compileFiles } from "./compile-files.ts";
import { testKinds } from "./kinds.ts";

export const compileText = (text: string): Configuration =>
  compileFiles([new SourceFile("main.circuit.hcl", text)], { directory: ".", kinds: testKinds });

/** A circuit named `web` with one host and the given content. */
export const inCircuit = (content: string): string =>
  `circuit "web" {\n  hosts = { web1 = "10.0.0.1" }\n${content}\n}\n`;

/** A valid step. */
export const goodStep = (name: string, more = ""): string =>
  `step "${name}" {\n    file {\n      path = "/srv/${name}"\n    }\n${more}\n  }`;

export interface Marked {
  readonly text: string;
  /** The text between the marks, and its position. */
  readonly expected: { readonly start: number; readonly end: number };
}

export function readMarks(marked: string): Marked {
  const start = marked.indexOf("«");
  const end = marked.indexOf("»") - 1;
  return { text: marked.replace(/[«»]/g, ""), expected: { start, end } };
}

/** The diagnostics of a marked text, and the location where one is expected. */
export function diagnose(
  marked: string,
): Pick<Marked, "expected"> & { readonly diagnostics: readonly Diagnostic[] } {
  const { text, expected } = readMarks(marked);
  return { diagnostics: compileText(text).diagnostics, expected };
}
