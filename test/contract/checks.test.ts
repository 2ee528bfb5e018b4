/**
 * U4: every kind refuses values that types let through, in `validate` and before any host is contacted, and says which
 * setting it is. What is not known yet passes.
 */

import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createProvider } from "../../src/core/create-provider.ts";
import { kinds } from "../../src/resources/index.ts";
import { type BlockSchema, schemaType } from "../../src/schema/schema.ts";
import { formatPath } from "../../src/values/path.ts";
import { fromPlain, isPlainObject, type Plain, type PlainObject, toPlain } from "../../src/values/plain.ts";
import { Unknown } from "../../src/values/value.ts";
import { getPath } from "../../src/values/walk.ts";
import { bundleProgram, type Program } from "../cli/program.ts";

/** Asking any host fails the test. */
const provider = createProvider({
  sessions: {
    session: () => {
      throw new Error("a host was asked for");
    },
    close: async () => undefined,
  },
});

/** Fine as it is. */
const right: Readonly<Record<string, PlainObject>> = {
  conn3x_file: { path: "/a", content: "x" },
  conn3x_directory: { path: "/a" },
  conn3x_link: { path: "/a", target: "b" },
  conn3x_line: { path: "/a", line: "x" },
  conn3x_package: { name: "nginx" },
  conn3x_service: { name: "nginx", running: true },
  conn3x_command: { run: "true" },
  conn3x_wait_for: { port: 80 },
  conn3x_reboot: {},
  conn3x_facts: {},
  conn3x_service_action: { name: "nginx", action: "reload" },
  conn3x_command_action: { run: "true" },
};

const commands: readonly [PlainObject, string][] = [
  [{ run: "" }, "run"],
  [{ run: null, script: "" }, "script"],
  [{ run: null, script: "x", interpreter: [] }, "interpreter"],
  [{ environment: { "A=B": "x" } }, "environment"],
  [{ secret_environment: { "": "x" } }, "secret_environment"],
  [{ cwd: "relative" }, "cwd"],
  [{ user: "" }, "user"],
  [{ success_codes: [256] }, "success_codes"],
  [{ timeout: 0 }, "timeout"],
  [{ run: null }, "run"],
  [{ script: "x" }, "script"],
  [{ interpreter: ["perl"] }, "interpreter"],
  [{ run: null, script: "x", interpreter: ["sh"], stdin: "y" }, "stdin"],
];

/** Wrong settings of each kind, and the one that the message names. */
const wrong: Readonly<Record<string, readonly [PlainObject, string][]>> = {
  conn3x_file: [
    [{ path: "relative" }, "path"],
    [{ path: "/" }, "path"],
    [{ path: "/a/../b" }, "path"],
    [{ content: null, content_base64: "***" }, "content_base64"],
    [{ content: null, source: "" }, "source"],
    [{ content_base64: "eA==" }, "content_base64"],
    [{ content: null }, "content"],
    [{ mode: "999" }, "mode"],
    [{ mode: "644 " }, "mode"],
    [{ owner: "a:b" }, "owner"],
    [{ group: "" }, "group"],
    [{ validate: "visudo -c" }, "validate"],
    [{ on_remove: "maybe" }, "on_remove"],
    [{ drift: { mode: "sometimes" } }, "drift.mode"],
    [{ drift: { ignore: ["path"] } }, "drift.ignore[0]"],
  ],
  conn3x_directory: [
    [{ path: "relative" }, "path"],
    [{ mode: "0888" }, "mode"],
    [{ owner: "" }, "owner"],
    [{ group: "a\nb" }, "group"],
    [{ on_remove: "x" }, "on_remove"],
    [{ drift: { mode: "x" } }, "drift.mode"],
    [{ recurse: true }, "recurse"],
    [{ keep: ["cache"] }, "keep"],
    [{ purge: false, keep: ["cache"] }, "keep"],
    [{ purge: true, keep: [""] }, "keep"],
  ],
  conn3x_link: [
    [{ path: "relative" }, "path"],
    [{ target: "" }, "target"],
    [{ kind: "soft" }, "kind"],
    [{ kind: "hard", target: "relative" }, "target"],
    [{ on_remove: "x" }, "on_remove"],
    [{ drift: { mode: "x" } }, "drift.mode"],
  ],
  conn3x_line: [
    [{ path: "relative" }, "path"],
    [{ line: "a\nb" }, "line"],
    [{ regexp: "(" }, "regexp"],
    [{ insert_after: "(" }, "insert_after"],
    [{ insert_before: "(" }, "insert_before"],
    [{ insert_after: "a", insert_before: "b" }, "insert_before"],
    [{ state: "x" }, "state"],
    [{ validate: "visudo -c" }, "validate"],
    [{ on_remove: "x" }, "on_remove"],
    [{ drift: { mode: "x" } }, "drift.mode"],
    [{ line: null }, "line"],
    [{ line: null, regexp: "a" }, "line"],
    [{ backrefs: true }, "backrefs"],
    [{ regexp: "a", line: "\\1", backrefs: true }, "line"],
  ],
  conn3x_package: [
    [{ name: "Not A Name" }, "name"],
    [{ name: null, names: ["a b"] }, "names"],
    [{ name: null }, "name"],
    [{ names: ["x"] }, "names"],
    [{ version: "" }, "version"],
    [{ name: null, names: ["a", "b"], version: "1" }, "version"],
    [{ state: "x" }, "state"],
    [{ cache_valid_time: -1 }, "cache_valid_time"],
    [{ allow_removal: ["a b"] }, "allow_removal"],
    [{ lock_timeout: -1 }, "lock_timeout"],
    [{ on_remove: "x" }, "on_remove"],
    [{ drift: { mode: "x" } }, "drift.mode"],
  ],
  conn3x_service: [
    [{ name: "a b" }, "name"],
    [{ on_remove: "x" }, "on_remove"],
    [{ drift: { mode: "x" } }, "drift.mode"],
    [{ masked: true, running: true }, "masked"],
  ],
  conn3x_command: [
    ...commands,
    [{ creates: "relative" }, "creates"],
    [{ changed_when: "(" }, "changed_when"],
  ],
  conn3x_wait_for: [
    [{ port: 0 }, "port"],
    [{ port: 65536 }, "port"],
    [{ port: 1.5 }, "port"],
    [{ port: null, path: "relative" }, "path"],
    [{ port: null, command: "" }, "command"],
    [{ port: null, http: "ftp://x" }, "http"],
    [{ port: null, http: "http://x", http_status: [99] }, "http_status"],
    [{ port: null, http: "http://x", http_from: "moon" }, "http_from"],
    [{ state: "x" }, "state"],
    [{ timeout: 0 }, "timeout"],
    [{ interval: 0 }, "interval"],
    [{ port: null }, "port"],
    [{ path: "/a" }, "path"],
    [{ http_status: [200] }, "http_status"],
  ],
  conn3x_reboot: [[{ timeout: 0 }, "timeout"]],
  conn3x_facts: [[{ drift: { mode: "x" } }, "drift.mode"]],
  conn3x_service_action: [
    [{ name: "a b" }, "name"],
    [{ action: "stop" }, "action"],
  ],
  conn3x_command_action: commands,
};

/** Of every login, a jump host's included. */
const wrongEverywhere: readonly [PlainObject, string][] = [
  [{ user: "$(id)" }, "user"],
  [{ host_key_algorithms: "ssh-ed25519,,x" }, "host_key_algorithms"],
  [{ kex_algorithms: "no-such-exchange" }, "kex_algorithms"],
  [{ ciphers: "no-such-cipher" }, "ciphers"],
  [{ macs: "no such mac" }, "macs"],
  [{ pubkey_accepted_algorithms: "ssh ed25519" }, "pubkey_accepted_algorithms"],
  [{ required_rsa_size: 100 }, "required_rsa_size"],
];

/** Of every kind. */
const wrongLogins: readonly [PlainObject, string][] = [
  ...wrongEverywhere.map(([login, name]): [PlainObject, string] => [login, `ssh.${name}`]),
  ...wrongEverywhere.map(([login, name]): [PlainObject, string] => [
    { bastion: [{ address: "b", ...login }] },
    `ssh.bastion[0].${name}`,
  ]),
  [{ address: "" }, "ssh.address"],
  [{ port: 0 }, "ssh.port"],
  [{ port: 70000 }, "ssh.port"],
  [{ host_key_checking: "maybe" }, "ssh.host_key_checking"],
  [{ connect_timeout: -1 }, "ssh.connect_timeout"],
  [{ retries: -1 }, "ssh.retries"],
  [{ command_timeout: -1 }, "ssh.command_timeout"],
  [{ keepalive: -1 }, "ssh.keepalive"],
  [{ become_method: "magic" }, "ssh.become_method"],
  [{ transport: "pigeon" }, "ssh.transport"],
  [{ proxy_jump: "one,two three" }, "ssh.proxy_jump"],
  [{ proxy_jump: "one:70000" }, "ssh.proxy_jump"],
  [{ bastion: [{ address: "" }] }, "ssh.bastion[0].address"],
  [{ bastion: [{ address: "b", port: 0 }] }, "ssh.bastion[0].port"],
  [{ bastion: [{ address: "b", host_key_checking: "x" }] }, "ssh.bastion[0].host_key_checking"],
];

/** A whole object: what is not given is null. */
function complete(schema: BlockSchema, given: PlainObject): PlainObject {
  const attributes = Object.keys(schema.attributes).map((name) => [name, given[name] ?? null]);
  const blocks = Object.entries(schema.blocks).map(([name, block]): [string, Plain] => {
    const value = given[name] ?? null;
    if (block.repeated) {
      const elements = Array.isArray(value) ? value.filter(isPlainObject) : [];
      return [name, elements.map((element) => complete(block, element))];
    }
    return [name, isPlainObject(value) ? complete(block, value) : value];
  });
  return Object.fromEntries([...attributes, ...blocks]);
}

function problems(type: string, settings: PlainObject) {
  const { schema } = kinds.get(type)!;
  const config = fromPlain(complete(schema, { ...right[type]!, ...settings }), schemaType(schema));
  return provider
    .validateResourceConfig(type, config)
    .filter(({ severity }) => severity === "error")
    .map(({ attribute }) => formatPath(attribute ?? []));
}

/** All texts in a value: keys, too. */
function textsOf(value: Plain): readonly string[] {
  if (typeof value === "string") return [value];
  if (Array.isArray(value)) return value.flatMap((element: Plain) => textsOf(element));
  return isPlainObject(value)
    ? Object.entries(value).flatMap(([key, inner]) => [key, ...textsOf(inner)])
    : [];
}

/** Paths of all settings that have a check of their own, without positions. */
const checked = (schema: BlockSchema, at = ""): readonly string[] => [
  ...Object.entries(schema.attributes).flatMap(([name, { check }]) =>
    check === undefined ? [] : [`${at}${name}`],
  ),
  ...Object.entries(schema.blocks).flatMap(([name, block]) => checked(block, `${at}${name}.`)),
];

describe.each([...kinds.keys()])("%s", (type) => {
  const rows = [
    ...wrong[type]!,
    ...wrongLogins.map(([ssh, path]): [PlainObject, string] => [{ ssh: { address: "h", ...ssh } }, path]),
  ];

  test("takes what is right", () => {
    expect(problems(type, {})).toEqual([]);
    expect(problems(type, { ssh: { address: "h", port: 22 } })).toEqual([]);
  });

  test.each(rows)("U4: refuses %j", (settings, path) => expect(problems(type, settings)).toContain(path));

  test.each(rows)("tells nothing of %j to who cannot know what is sensitive", (settings) => {
    const { schema } = kinds.get(type)!;
    const config = fromPlain(complete(schema, { ...right[type]!, ...settings }), schemaType(schema));
    for (const { detail, withoutValues = detail, attribute = [] } of provider.validateResourceConfig(
      type,
      config,
    )) {
      const wrongs = textsOf(toPlain(getPath(config, attribute)!)).filter((text) => text.length > 1);
      for (const text of wrongs) expect(withoutValues).not.toContain(text);
    }
  });

  test("has a wrong value here for every setting that is checked", () => {
    const named = new Set(rows.map(([, path]) => path.replace(/\[\d+\]/g, "")));
    expect(checked(kinds.get(type)!.schema).filter((path) => !named.has(path))).toEqual([]);
  });

  test("takes what is not known yet", () => {
    const { schema } = kinds.get(type)!;
    const names = Object.keys(schema.attributes).filter((name) => !schema.attributes[name]!.computed);
    for (const name of names) {
      const group = schema.attributes[name]!.oneOf;
      const others = Object.entries(right[type]!).filter(
        ([other]) => group === undefined || schema.attributes[other]!.oneOf !== group,
      );
      const settings = { ...complete(schema, {}), ...Object.fromEntries(others), [name]: new Unknown() };
      const config = fromPlain(settings, schemaType(schema));
      const said = provider.validateResourceConfig(type, config);
      expect(
        said.filter(({ severity }) => severity === "error").map(({ detail }) => `${name}: ${detail}`),
      ).toEqual([]);
    }
  });
});

describe("the program", () => {
  let program: Program;
  let server: Server;
  let directory: string;
  let connections = 0;
  beforeAll(async () => {
    program = await bundleProgram();
    directory = mkdtempSync(join(tmpdir(), "conn3x-checks-"));
    server = createServer((socket) => {
      connections++;
      socket.destroy();
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  });
  afterAll(() => {
    server.close();
    program.remove();
    rmSync(directory, { recursive: true });
  });

  const steps = {
    mode: 'file {\n      path = "/a"\n      content = "x"\n      mode = "999"\n    }',
    port: "wait_for {\n      port = 0\n    }",
    path: 'directory {\n      path = "relative"\n    }',
    masked: 'service {\n      name = "x"\n      masked = true\n      running = true\n    }',
    line: 'line {\n      path = "/a"\n      regexp = "a"\n    }',
  };

  test.each(Object.entries(steps))("U4: refuses a wrong %s without a connection", async (name, step) => {
    const { port } = server.address() as { readonly port: number };
    // The one before would be read, and the host be asked for it.
    const fine = 'step "fine" {\n    file {\n      path = "/fine"\n      content = "x"\n    }\n  }';
    writeFileSync(
      join(directory, "main.circuit.hcl"),
      `circuit "web" {\n  hosts = { web1 = { address = "127.0.0.1", port = ${port} } }\n  ${fine}\n  step "wrong" {\n    ${step}\n  }\n}\n`,
    );
    for (const args of [["validate"], ["plan"], ["apply", "-auto-approve"]]) {
      const { status, stderr, stdout } = await program.run(args, { cwd: directory });
      expect([args[0], status, connections]).toEqual([args[0], 1, 0]);
      expect(stdout + stderr).toContain(name);
      expect(stderr).toContain('step "wrong"');
    }
  });
});
