/**
 * The real provider, started by real engines, on a throw-away host: revisions, drift, handlers, failures. Each engine
 * is skipped where it is missing.
 */
import { chmodSync, existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, onTestFinished, vi } from "vitest";
import { createProvider } from "../src/core/create-provider.ts";
import { type DemoHost, startDemoHost } from "../src/demo/host/demo-host.ts";
import { createSessionPool } from "../src/ssh/session-pool.ts";
import { findEngines, titled } from "../test/engines/engine.ts";
import { actionOf, instanceOf } from "../test/engines/json.ts";
import { openWorkspace, type RunResult, type Workspace } from "../test/engines/workspace.ts";
import { createLog } from "./log.ts";
import { reattachVariable } from "./reattach.ts";
import { serve } from "./serve.ts";
import { createSocketPlace } from "./socket.ts";
import { bundleProvider } from "./testing/bundle.ts";

// An engine starts several processes for each of its commands.
vi.setConfig({ testTimeout: 180_000 });

const engines = findEngines();
const reload = 'conn3x_service_action.web__reload["one"]';
const config = 'conn3x_file.web__config["one"]';

let provider: { directory: string; program: string };
let host: DemoHost;
let workspace: Workspace;
beforeAll(async () => {
  provider = await bundleProvider("provider/main.ts");
});
afterAll(() => rmSync(provider.directory, { recursive: true, force: true }));
beforeEach(async () => {
  host = await startDemoHost({ units: ["web.service"] });
});
afterEach(async () => {
  workspace?.remove();
  await host.close();
});

/** What a circuit with a directory, a file and a handler compiles to. */
function main(content: string, settings = ""): string {
  const ssh = `ssh {
    address          = each.value.address
    port             = each.value.port
    user             = "${host.user}"
    private_key_file = "\${path.module}/key"
    host_key         = "${host.hostKey}"
    agent            = false
  }`;
  return `
terraform {
  required_providers {
    conn3x = { source = "registry.opentofu.org/conn3x/conn3x" }
  }
}
locals {
  hosts = { one = { address = "${host.address}", port = ${host.port} } }
}
resource "conn3x_directory" "web__site" {
  for_each = local.hosts
  path     = "${host.root}/site"
  mode     = "0750"
  ${ssh}
}
resource "conn3x_file" "web__config" {
  for_each = local.hosts
  path     = "${host.root}/site/config"
  content  = ${content}
  ${settings}
  ${ssh}
  depends_on = [conn3x_directory.web__site]
}
resource "conn3x_service_action" "web__reload" {
  for_each = local.hosts
  name     = "web"
  action   = "restart"
  triggers = [conn3x_file.web__config[each.key].revision]
  ${ssh}
  depends_on = [conn3x_file.web__config]
}
`;
}

it.skipIf(engines.length === 0)("has a program to start", () => {
  expect(existsSync(provider.program)).toBe(true);
});

describe.each(titled(engines))("%s", (_, engine) => {
  const open = (text: string): Workspace => {
    workspace = openWorkspace({ engine, files: { "main.tf": text, key: host.privateKey }, provider });
    chmodSync(join(workspace.directory, "key"), 0o600);
    return workspace;
  };
  const fine = async (run: Promise<RunResult>) => {
    const { status, stdout, stderr } = await run;
    expect(status, stdout + stderr).toBe(0);
  };
  const file = () => join(host.root, "site/config");
  const invocation = (): string =>
    readFileSync(join(host.root, "run/units/web.service/active"), "utf8").trim();

  it("does the main job: plan, apply, nothing to do, drift, edit, destroy", async () => {
    const { write, plan, apply, destroy, state } = open(main('"hello\\n"'));
    const first = await plan();
    expect(first.status, first.stdout + first.stderr).toBe(2);
    expect(existsSync(file())).toBe(false);
    await fine(apply("tfplan"));
    expect(readFileSync(file(), "utf8")).toBe("hello\n");
    const before = invocation();
    const revision = instanceOf(await state(), config)?.values.revision;
    expect(revision).toMatch(/^[0-9a-f]{16}$/);
    expect(instanceOf(await state(), reload)?.values.triggers).toEqual([revision]);

    const second = await plan();
    expect(second.status, second.stdout + second.stderr).toBe(0);
    expect(invocation()).toBe(before);

    writeFileSync(file(), "by hand\n");
    const unseen = await plan("-refresh=false");
    expect(unseen.status, unseen.stdout).toBe(0);
    const drifted = await plan();
    expect(drifted.plan?.resource_drift?.map(({ address }) => address)).toEqual([config]);
    expect(actionOf(drifted.plan, config)).toBe("update");
    expect(actionOf(drifted.plan, reload)).toBe("delete,create");
    await fine(apply("tfplan"));
    expect(readFileSync(file(), "utf8")).toBe("hello\n");
    const afterDrift = invocation();
    expect(afterDrift).not.toBe(before);
    expect((await plan()).status).toBe(0);

    write("main.tf", main('"hello again\\n"'));
    await fine(apply());
    expect(readFileSync(file(), "utf8")).toBe("hello again\n");
    expect(invocation()).not.toBe(afterDrift);
    const revisions = await state();
    expect(instanceOf(revisions, config)?.values.revision).not.toBe(revision);
    expect((await plan()).status).toBe(0);

    await fine(destroy());
    expect(existsSync(join(host.root, "site"))).toBe(false);
  });

  it("puts back a file that was removed, and runs the handler", async () => {
    const { plan, apply } = open(main('"hello\\n"'));
    await fine(apply());
    const before = invocation();
    rmSync(file());
    expect(actionOf((await plan()).plan, config)).toBe("create");
    await fine(apply("tfplan"));
    expect(readFileSync(file(), "utf8")).toBe("hello\n");
    expect(invocation()).not.toBe(before);
    expect((await plan()).status).toBe(0);
  });

  it("replaces for another path, and changes in place what is not an identity", async () => {
    const { write, plan, apply } = open(main('"hello\\n"'));
    await fine(apply());
    write("main.tf", main('"hello\\n"', 'mode = "0600"'));
    expect(actionOf((await plan()).plan, config)).toBe("update");
    write("main.tf", main('"hello\\n"').replace("/site/config", "/site/other"));
    const moved = await plan();
    expect(actionOf(moved.plan, config)).toBe("delete,create");
    await fine(apply("tfplan"));
    expect(existsSync(file())).toBe(false);
    expect(readFileSync(join(host.root, "site/other"), "utf8")).toBe("hello\n");
    expect((await plan()).status).toBe(0);
  });

  it("plans content that is known after apply only, and keeps to the plan", async () => {
    const later = 'resource "terraform_data" "later" { input = "v1" }\n';
    const text = main('"is ${terraform_data.later.output}\\n"') + later;
    const { write, plan, apply } = open(text);
    expect((await plan()).status).toBe(2);
    await fine(apply("tfplan"));
    expect(readFileSync(file(), "utf8")).toBe("is v1\n");
    expect((await plan()).status).toBe(0);
    write("main.tf", text.replace('"v1"', '"v2"'));
    expect((await plan()).status).toBe(2);
    await fine(apply("tfplan"));
    expect(readFileSync(file(), "utf8")).toBe("is v2\n");
    expect((await plan()).status).toBe(0);
  });

  it("plans for a host whose address the same apply makes", async () => {
    const machine = `resource "terraform_data" "machine" { input = "${host.address}" }\n`;
    const text = main('"hello\\n"').replace(`"${host.address}"`, "terraform_data.machine.output") + machine;
    const { plan, apply } = open(text);
    const planned = await plan();
    expect(planned.status, planned.stdout + planned.stderr).toBe(2);
    await fine(apply("tfplan"));
    expect(readFileSync(file(), "utf8")).toBe("hello\n");
    expect((await plan()).status).toBe(0);
  });

  it("never shows a sensitive value, also when something fails", async () => {
    const secret = "correct-horse-battery";
    const variable = `variable "secret" {\n  sensitive = true\n  default = "${secret}\\n"\n}\n`;
    const { plan, apply, destroy, write } = open(main("var.secret") + variable);
    const shown = [await plan(), await apply()];
    writeFileSync(file(), "by hand\n");
    shown.push(await plan());
    rmSync(join(host.root, "site"), { recursive: true });
    writeFileSync(join(host.root, "site"), "in the way");
    shown.push(await apply());
    expect(shown.map(({ status }) => status)).toEqual([2, 0, 2, 1]);
    rmSync(join(host.root, "site"));
    write("main.tf", main("var.secret", 'mode = "0600"') + variable);
    shown.push(await apply(), await plan(), await destroy());
    for (const { stdout, stderr } of shown) expect(stdout + stderr).not.toContain(secret);
  });

  it("attached, plan and apply share one connection to the host", async () => {
    const sessions = createSessionPool();
    const place = await createSocketPlace();
    const serving = await serve({
      // The pool outlives the connections of the engine's commands.
      openProvider: () => ({ ...createProvider({ sessions }), close: async () => undefined }),
      socketPath: place.path,
      log: createLog({}, () => undefined),
    });
    onTestFinished(async () => {
      await serving.close();
      place.remove();
      await sessions.close();
    });
    workspace = openWorkspace({
      engine,
      files: { key: host.privateKey },
      provider: { reattach: reattachVariable(place.path) },
    });
    const key = join(workspace.directory, "key");
    chmodSync(key, 0o600);
    // A relative path would be looked for in the serving process's working directory.
    workspace.write("main.tf", main('"hello\\n"').replaceAll("${path.module}/key", key));
    await fine(workspace.apply());
    expect(host.connections()).toBe(1);
    expect((await workspace.plan()).status).toBe(0);
    await fine(workspace.destroy());
    expect(host.connections()).toBe(1);
  });

  it("plans with what is stored where the provider's login is not known before the apply", async () => {
    const later = `terraform {
  required_providers {
    conn3x = { source = "registry.opentofu.org/conn3x/conn3x" }
  }
}
resource "terraform_data" "machine" { input = "${host.address}" }
provider "conn3x" {
  ssh {
    address          = terraform_data.machine.output
    port             = ${host.port}
    user             = "${host.user}"
    private_key_file = "\${path.module}/key"
    host_key         = "${host.hostKey}"
  }
}
resource "conn3x_file" "note" {
  path    = "${host.root}/note"
  content = "hello"
}
`;
    const { plan, apply } = open(later);
    await fine(apply());
    const replaced = await plan("-replace=terraform_data.machine");
    expect(replaced.status, replaced.stderr).toBe(2);
    expect(replaced.stdout).toContain("Host is not known yet");
    await fine(apply("tfplan"));
    expect((await plan()).status).toBe(0);
  });

  it("keeps what is stored while the host does not answer, with a warning", async () => {
    const { plan, apply } = open(main('"hello\\n"'));
    await fine(apply());
    await host.close();
    const planned = await plan();
    expect(planned.status, planned.stdout + planned.stderr).toBe(0);
    expect(planned.stdout).toMatch(/Warning/);
  });

  it("fails where the host does not let it, says why, and goes on from there", async () => {
    const { plan, apply } = open(main('"hello\\n"'));
    writeFileSync(join(host.root, "site"), "in the way");
    const applied = await apply();
    expect(applied.status).toBe(1);
    expect(applied.stderr).toContain(join(host.root, "site"));
    expect(applied.stderr).not.toContain("has a defect");
    rmSync(join(host.root, "site"));
    await fine(apply());
    expect((await plan()).status).toBe(0);
  });
});
