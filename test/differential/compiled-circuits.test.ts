/**
 * What circuits compile to, judged by real engines: each output is in canonical form and valid, and its HCL and JSON
 * forms give the same plan. All circuits are planned at once, as modules, so that an engine has to start only once.
 */
import { join } from "node:path";
import { describe, expect, it, vi } from "vitest";
import { emitHcl } from "../../src/compiler/emit/hcl.ts";
import { emitJson } from "../../src/compiler/emit/json.ts";
import { emitTree } from "../../src/compiler/emit/tree.ts";
import { loadConfiguration } from "../../src/compiler/source/load.ts";
import { kinds } from "../../src/resources/index.ts";
import { findEngines, titled } from "../engines/engine.ts";
import { providerWorkspaces } from "../engines/provider-workspaces.ts";
import type { Workspace } from "../engines/workspace.ts";
import { asModules } from "./circuit-corpus.ts";

vi.setConfig({ testTimeout: 400_000 });

const engines = findEngines();

/** A root that calls a module that calls another. */
const circuitsInModules = {
  "main.circuit.hcl": `variable "password" {
  type      = string
  default   = "x"
  sensitive = true
}

provider "conn3x" {
  ssh {
    connect_timeout = 0.1
  }
}

circuit "base" {
  hosts = { h1 = "10.0.7.1" }
  ssh {
    password = var.password
  }
  step "motd" {
    file {
      path    = "/etc/motd"
      content = module.web["a"].greeting
    }
  }
}

module "web" {
  source   = "./modules/web"
  for_each = toset(["a"])
  name     = each.key
}
`,
  "modules/web/web.circuit.hcl": `variable "name" {
  type = string
}

circuit "web" {
  hosts = { h1 = "10.0.7.1" }
  ssh {
    password = "y"
  }
  step "page" {
    file {
      path    = "/srv/\${var.name}"
      content = file("\${path.module}/page.txt")
    }
  }
}

output "greeting" {
  value = "Hello"
}

module "inner" {
  source = "../inner"
}
`,
  "modules/web/page.txt": "page\n",
  "modules/inner/inner.circuit.hcl": `circuit "inner" {
  hosts = { h1 = "10.0.7.1" }
  step "root" {
    directory {
      path = "/srv/inner"
    }
  }
}
`,
};

const open = providerWorkspaces("test/engines/uncompared-process.ts");

it.skipIf(engines.length > 0)("has no engine here to judge what circuits compile to", () => {
  expect(engines).toEqual([]);
});

describe.each(titled(engines))("%s", (_, engine) => {
  const workspaceWith = (files: Readonly<Record<string, string>>): Workspace => open(engine, files);
  const fine = async (run: ReturnType<Workspace["run"]>): Promise<void> => {
    const { status, stdout, stderr } = await run;
    expect(status, stdout + stderr).toBe(0);
  };

  it("finds the outputs in canonical form", async () => {
    const { "main.tf": _, ...files } = asModules(emitHcl);
    await fine(workspaceWith(files).run(["fmt", "-check", "-diff", "-recursive", "-no-color"]));
  });

  it.each([
    ["HCL", emitHcl],
    ["JSON", emitJson],
  ] as const)("finds the outputs valid in %s", async (_, emit) => {
    const workspace = workspaceWith(asModules(emit));
    await fine(workspace.run(["get"]));
    await fine(workspace.run(["validate", "-no-color"]));
  });

  it("finds valid what circuits of modules compile to, beside them", async () => {
    const workspace = workspaceWith(circuitsInModules);
    const configuration = await loadConfiguration(workspace.directory, { kinds });
    expect(configuration.diagnostics.map(({ severity, summary }) => [severity, summary])).toEqual([
      ["warning", "This login secret will be stored"],
    ]);
    for (const { directory, outputs } of emitTree(configuration, emitHcl)) {
      for (const [name, text] of outputs) workspace.write(join(directory, name), text);
    }
    await fine(workspace.run(["get"]));
    await fine(workspace.run(["fmt", "-check", "-recursive", "-no-color"]));
    await fine(workspace.run(["validate", "-no-color"]));
    const { plan, stdout, stderr } = await workspace.plan();
    expect(plan?.resource_changes?.map(({ address }) => address).sort(), stdout + stderr).toEqual([
      'conn3x_file.base__motd["h1"]',
      'module.web["a"].conn3x_file.web__page["h1"]',
      'module.web["a"].module.inner.conn3x_directory.inner__root["h1"]',
    ]);
  });

  it("plans the same from HCL and from JSON", async () => {
    const [hcl, json] = await Promise.all(
      [emitHcl, emitJson].map(async (emit) => {
        const workspace = workspaceWith(asModules(emit));
        await fine(workspace.run(["get"]));
        const { plan, stdout, stderr } = await workspace.plan();
        expect(plan, stdout + stderr).toBeDefined();
        return [...plan!.resource_changes!].sort((a, b) => (a.address < b.address ? -1 : 1));
      }),
    );
    expect(hcl!.length).toBeGreaterThan(60);
    expect(json).toEqual(hcl);
  });
});
