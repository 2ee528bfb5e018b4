/**
 * No error shows a secret: one is planted in every place where a value can stand, and whatever is said of it is searched.
 */
import picocolors from "picocolors";
import { expect, test } from "vitest";
import { compileFiles } from "../../../src/compiler/testing/compile-files.ts";
import { createProvider } from "../../../src/core/create-provider.ts";
import { isSecretName } from "../../../src/diagnostics/concealed.ts";
import type { Diagnostic } from "../../../src/diagnostics/diagnostic.ts";
import { diagnosticJson } from "../../../src/diagnostics/json.ts";
import { renderDiagnostic } from "../../../src/diagnostics/render.ts";
import { SourceFile } from "../../../src/diagnostics/source.ts";
import { validateConfiguration } from "../../../src/engine/validate.ts";
import { kinds } from "../../../src/resources/index.ts";
import type { BlockSchema } from "../../../src/schema/schema.ts";
import { createSessionPool } from "../../../src/ssh/session-pool.ts";
import { places, secret, secretNumber } from "./places.ts";

const provider = createProvider({ sessions: createSessionPool() });

function problemsOf(text: string): readonly Diagnostic[] {
  const configuration = compileFiles([new SourceFile("main.circuit.hcl", text)], { directory: ".", kinds });
  const found = validateConfiguration({ configuration, provider, variables: [] });
  return [...configuration.diagnostics, ...found];
}

const colors = picocolors.createColors(false);
const shown = (problems: readonly Diagnostic[]): string =>
  problems
    .map((one) => renderDiagnostic(one, { colors, width: 200 }) + JSON.stringify(diagnosticJson(one)))
    .join("\n");

test("nothing that is wrong with a secret, or beside it, shows it", () => {
  const reported: string[] = [];
  let wrong = 0;
  for (const { name, text } of places()) {
    const problems = shown(problemsOf(text));
    if (problems !== "") wrong++;
    if (problems.includes(secret) || problems.includes(secretNumber)) reported.push(`${name}\n${problems}`);
  }
  expect(reported).toEqual([]);
  // The places are wrong ones.
  expect(wrong).toBeGreaterThan(2500);
}, 60_000);

test("what is not secret is shown", () => {
  const text =
    'circuit "web" {\n  hosts = { h = "a" }\n  step "a" {\n    file {\n      path = ["x-path"]\n    }\n  }\n}\n';
  expect(shown(problemsOf(text))).toContain('path = ["x-path"]');
  const login = 'circuit "web" {\n  hosts = { h = { address = "a", password = var.nope } }\n}\n';
  expect(shown(problemsOf(login))).toContain("password = var.nope");
});

/** Names of the settings that may be written and are sensitive, with those of blocks. */
function* sensitiveNames({ attributes, blocks }: BlockSchema): Generator<string> {
  for (const [name, { sensitive, required, optional }] of Object.entries(attributes))
    if (sensitive && (required || optional)) yield name;
  for (const block of Object.values(blocks)) yield* sensitiveNames(block);
}

test("excerpts know every sensitive setting by its name", () => {
  const schemas = [...[...kinds.values()].map(({ schema }) => schema), provider.schema.provider];
  const names = new Set(schemas.flatMap((schema) => [...sensitiveNames(schema)]));
  expect([...names]).toEqual(expect.arrayContaining(["password", "secret_content", "secret_environment"]));
  expect([...names].filter((name) => !isSecretName(name))).toEqual([]);
  // Files and users that are named beside them are no secrets.
  expect(["private_key_file", "become_user", "path", "content", "run"].filter(isSecretName)).toEqual([]);
});
