/**
 * One object under two names that only its host knows to be one: instances that contradict each other are refused in the
 * first plan, in two circuits and beside resource blocks, by every engine; those that agree stay as they are.
 */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { providerAddress } from "../../provider/reattach.ts";
import { findEngines } from "../engines/engine.ts";
import { openWorkspace } from "../engines/workspace.ts";
import { describeLab, labHosts } from "../lab/for-tests.ts";
import { bundledProgram } from "./bundled.ts";

const program = bundledProgram();

const providers = `terraform {
  required_providers {
    conn3x = {
      source = "${providerAddress}"
    }
  }
}
`;

/** Kind, settings of the one, of the other, and of another one that is not against the first. */
type Pair = readonly [kind: string, one: string, other: string, agreeing: string];

const pairs: readonly Pair[] = [
  [
    "service",
    'name = "ssh"\nenabled = true',
    'name = "sshd"\nenabled = false',
    'name = "sshd"\nrunning = true',
  ],
  [
    "file",
    'path = "/run/c3x-one/f"\ncontent = "a\\n"',
    'path = "/var/run/c3x-one/f"\ncontent = "b\\n"',
    'path = "/var/run/c3x-one/f"\ncontent_base64 = "YQo="',
  ],
  [
    "line",
    'path = "/run/c3x-one/l"\nregexp = "^a"\nline = "a1"\ncreate = true',
    'path = "/var/run/c3x-one/l"\nregexp = "^a"\nline = "a2"\ncreate = true',
    'path = "/var/run/c3x-one/l"\nregexp = "^b"\nline = "b1"\ncreate = true',
  ],
  [
    "link",
    'path = "/lib/c3x-one"\ntarget = "a"',
    'path = "/usr/lib/c3x-one"\ntarget = "b"',
    'path = "/usr/lib/c3x-one"\ntarget = "a"',
  ],
  [
    "directory",
    'path = "/run/c3x-two"\nmode = "0750"',
    'path = "/var/run/c3x-two"\nmode = "0700"',
    'path = "/var/run/c3x-two"\nowner = "0"',
  ],
  [
    "package",
    'name = "base-files:HOSTARCH"',
    'names = ["base-files", "tar"]\nstate = "absent"',
    'names = ["base-files", "tar"]',
  ],
];

describeLab("one object under two names", () => {
  const lab = labHosts(1);
  const roots: string[] = [];
  afterAll(() => {
    for (const root of roots) rmSync(root, { recursive: true, force: true });
  });
  const newDirectory = (): string => {
    const root = mkdtempSync(join(tmpdir(), "conn3x-object-"));
    roots.push(root);
    return root;
  };
  let architecture: string;
  beforeAll(async () => {
    architecture = (await lab.hosts[0].must("dpkg --print-architecture")).trim();
  });
  afterAll(() => lab.hosts[0].must("rm -rf /run/c3x-one /run/c3x-two /lib/c3x-one"));

  const login = () => `user             = "deploy"
    private_key_file = "${lab.lab.keyFile}"
    agent            = false
    become           = true
    host_key         = "${lab.hosts[0].hostKey}"`;
  const settings = (text: string) => text.replace("HOSTARCH", architecture);
  const circuit = (name: string, steps: readonly (readonly [kind: string, settings: string])[]) =>
    `circuit "${name}" {
  hosts = { ${name} = "${lab.hosts[0].address}" }
  ssh {
    ${login()}
  }
${steps.map(([kind, text], i) => `  step "s${i}" {\n    ${kind} {\n${settings(text)}\n    }\n  }\n`).join("")}}
`;
  const resource = (name: string, kind: string, text: string) => `resource "conn3x_${kind}" "${name}" {
${settings(text)}
  ssh {
    address          = "${lab.hosts[0].address}"
    ${login()}
  }
}
`;
  const first = () => pairs.map(([kind, one]) => [kind, one] as const);
  const agreeing = () => pairs.map(([kind, , , same]) => [kind, same] as const);
  const engines = findEngines();

  test.each<[string, readonly string[]]>([
    ["the embedded engine", []],
    ...engines
      .slice(0, 1)
      .map(({ name, program: path }): [string, readonly string[]] => [name, [`-engine=${path}`]]),
  ])("%s names both instances, in circuits and modules, before anything is made", async (_, engine) => {
    const directory = newDirectory();
    const others = pairs.slice(0, 3).map(([kind, , other]) => [kind, other] as const);
    const apart = pairs.slice(3).map(([kind, , other], i) => resource(`r${i}`, kind, other));
    writeFileSync(join(directory, "main.circuit.hcl"), circuit("one", first()) + circuit("two", others));
    writeFileSync(join(directory, "main.tf"), apart.join(""));
    const { status, output } = await program.run(directory, ["plan", ...engine]);
    const text = output.replace(/[\s│]+/g, " ");
    expect(status, output).toBe(1);
    const names = [
      ...text.matchAll(/\(main\S+:\d+\) both manage (\S+) and (\S+), which are one object there,/g),
    ];
    expect(names.map(([, ...both]) => both.sort()[0]).sort(), output).toEqual([
      "/lib/c3x-one",
      "/run/c3x-one/f",
      "/run/c3x-one/l:^a",
      "/run/c3x-two",
      "base-files",
      "ssh",
    ]);
  });

  test("what agrees is applied, and stays as it is", async () => {
    const directory = newDirectory();
    writeFileSync(join(directory, "main.circuit.hcl"), circuit("one", first()) + circuit("two", agreeing()));
    const applied = await program.run(directory, ["apply", "-auto-approve"]);
    expect(applied.status, applied.output).toBe(0);
    const again = await program.run(directory, ["plan", "-detailed-exitcode"]);
    expect(again.status, again.output).toBe(0);
  });

  describe("an engine by itself", () => {
    const open = (engine: (typeof engines)[number], text: string) =>
      openWorkspace({
        engine,
        directory: newDirectory(),
        files: { "main.tf": text, "provider.tf": providers },
        provider: { directory: dirname(program.provider()) },
      });
    const some = pairs.slice(0, 4);
    const both = (of: (pair: Pair) => string, among = some) =>
      among
        .map((pair, i) => resource(`a${i}`, pair[0], pair[1]) + resource(`b${i}`, pair[0], of(pair)))
        .join("");

    test.each(engines.map((engine) => [engine.name, engine] as const))(
      "%s: the second is refused, and the first named",
      async (_, engine) => {
        const workspace = open(
          engine,
          both(([, , other]) => other),
        );
        const { status, stdout, stderr } = await workspace.run(["plan", "-no-color"]);
        const text = (stdout + stderr).replace(/[\s│╵╷]+/g, " ");
        expect(status, text).toBe(1);
        expect(text.match(/Error: Two instances manage one object/g), text).toHaveLength(some.length);
        expect(text).toMatch(
          /conn3x_file "\S+\/c3x-one\/f" \(content\) and conn3x_file "\S+\/c3x-one\/f" \(content\) both manage/,
        );
      },
    );

    test.runIf(engines[0])("what agrees is left alone, and what takes the place of another", async () => {
      const same = both(
        ([, , , agreeing]) => agreeing,
        some.filter(([kind]) => kind === "file" || kind === "link"),
      );
      const workspace = open(engines[0]!, same);
      const applied = await workspace.apply();
      expect(applied.status, applied.stdout + applied.stderr).toBe(0);
      // Replaced, made before the old one is deleted, and under another address.
      workspace.write(
        "main.tf",
        same
          .replaceAll('/run/c3x-one/f"', '/run/c3x-one/g"')
          .replaceAll('"YQo="', '"YQo="\n  lifecycle {\n    create_before_destroy = true\n  }')
          .replaceAll('"conn3x_link" "a1"', '"conn3x_link" "other"'),
      );
      const changed = await workspace.plan();
      expect(changed.status, changed.stdout + changed.stderr).toBe(2);
    });
  });
});
