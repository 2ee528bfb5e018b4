/**
 * What is write-only, with a file's `secret_content`: nothing that a provider answers has it or what it could be guessed
 * from, and edits, drift and ownership work all the same.
 */
import { createHash } from "node:crypto";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createProvider } from "../../src/core/create-provider.ts";
import type { PlanResponse, Provider } from "../../src/core/provider.ts";
import { demoStage } from "../../src/kind/testing/demo-stage.ts";
import { asConfigured, createDriver, type Stored } from "../../src/kind/testing/harness.ts";
import { contradiction } from "../../src/revision/agreement.ts";
import { schemaType } from "../../src/schema/schema.ts";
import { createSessionPool } from "../../src/ssh/session-pool.ts";
import { fromPlain, isPlainObject, type PlainObject, toPlain } from "../../src/values/plain.ts";
import { Unknown, type Value } from "../../src/values/value.ts";

const type = "conn3x_file";
const secret = "t0ps3cret-w0rd";
const stage = demoStage();
let provider: Provider;
beforeAll(() => {
  provider = createProvider({ sessions: createSessionPool() });
});
afterAll(() => provider.close());

const driver = () => createDriver(provider, type);
const shell = async (script: string) => expect(await stage().shell(script), script).toBe(0);
const file = async (settings: PlainObject = {}) => {
  const path = `${await stage().makeRoot()}/key`;
  return { path, settings: { path, secret_content: secret, ssh: stage().ssh, ...settings } };
};
const object = (value: Value): PlainObject => {
  const plain = toPlain(value);
  if (!isPlainObject(plain)) throw new Error("no object");
  return plain;
};
const sha256 = createHash("sha256").update(secret).digest();
/** The secret, and its hash, in every form that could be read out of something stored. */
const traces = [
  secret,
  Buffer.from(secret).toString("base64"),
  sha256.toString("hex"),
  sha256.toString("base64"),
];

function expectNoTrace(what: string, { state, private: bytes }: Stored): void {
  const text = JSON.stringify(toPlain(state)) + Buffer.from(bytes).toString("latin1");
  for (const trace of traces) expect(text.includes(trace), `${what} holds ${trace}`).toBe(false);
}

test("no plan and no stored object has it, nor what it could be guessed from", async () => {
  const { path, settings } = await file();
  const planned = await driver().plan(undefined, settings);
  expectNoTrace("plan", { state: planned.planned, private: planned.private });
  const made = await driver().apply(undefined, settings);
  await shell(`[ "$(cat '${path}')" = '${secret}' ]`);
  expectNoTrace("state", made);
  expect(object(made.state)).toMatchObject({ secret_content: null, sha256: null, secret_intact: true });
  await shell(`echo >>'${path}'`);
  const drifted = await driver().read(made);
  expectNoTrace("refreshed state", drifted);
  expect(object(drifted.state)).toMatchObject({ sha256: null, content: null, secret_intact: false });
});

test("what a host answers about it is not fetched, and a validation of it tells nothing", async () => {
  const { settings } = await file({ validate: "cat %s >&2; false" });
  const { diagnostics } = await driver().apply(undefined, settings);
  expect(diagnostics).toMatchObject([{ detail: expect.stringContaining("did not pass its validation") }]);
  for (const trace of traces) expect(JSON.stringify(diagnostics)).not.toContain(trace);
});

test("with warn, what somebody changed stays while a setting beside it is written", async () => {
  const { path, settings } = await file({ drift: { mode: "warn" }, mode: "0600" });
  const made = await driver().apply(undefined, settings);
  await shell(`echo theirs >'${path}'`);
  const drifted = await driver().read(made);
  const left = await driver().plan(drifted, settings);
  expect(left.decision.action).toBe("none");
  expect(left.diagnostics).toMatchObject([
    { severity: "warning", detail: expect.stringContaining("secret_content") },
  ]);
  const beside = { ...settings, mode: "0640" };
  const changed = await driver().apply(drifted, beside);
  expect(changed.diagnostics).toEqual([]);
  await shell(`[ "$(cat '${path}')" = theirs ] && [ -n "$(find '${path}' -perm 640)" ]`);
  expect((await driver().plan(await driver().read(changed), beside)).decision.action).toBe("none");
  // An edit is the configuration's own word.
  await driver().apply(changed, { ...beside, secret_content: "another" });
  await shell(`[ "$(cat '${path}')" = another ]`);
});

test("with warn, an edit of what nobody changed is written", async () => {
  const { path, settings } = await file({ drift: { mode: "warn" } });
  const made = await driver().apply(undefined, settings);
  const changed = await driver().apply(await driver().read(made), { ...settings, secret_content: "another" });
  expect(changed.decision.action).toBe("update");
  await shell(`[ "$(cat '${path}')" = another ]`);
});

test("a value that differs when the plan is made again contradicts nothing (A2)", async () => {
  const { settings } = await file();
  const made = await driver().apply(undefined, settings);
  const edits = [
    { ...settings, mode: "0600" },
    { ...settings, secret_content: "another" },
    { ...settings, mode: "0600", secret_content: "another" },
  ];
  const plans: PlanResponse[] = [];
  for (const edited of edits) plans.push(await driver().plan(made, edited));
  for (const first of plans)
    for (const second of plans)
      expect(contradiction(withoutMode(first.planned), withoutMode(second.planned))).toBe(undefined);
});

/** What differs between the plans besides the secret. */
const withoutMode = ({ type, data }: Value): Value => {
  if (!(data instanceof Map)) throw new Error("no object");
  return { type, data: new Map([...data].filter(([name]) => name !== "mode" && name !== "revision")) };
};

test("a value that is not known yet is planned, and may turn out to be the same", async () => {
  const { settings } = await file();
  const made = await driver().apply(undefined, settings);
  const schema = provider.schema.resources.get(type)!;
  const config = fromPlain(
    asConfigured(schema, { ...settings, secret_content: new Unknown() }),
    schemaType(schema),
  );
  const response = await provider.planResource({
    type,
    prior: made.state,
    priorPrivate: made.private,
    config,
  });
  expect(response.decision).toMatchObject({ action: "update", reasons: [{ kind: "unknown_input" }] });
  expect(object(response.planned).secret_content).toBe(null);
  expect((await driver().plan(made, settings)).decision.action).toBe("none");
});

test("a file goes from content to a secret and back, and its old hash with it", async () => {
  const { path, settings } = await file();
  const open = { ...settings, secret_content: null, content: secret };
  const made = await driver().apply(undefined, open);
  expect(object(made.state).sha256).toBe(sha256.toString("hex"));
  const hidden = await driver().apply(made, settings);
  expectNoTrace("state", hidden);
  const back = await driver().apply(await driver().read(hidden), open);
  expect(object(back.state)).toMatchObject({
    content: secret,
    secret_intact: null,
    sha256: sha256.toString("hex"),
  });
  expect(Buffer.from(back.private).toString()).not.toContain("scrypt");
  await shell(`[ "$(cat '${path}')" = '${secret}' ]`);
});

test("an instance that is left out has no trace of it, and is removed with its content", async () => {
  const { path, settings } = await file();
  const made = await driver().apply(undefined, settings);
  const skipped = await driver().apply(made, { ...settings, when: false });
  expectNoTrace("state", skipped);
  await shell(`! [ -e '${path}' ]`);
});

test("what was written through a link is removed, unless somebody changed it since", async () => {
  const { path, settings } = await file();
  for (const [change, isLeft] of [
    ["true", false],
    [`echo theirs >'${path}.target'`, true],
  ] as const) {
    await shell(`: >'${path}.target'; ln -sf '${path}.target' '${path}'`);
    const made = await driver().apply(undefined, { ...settings, follow: true, on_remove: "delete" });
    await shell(change);
    await driver().apply(made, undefined);
    await shell(`${isLeft ? "" : "! "}[ -e '${path}.target' ]`);
  }
});

test("a file that only its owner may read is imported without its content, and then there is nothing to do", async () => {
  const { path, settings } = await file();
  const { address, port, user } = stage().ssh;
  await shell(`printf %s '${secret}' >'${path}' && chmod 600 '${path}'`);
  provider.configure(
    fromPlain(
      { ssh: { ...stage().ssh, bastion: [] }, circuit_logins: null },
      schemaType(provider.schema.provider),
    ),
  );
  const { imported, diagnostics } = await provider.importResource(
    type,
    `ssh://${user}@${address}:${port}${path}`,
  );
  expect(diagnostics).toEqual([]);
  const [instance] = imported;
  expectNoTrace("import", instance!);
  const read = await driver().read(instance!);
  const login = { address: address!, port: port!, user: user! };
  const same = await driver().plan(read, { ...settings, ssh: login });
  expect(same.decision.action).toBe("none");
  const other = await driver().plan(read, { ...settings, ssh: login, secret_content: "another" });
  expect(other.decision.action).toBe("update");
});
