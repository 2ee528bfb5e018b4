/**
 * No diagnostic of a provider has a secret that it was handed, whichever program printed it: plain engines show them as they
 * are, and have no other way to know.
 */
import { describe, expect, test } from "vitest";
import { providerBlock } from "../../login/index.ts";
import { kinds } from "../../resources/index.ts";
import { schemaType } from "../../schema/schema.ts";
import { HostError, type Session, type SessionPool } from "../../ssh/index.ts";
import { fromPlain, type PlainObject } from "../../values/plain.ts";
import { nullValue } from "../../values/value.ts";
import { createProvider } from "../create-provider.ts";
import { scriptedSession } from "../testing/session.ts";

/** In each place that a provider knows to be secret. */
const secrets = {
  password: "login-HUSH's",
  passphrase: "phrase HUSH\nof two lines",
  become: "become-HUSH",
  circuit: "circuit-HUSH",
  stdin: 'stdin-"HUSH"',
  environment: "env-HUSH",
  content: "content-HUSH\nsecond-HUSH",
};
/** Shorter than the secrets that what is said of others is searched for. */
const short = "HUS4";
const printed = Object.values(secrets).join(" and ");

/** Every program on the hosts fails, and prints all that is secret. */
function tellingSessions(fails: "status" | "connection"): SessionPool {
  const answer = { status: 3, stdout: Buffer.from(printed), stderr: Buffer.from(printed) };
  const tell = async () => {
    if (fails === "connection")
      throw new HostError("unreachable", "web1", `the proxy command said ${printed}`);
    return answer;
  };
  const session: Session = {
    ...scriptedSession(),
    ask: tell,
    act: tell,
    run: tell,
    put: async ({ path }) => {
      throw new HostError("invalid", "web1", `${path} did not pass: ${printed}`);
    },
  };
  return {
    session: () => session,
    warnings: () => [],
    close: async () => undefined,
  } as unknown as SessionPool;
}

const ssh = { address: "web1", password: secrets.password, become_password: secrets.become };
const settings: Readonly<Record<string, PlainObject>> = {
  conn3x_file: { path: "/etc/x", secret_content: secrets.content, validate: "check %s" },
  conn3x_command: {
    run: "x",
    stdin: secrets.stdin,
    secret_environment: { A: secrets.environment, B: short },
  },
  conn3x_command_action: { run: "x", stdin: secrets.stdin, secret_environment: { A: secrets.environment } },
  conn3x_directory: { path: "/srv/x" },
  conn3x_link: { path: "/srv/x", target: "/y" },
  conn3x_line: { path: "/etc/x", line: "x" },
  conn3x_package: { name: "x" },
  conn3x_service: { name: "x", running: true },
  conn3x_service_action: { name: "x", action: "reload" },
  conn3x_wait_for: { command: "x", timeout: 1, interval: 1 },
  conn3x_reboot: {},
  conn3x_facts: {},
};

/** Everything but null where nothing is set. */
function objectOf(type: string, set: PlainObject): PlainObject {
  const { attributes, blocks } = kinds.get(type)!.schema;
  const none = Object.keys(attributes).map((name) => [name, null]);
  const empty = Object.entries(blocks).map(([name, { repeated }]) => [name, repeated ? [] : null]);
  const login = Object.fromEntries(
    [...Object.keys(blocks.ssh!.attributes), ...Object.keys(blocks.ssh!.blocks)].map((name) => [
      name,
      blocks.ssh!.blocks[name]?.repeated ? [] : null,
    ]),
  );
  return { ...Object.fromEntries([...none, ...empty]), ...set, ssh: { ...login, ...ssh } };
}

const expectClean = (answers: readonly { readonly summary: string; readonly detail: string }[]) => {
  const text = answers.map(({ summary, detail }) => `${summary}\n${detail}`).join("\n");
  for (const part of Object.values(secrets).flatMap((secret) => secret.split("\n")))
    expect(text).not.toContain(part);
  return text;
};

describe.each(["status", "connection"] as const)("where programs fail by their %s", (fails) => {
  test("a short secret is left out of what is said of its own object", () => {
    const provider = createProvider({ sessions: tellingSessions(fails) });
    const { schema } = kinds.get("conn3x_command")!;
    const config = fromPlain(
      objectOf("conn3x_command", { run: "x", creates: short, stdin: short }),
      schemaType(schema),
    );
    const told = JSON.stringify(provider.validateResourceConfig("conn3x_command", config));
    expect(told).toContain("must be an absolute path");
    expect(told).not.toContain(short);
  });

  test.each([...kinds.keys()])("%s tells no secret", async (type) => {
    expect(settings).toHaveProperty(type);
    const { schema } = kinds.get(type)!;
    const provider = createProvider({ sessions: tellingSessions(fails) });
    const block = Object.fromEntries(
      [...Object.keys(providerBlock.attributes), ...Object.keys(providerBlock.blocks)].map((name) => [
        name,
        null,
      ]),
    );
    provider.configure(
      fromPlain(
        { ...block, circuit_logins: { a: { password: secrets.circuit } } },
        schemaType(providerBlock),
      ),
    );
    // The secrets of others are as secret.
    for (const other of ["conn3x_file", "conn3x_command"]) {
      const { schema: theirs } = kinds.get(other)!;
      const passphrase = { passphrase: secrets.passphrase };
      const object = objectOf(other, settings[other]!);
      const value = { ...object, ssh: { ...(object.ssh as PlainObject), ...passphrase } };
      provider.validateResourceConfig(other, fromPlain(value, schemaType(theirs)));
    }
    const config = fromPlain(
      objectOf(type, { ...settings[type], ...("stdin" in schema.attributes ? settings.conn3x_command : {}) }),
      schemaType(schema),
    );
    const nothing = nullValue(schemaType(schema));
    const none = new Uint8Array();
    const plan = await provider.planResource({ type, prior: nothing, priorPrivate: none, config } as never);
    const apply = await provider.applyResource({
      type,
      prior: nothing,
      priorPrivate: none,
      config,
      planned: plan.planned,
      plannedPrivate: plan.private,
    } as never);
    const read = await provider.readResource({ type, current: config, private: none } as never);
    const end = await provider.applyResource({
      type,
      prior: config,
      priorPrivate: none,
      config: nothing,
      planned: nothing,
      plannedPrivate: none,
    } as never);
    const text = expectClean([
      ...plan.diagnostics,
      ...apply.diagnostics,
      ...read.diagnostics,
      ...end.diagnostics,
    ]);
    expect(text).not.toContain("defect");
    if (fails === "connection") expect(text).toContain("(sensitive value)");
  });
});
