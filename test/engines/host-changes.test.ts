/**
 * The everyday changes of hosts under the engines by themselves: a host is added, removed, renamed, all go, the circuit goes, the
 * form changes, the secret moves. Each is applied after the one before, and leaves what it should on the hosts.
 */
import { existsSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { bundleProvider } from "../../provider/testing/bundle.ts";
import {
  type Change,
  changes,
  type Edited,
  type Form,
  filesOf,
  type Secret,
  type Stage,
} from "../unit/host-changes.ts";
import { compileDirectory } from "./compile-directory.ts";
import { findEngines, titled } from "./engine.ts";
import { openWorkspace } from "./workspace.ts";

vi.setConfig({ testTimeout: 180_000, hookTimeout: 60_000 });

let provider: Awaited<ReturnType<typeof bundleProvider>>;
beforeAll(async () => {
  provider = await bundleProvider("test/engines/local-process.ts");
});
afterAll(() => rmSync(provider.directory, { recursive: true, force: true }));

/** From two hosts on; a host whose own secret goes with it can only refuse, and has no row here. */
const cells: readonly (readonly [Form, Secret])[] = [
  ["iterated", "none"],
  ["resource", "none"],
];

describe.each(titled(findEngines()))("%s", (_, engine) => {
  test.each(cells)("hosts as %s, secret of %s", async (form, secret) => {
    // Every simulated host is this machine: each has a directory of its own.
    const root = mkdtempSync(join(tmpdir(), "conn3x-hosts-"));
    const stage: Stage = {
      password: "S3CRET",
      kind: (step) =>
        `file {\n      path    = "${root}/\${host.address}/${step}"\n      content = "x"\n    }`,
      ssh: 'user = "one"',
      isOurs: false,
      resource: (name, value) => ({
        text: `resource "terraform_data" "${name}" {\n  input = "${value}"\n}\n`,
        value: `terraform_data.${name}.output`,
      }),
    };
    const workspace = openWorkspace({ engine, files: {}, provider });
    const write = async (edited: Edited) => {
      for (const [name, text] of Object.entries(filesOf(edited, stage))) workspace.write(name, text);
      await compileDirectory(workspace.directory);
      // Modules and the engine's own resources are found without a network.
      const got = await workspace.run(["get"]);
      expect(got.status, got.stderr).toBe(0);
    };
    const there = () =>
      Object.fromEntries(
        ["a1", "a2", "a3"].map((host) => [
          host,
          existsSync(join(root, host)) ? readdirSync(join(root, host)).sort() : [],
        ]),
      );
    try {
      const before: Edited = { hosts: { h1: "a1", h2: "a2" }, form, secret, steps: ["s1", "s2"] };
      const apply = async (edited: Edited, what: string) => {
        await write(edited);
        const applied = await workspace.apply();
        expect(applied.status, `${what}: ${applied.stdout}${applied.stderr}`).toBe(0);
        const { hosts = {}, steps } = edited;
        expect([what, there()]).toEqual([
          what,
          Object.fromEntries(
            ["a1", "a2", "a3"].map((host) => [host, Object.values(hosts).includes(host) ? [...steps] : []]),
          ),
        ]);
      };
      await apply(before, "two hosts");
      for (const change of Object.keys(changes) as Change[])
        await apply(changes[change](before, stage), change);
    } finally {
      workspace.remove();
      rmSync(root, { recursive: true, force: true });
    }
  });
});
