/**
 * What is write-only is in nothing that a run prints, stores or logs, as text, hash or base64: not in what holds other
 * sensitive values on purpose either.
 */
import { createHash } from "node:crypto";
import { readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { bundleProgram, type Program } from "./program.ts";
import { openSite, type Site } from "./site.ts";

vi.setConfig({ testTimeout: 120_000 });

let program: Program;
let site: Site;
beforeAll(async () => {
  [program, site] = await Promise.all([bundleProgram(), openSite()]);
  site.write(circuit(site));
});
afterAll(async () => {
  program?.remove();
  await site?.remove();
});

const secrets = ["0ne-pl4nted-secret", "an0ther-pl4nted-secret"];
const traces = secrets.flatMap((secret) => {
  const hash = createHash("sha256").update(secret).digest();
  return [secret, Buffer.from(secret).toString("base64"), hash.toString("hex"), hash.toString("base64")];
});

/** The secret comes from a file, so that nothing but the setting itself has it. */
const circuit = ({ circuit: text }: Site): string =>
  text.replace(
    /content = var\.secret\n/,
    `secret_content = file("\${path.module}/secret")\n      validate       = "echo %s; cat %s"\n`,
  );

const useSecret = (index: number) => writeFileSync(join(site.directory, "secret"), secrets[index]!);
const onHost = () => readFileSync(site.path("srv/site/token"), "utf8");

async function run(...args: string[]) {
  const outcome = await program.run(args, { cwd: site.directory });
  expect([args, outcome.stderr]).toEqual([args, expect.not.stringContaining("Error")]);
  expectNoTrace(args.join(" "), outcome.stdout + outcome.stderr);
  return outcome;
}

function expectNoTrace(what: string, text: string): void {
  for (const trace of traces) expect(text.includes(trace), `${what} has ${trace}`).toBe(false);
}

function expectNoFileHasIt(directory = site.directory): void {
  for (const name of readdirSync(directory)) {
    const path = join(directory, name);
    if (statSync(path).isDirectory()) expectNoFileHasIt(path);
    else if (name !== "secret") {
      const bytes = readFileSync(path);
      const isPacked = bytes[0] === 0x1f && bytes[1] === 0x8b;
      expectNoTrace(name, (isPacked ? gunzipSync(bytes) : bytes).toString("latin1"));
    }
  }
}

test("nothing that is printed, stored or logged has it", async () => {
  useSecret(0);
  for (const args of [["validate"], ["compile"], ["plan"], ["plan", "-json"]]) await run(...args);
  await run("plan", "-out=saved", "-plan-json=plan.json");
  await run("show", "saved");
  await run("show", "-json", "saved");
  await run("apply", "-log=log", "saved");
  expect(onHost()).toBe(secrets[0]);
  expectNoFileHasIt();
  expect((await run("plan", "-detailed-exitcode")).status).toBe(0);
  for (const args of [
    ["show"],
    ["show", "-json"],
    ["state", "pull"],
    ["state", "show", "conn3x_file.web__token"],
  ])
    await run(...args);
});

test("drift and edits are told without it, and a saved plan writes what was planned", async () => {
  writeFileSync(site.path("srv/site/token"), secrets[1]!);
  const drift = await run("drift");
  expect([drift.status, drift.stdout]).toEqual([
    2,
    expect.stringContaining("secret_intact: expected true, found false"),
  ]);
  await run("drift", "-json");
  await run("apply", "-auto-approve", "-json", "-log=log");
  expect(onHost()).toBe(secrets[0]);
  useSecret(1);
  const edited = await run("plan", "-out=saved");
  expect(edited.stdout).toContain("secret_content edited");
  await run("apply", "saved");
  expect(onHost()).toBe(secrets[1]);
  expect((await run("plan", "-detailed-exitcode")).status).toBe(0);
  expectNoFileHasIt();
});

test("it cannot be referred to", async () => {
  const output = 'output "token" {\n  value = conn3x_file.web__token["web1"].secret_content == null\n}\n';
  site.write(output + circuit(site));
  await run("apply", "-auto-approve");
  expect((await run("output", "token")).stdout).toBe("true\n");
  expectNoFileHasIt();
});
