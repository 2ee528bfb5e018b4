/**
 * What `-json` prints is what OpenTofu and Terraform print for the same configuration, state and hosts: the same members
 * with the same values, but for what is listed here. So whatever reads theirs reads ours: policies, dashboards, CI.
 */
import { chmodSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { bundleProvider } from "../../provider/testing/bundle.ts";
import { type Engine, findEngines } from "../engines/engine.ts";
import { openWorkspace, type Workspace } from "../engines/workspace.ts";
import { bundleProgram, type Program } from "./program.ts";
import { openSite, type Site } from "./site.ts";

type Json = null | boolean | number | string | readonly Json[] | { readonly [name: string]: Json };
type JsonObject = { readonly [name: string]: Json };

let program: Program;
let site: Site;
let provider: { readonly directory: string };

beforeAll(async () => {
  [program, site, provider] = await Promise.all([
    bundleProgram(),
    openSite(),
    bundleProvider("provider/main.ts"),
  ]);
}, 120_000);

afterAll(async () => {
  program?.remove();
  await site?.remove();
  if (provider !== undefined) rmSync(provider.directory, { recursive: true, force: true });
});

/** Of several kinds: what policies look at in a configuration, and what instances there can be. */
const circuit = (site: Site, edited: boolean): string =>
  `${edited ? site.circuit.replace('step "token"', 'step "secret"').replace("site/token", "site/secret") : site.circuit}
variable "sizes" {
  type        = map(number)
  description = "Of things"
  default     = { small = "1", large = 2 }
  validation {
    condition     = length(var.sizes) > 1
    error_message = "Too few."
  }
}

check "holds" {
  assert {
    condition     = var.sizes.large == 2
    error_message = "It is not two."
  }
}

check "fails" {
  assert {
    condition     = var.sizes.large == 3
    error_message = "It is not three."
  }
}

check "of_resources" {
  assert {
    condition     = length(conn3x_file.web__page["web1"].revision) == 16
    error_message = "Not sixteen."
  }
}

variable "none" {
  type    = string
  default = null
}

locals {
  greeting = "hi \${var.text}"
  pages    = conn3x_file.web__page
}

output "greeting" {
  value       = local.greeting
  description = "What is said"
}

output "revisions" {
  value = [for page in local.pages : page.revision]
}

circuit "more" {
  hosts = {
    web1 = { address = "${site.host.address}", port = ${site.host.port}, host_key = "${site.host.hostKey}" }
  }
  ssh {
    user             = "${site.host.user}"
    private_key_file = "key"
    agent            = false
  }
  depends_on = [circuit.web]

  step "sized" {
    for_each = ${edited ? "{ large = 20, other = 3 }" : "var.sizes"}
    file {
      path    = "${site.host.root}/srv/\${each.key}"
      content = "\${each.value} \${upper("x")}"
    }
  }

  step "note" {
    command {
      run                = "true"
      triggers           = { page = step.sized["large"].revision }
      secret_environment = { TOKEN = var.secret }
    }
  }
}
`;

const conn3x = async (...args: string[]) => {
  const { status, stdout, stderr } = await program.run(args, { cwd: site.directory });
  if (stderr !== "") throw new Error(stderr);
  return { status, stdout };
};

for (const engine of findEngines()) {
  describe(`${engine.name} ${engine.version}`, () => {
    let workspace: Workspace;
    const write = async (edited: boolean) => {
      site.write(circuit(site, edited));
      await conn3x("compile");
    };
    const lineShapes = (stdout: string) => shapesOf(stdout, engine);
    const equalTo = (text: string) => comparable(parse(text), engine);
    const theirs = async (...args: string[]) => {
      const { status, stdout, stderr } = await workspace.run(args);
      if (status !== 0) throw new Error(stdout + stderr);
      return stdout;
    };
    /** Both plans, of the same state. */
    const plans = async (...args: string[]) => {
      await theirs("plan", "-out=tfplan", ...args);
      await conn3x("plan", "-plan-json=ours.json", ...args);
      const ours = readFileSync(join(site.directory, "ours.json"), "utf8");
      return [equalTo(await theirs("show", "-json", "tfplan")), equalTo(ours)] as const;
    };

    beforeAll(async () => {
      for (const name of ["terraform.tfstate", "terraform.tfstate.backup"])
        rmSync(join(site.directory, name), { force: true });
      await write(false);
      workspace = openWorkspace({ engine, files: {}, provider, directory: site.directory });
    }, 60_000);

    test("a plan to create everything", async () => {
      const [expected, ours] = await plans("-var", "text=first");
      expect(ours).toEqual(expected);
    });

    test("lines of what is created, and the state that comes of it", async () => {
      const made = lineShapes((await conn3x("apply", "-json", "-auto-approve")).stdout);
      const state = join(site.directory, "terraform.tfstate");
      const ours = (await conn3x("show", "-json")).stdout;
      expect(equalTo(ours)).toEqual(equalTo(await theirs("show", "-json")));
      const ended = lineShapes((await conn3x("destroy", "-json", "-auto-approve")).stdout);
      rmSync(state);
      expect(made).toEqual(lineShapes(await theirs("apply", "-json", "-auto-approve")));
      expect(ended).toEqual(lineShapes(await theirs("destroy", "-json", "-auto-approve")));
      rmSync(state);
      await theirs("apply", "-auto-approve");
    });

    test("a plan with nothing to do", async () => {
      const [expected, ours] = await plans();
      expect(ours).toEqual(expected);
    });

    test("a plan of edits, drift, what is gone, and what is not configured any more", async () => {
      await write(true);
      chmodSync(site.path("srv/site/page"), 0o600);
      rmSync(site.path("srv/large"));
      const [expected, ours] = await plans("-var", "text=later");
      expect(ours).toEqual(expected);
      const asked = await plans("-replace", 'conn3x_directory.web__site["web1"]');
      expect(asked[1]).toEqual(asked[0]);
      const destroyed = await plans("-destroy");
      // Nothing is checked where all ends: what is configured is there all the same, as unknown.
      const { checks } = destroyed[0] as JsonObject;
      expect(JSON.stringify(checks)).toMatch(/"unknown"/);
      expect(destroyed[1]).toEqual(destroyed[0]);
    });

    test("lines of all that", async () => {
      const planned = lineShapes((await conn3x("plan", "-json", "-var", "text=later")).stdout);
      expect(planned).toEqual(lineShapes(await theirs("plan", "-json", "-var", "text=later")));
      const there = await theirs("apply", "-json", "-auto-approve", "-var", "text=later");
      // Back again: the same kinds of things happen.
      await write(false);
      chmodSync(site.path("srv/site/page"), 0o600);
      rmSync(site.path("srv/large"));
      const back = (await conn3x("apply", "-json", "-auto-approve")).stdout;
      expect(kindsOf(lineShapes(back))).toEqual(kindsOf(lineShapes(there)));
    });

    test("lines of what is wrong", async () => {
      site.write(site.circuit.replace("content = var.secret", "content = var.scret"));
      const ours = await program.run(["plan", "-json"], { cwd: site.directory });
      const compiled = join(site.directory, "web.circuit.tf");
      const text = readFileSync(compiled, "utf8");
      writeFileSync(compiled, text.replace("= var.secret", "= var.scret"));
      const real = await workspace.run(["plan", "-json"]);
      writeFileSync(compiled, text);
      expect(ours.status).toBe(real.status);
      const members = (stdout: string) =>
        stdout
          .trimEnd()
          .split("\n")
          .map(parse)
          .filter(({ type, diagnostic }) => type === "diagnostic" && !isOverride(diagnostic))
          .map(({ diagnostic }) => Object.keys(diagnostic as JsonObject).sort());
      expect(members(ours.stdout)[0]).toEqual(expect.arrayContaining(members(real.stdout)[0] ?? []));
      await write(false);
    });

    test("everything is gone in the end", async () => {
      expect((await conn3x("destroy", "-auto-approve")).status).toBe(0);
    });
  });
}

const parse = (text: string): JsonObject => JSON.parse(text);

/** What ours has besides, on purpose. */
const additions = new Set(["urn", "conn3x"]);

/** What is each program's own, or Terraform's only. */
const own = new Set(["terraform_version", "timestamp", "applyable", "complete"]);

/** What only OpenTofu has. */
const notTerraforms = (name: string, within: readonly string[]): boolean =>
  name === "forget" || (name === "type" && within.at(-2) === "variables");

/** A plan or state as far as it is to be equal. */
function comparable(json: JsonObject, engine: Engine): Json {
  return map(json, (name, value, within) => {
    if (additions.has(name) || own.has(name)) return undefined;
    if (engine.name === "terraform" && notTerraforms(name, within)) return undefined;
    // The hash of what is sensitive is hidden, too.
    if (name === "sha256" && value === true) return undefined;
    // These come in one order or another.
    if (name === "references" || name === "relevant_attributes")
      return [...(value as readonly Json[])].sort((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1));
    if (within[0] === "prior_state") {
      // Theirs has what the outputs will be, as far as that is known, and what instances will wait for.
      if (name === "outputs" || name === "depends_on") return undefined;
    }
    // Of what is replaced theirs forgets what the schema says is sensitive; its changes have that.
    if (name === "sensitive_values" && within[0] === "planned_values") return undefined;
    return value;
  });
}

/** Goes through all members; those that become undefined are left out. */
function map(
  json: Json,
  change: (name: string, value: Json, within: readonly string[]) => Json | undefined,
  within: readonly string[] = [],
): Json {
  if (Array.isArray(json)) return json.map((item: Json) => map(item, change, within));
  if (json === null || typeof json !== "object") return json;
  return Object.fromEntries(
    Object.entries(json as JsonObject)
      .sort()
      .flatMap(([name, value]) => {
        const changed = change(name, value, within);
        return changed === undefined ? [] : [[name, map(changed, change, [...within, name])]];
      }),
  );
}

/** Which lines there are, each with the names of its members, in a fixed order: hosts are worked on at the same time. */
function shapesOf(stdout: string, engine: Engine): readonly string[] {
  const lines = stdout.trimEnd().split("\n").map(parse);
  return (
    lines
      // What checks say has ours in other words and other detail, and again after the apply.
      .filter(
        ({ type, "@level": level }) => type !== "version" && !(type === "diagnostic" && level === "warn"),
      )
      .map((line) => JSON.stringify(shape(line, engine)))
      .sort()
  );
}

/** Each kind of line once, whichever instance it is about. */
const kindsOf = (shapes: readonly string[]): readonly string[] =>
  [...new Set(shapes.map((text) => text.replace(/"(addr|resource|resource_key)":"(\\.|[^"])*"/g, '"$1":""')))]
    .map((text) => text.replace(/"(add|change)":\d+/g, '"$1":0'))
    .sort();

const isOverride = (diagnostic: Json | undefined): boolean =>
  JSON.stringify(diagnostic ?? null).includes("Provider development overrides");

/** Values that say what a line is about stay; of the others only their type does. */
const shape = (line: JsonObject, engine: Engine): Json =>
  map(line, (name, value, within) => {
    if (lineAdditions.has(name)) return undefined;
    if (engine.name === "terraform" && notTerraforms(name, within)) return undefined;
    if (name === "value") return "value";
    // Ours tells what is removed from what stays on its host: a command's instance, say.
    if (name === "remove" || name === "forget") return typeof value;
    return kept.has(name) || typeof value === "object" ? value : typeof value;
  });

const lineAdditions = new Set([...additions, "host", "circuit", "step", "kept"]);
const kept = new Set([
  "@level",
  "type",
  "action",
  "addr",
  "resource",
  "reason",
  "resource_key",
  "add",
  "change",
  "remove",
]);
