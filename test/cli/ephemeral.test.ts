/**
 * Ephemeral variables reach hosts, and are in nothing that a run prints or stores: no state, no saved plan, no log. A saved
 * plan wants them again.
 */
import { createHash } from "node:crypto";
import { readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { bundleProgram, type Program } from "./program.ts";
import { openSite, type Site } from "./site.ts";

vi.setConfig({ testTimeout: 120_000 });

const secrets = ["0ne-pl4nted-secret", "an0ther-pl4nted-secret"] as const;
const traces = secrets.flatMap((secret) => {
  const hash = createHash("sha256").update(secret).digest();
  return [secret, Buffer.from(secret).toString("base64"), hash.toString("hex"), hash.toString("base64")];
});

let program: Program;
let site: Site;
beforeAll(async () => {
  [program, site] = await Promise.all([bundleProgram(), openSite()]);
  site.write(
    site.circuit
      .replace('  default   = "s3cret"\n  sensitive = true\n', "  type      = string\n  ephemeral = true\n")
      .replace(/output "secret" \{[^}]*\}\n/, 'locals {\n  token = "<${var.secret}>"\n}\n')
      .replace(/content = var\.secret\n/, "secret_content = local.token\n"),
  );
});
afterAll(async () => {
  program?.remove();
  await site?.remove();
});

const onHost = () => readFileSync(site.path("srv/site/token"), "utf8");

function expectNoTrace(what: string, text: string): void {
  for (const trace of traces) expect(text.includes(trace), `${what} has ${trace}`).toBe(false);
}

function expectNoFileHasIt(directory = site.directory): void {
  for (const name of readdirSync(directory)) {
    const path = join(directory, name);
    if (statSync(path).isDirectory()) expectNoFileHasIt(path);
    else {
      const bytes = readFileSync(path);
      const isPacked = bytes[0] === 0x1f && bytes[1] === 0x8b;
      expectNoTrace(name, (isPacked ? gunzipSync(bytes) : bytes).toString("latin1"));
    }
  }
}

/** @param secret value of the variable; undefined: nothing gives it one */
async function run(secret: string | undefined, ...args: readonly string[]) {
  const outcome = await program.run(args, {
    cwd: site.directory,
    env: secret === undefined ? {} : { TF_VAR_secret: secret },
  });
  expectNoTrace(args.join(" "), outcome.stdout + outcome.stderr);
  expectNoFileHasIt();
  return outcome;
}

test("a value is written, compared and logged without being kept", async () => {
  expect(await run(undefined, "validate")).toMatchObject({ status: 0 });
  const missing = await run(undefined, "plan");
  expect([missing.status, missing.stderr]).toEqual([1, expect.stringContaining("No value for variable")]);

  const applied = await run(secrets[0], "apply", "-auto-approve", "-v", "-log=log");
  expect([applied.status, onHost()]).toEqual([0, `<${secrets[0]}>`]);
  expect((await run(secrets[0], "plan", "-detailed-exitcode", "-plan-json=plan.json")).status).toBe(0);
  expect(JSON.parse(readFileSync(join(site.directory, "plan.json"), "utf8")).variables).toEqual({
    text: { value: "hello" },
  });
  const edited = await run(secrets[1], "plan", "-json", "-detailed-exitcode");
  expect([edited.status, edited.stdout]).toEqual([2, expect.stringContaining("secret_content")]);
  writeFileSync(site.path("srv/site/token"), "by hand");
  expect((await run(secrets[0], "drift")).status).toBe(2);
  expect((await run(secrets[0], "apply", "-auto-approve")).status).toBe(0);
  expect(onHost()).toBe(`<${secrets[0]}>`);
});

test("a saved plan asks for it again, and takes what it is then", async () => {
  const [before, after] = secrets;
  expect((await run(before, "plan", "-var=text=other", "-out=tfplan")).status).toBe(0);
  expect((await run(undefined, "show", "tfplan")).stdout).toContain("content edited");
  const without = await run(undefined, "apply", "tfplan");
  expect([without.status, without.stderr.replace(/\s+/g, " ")]).toEqual([
    1,
    expect.stringContaining("It is ephemeral, so that the plan does not have the value"),
  ]);
  const narrowed = await run(before, "apply", "-var=text=third", "tfplan");
  expect([narrowed.status, narrowed.stderr]).toEqual([1, expect.stringContaining("takes no -var")]);
  const applied = await program.run(["apply", `-var=secret=${before}`, "-var=text=other", "tfplan"], {
    cwd: site.directory,
  });
  expect([applied.status, applied.stderr]).toEqual([0, ""]);
  expect(readFileSync(site.path("srv/site/page"), "utf8")).toBe("other\n");

  expect((await run(after, "plan", "-out=tfplan", "-var=text=other")).status).toBe(0);
  expect((await run(after, "apply", "tfplan")).status).toBe(0);
  expect(onHost()).toBe(`<${after}>`);
  expect((await run(after, "plan", "-var=text=other", "-detailed-exitcode")).status).toBe(0);
  rmSync(join(site.directory, "tfplan"));
  expect((await run(after, "destroy", "-auto-approve")).status).toBe(0);
});
