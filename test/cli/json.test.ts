/**
 * `-json`: lines in the form of OpenTofu's machine-readable UI, and the plan in the form of its JSON plan. Which members
 * they have was seen in what OpenTofu 1.12.6 printed for resources of its own.
 */
import { chmodSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { bundleProgram, type Program } from "./program.ts";
import { openSite, type Site } from "./site.ts";

let program: Program;
let site: Site;

beforeAll(async () => {
  program = await bundleProgram();
  site = await openSite();
});

afterAll(async () => {
  program?.remove();
  await site?.remove();
});

interface Line {
  readonly type: string;
  readonly [name: string]: unknown;
}

async function lines(...args: string[]) {
  const { status, stdout, stderr } = await program.run(args, { cwd: site.directory });
  expect(stderr).toBe("");
  expect(stdout).not.toContain("s3cret");
  const all = stdout
    .trimEnd()
    .split("\n")
    .map((line): Line => JSON.parse(line));
  for (const line of all) {
    expect(line).toMatchObject({
      "@level": expect.stringMatching(/^(info|warn|error)$/),
      "@message": expect.any(String),
      "@module": "conn3x.ui",
      "@timestamp": expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
    });
  }
  return { status, all, of: (type: string) => all.filter((line) => line.type === type) };
}

const page = {
  addr: 'conn3x_file.web__page["web1"]',
  module: "",
  resource: 'conn3x_file.web__page["web1"]',
  implied_provider: "conn3x",
  resource_type: "conn3x_file",
  resource_name: "web__page",
  resource_key: "web1",
  host: "web1",
  circuit: "web",
  step: "page",
  urn: "urn:conn3x:default::.::conn3x_file::web__page@web1",
};

describe("lines", () => {
  test("of a plan", async () => {
    const { status, all, of } = await lines("plan", "-json");
    expect(status).toBe(0);
    expect(all[0]).toMatchObject({ type: "version", conn3x: "1.2.3", ui: "1.2" });
    expect(of("planned_change")[1]).toMatchObject({
      "@message": `${page.addr}: Plan to create`,
      change: { resource: page, action: "create", conn3x: { reasons: [{ kind: "create" }] } },
    });
    expect(of("change_summary")).toMatchObject([
      {
        "@message": "Plan: 4 to add, 0 to change, 0 to destroy.",
        changes: { add: 4, change: 0, import: 0, remove: 0, forget: 0, operation: "plan" },
      },
    ]);
    expect(of("outputs")).toMatchObject([
      {
        outputs: {
          path: { sensitive: false, action: "create" },
          secret: { sensitive: true, action: "create" },
        },
      },
    ]);
  });

  test("of an apply", async () => {
    const refused = await program.run(["apply", "-json"], { cwd: site.directory });
    expect([refused.status, refused.stderr.includes("-json needs -auto-approve")]).toEqual([1, true]);
    const { status, of } = await lines("apply", "-json", "-auto-approve");
    expect(status).toBe(0);
    expect(of("apply_start")[1]).toMatchObject({
      "@message": `${page.addr}: Creating...`,
      hook: { resource: page, action: "create", conn3x: { reasons: [{ kind: "create" }] } },
    });
    expect(of("apply_complete")[1]).toMatchObject({
      "@message": `${page.addr}: Creation complete after 0s [id=${site.path("srv/site/page")}]`,
      hook: {
        resource: page,
        action: "create",
        id_key: "id",
        id_value: site.path("srv/site/page"),
        elapsed_seconds: 0,
      },
    });
    expect(of("change_summary").at(-1)).toMatchObject({
      "@message": "Apply complete! Resources: 4 added, 0 changed, 0 destroyed.",
      changes: { add: 4, operation: "apply", conn3x: { created: 4, failed: [], not_done: [] } },
    });
    expect(of("outputs").at(-1)).toMatchObject({
      outputs: {
        path: { sensitive: false, type: "string", value: site.path("srv/site/page") },
        secret: { sensitive: true, type: "string" },
      },
    });
  });

  test("of drift, and of a replacement", async () => {
    chmodSync(site.path("srv/site/page"), 0o600);
    const { of } = await lines("plan", "-json");
    expect(of("resource_drift")).toMatchObject([
      { "@message": `${page.addr}: Drift detected (update)`, change: { resource: page, action: "update" } },
    ]);
    expect(of("planned_change")).toMatchObject([
      { change: { action: "update", conn3x: { reasons: [{ kind: "drift", paths: ["mode"] }] } } },
      { change: { action: "replace", reason: "cannot_update", resource: { step: "restart" } } },
    ]);
    expect(of("change_summary")).toMatchObject([{ changes: { add: 1, change: 1, remove: 1 } }]);
    for (const name of [page.addr, page.urn]) {
      const asked = await lines("plan", "-json", `-replace=${name}`);
      expect(asked.of("planned_change")[0]).toMatchObject({
        change: { resource: page, action: "replace", reason: "requested" },
      });
    }
  });

  test("of what is wrong", async () => {
    site.write(site.circuit.replace("directory {", "directry {"));
    const { status, all } = await lines("plan", "-json");
    expect(status).toBe(1);
    expect(all[1]).toMatchObject({
      "@level": "error",
      "@message": expect.stringMatching(/^Error: /),
      type: "diagnostic",
      diagnostic: { severity: "error", range: { filename: "web.circuit.hcl" }, snippet: { start_line: 31 } },
    });
    site.write(site.circuit);
  });
});

describe("the plan as JSON", () => {
  test("has OpenTofu's members, and ours", async () => {
    const args = ["plan", "-plan-json=plan.json", "-var", "secret=other"];
    expect(await program.run(args, { cwd: site.directory })).toMatchObject({ status: 0 });
    const plan = JSON.parse(readFileSync(join(site.directory, "plan.json"), "utf8"));
    expect(plan).toMatchObject({ format_version: "1.2", errored: false });
    const changes = new Map<string, unknown>(
      plan.resource_changes.map((change: { address: string }) => [change.address, change]),
    );
    expect(changes.get(page.addr)).toMatchObject({
      mode: "managed",
      type: "conn3x_file",
      name: "web__page",
      index: "web1",
      provider_name: "registry.opentofu.org/conn3x/conn3x",
      change: {
        actions: ["update"],
        before: { mode: "0600" },
        after: { mode: "0640" },
        after_unknown: { revision: true },
        before_sensitive: {},
        after_sensitive: {},
      },
      conn3x: { host: "web1", step: "page", reasons: [{ kind: "drift", paths: ["mode"] }] },
    });
    expect(changes.get('conn3x_file.web__token["web1"]')).toMatchObject({
      change: {
        after: { content: "other" },
        before_sensitive: { content: true },
        after_sensitive: { content: true },
      },
    });
    expect(changes.get('conn3x_service_action.web__restart["web1"]')).toMatchObject({
      change: { actions: ["delete", "create"], replace_paths: [["triggers"]] },
      action_reason: "replace_because_cannot_update",
    });
    expect(plan.resource_drift).toMatchObject([{ address: page.addr, change: { actions: ["update"] } }]);
    expect(plan.output_changes.secret).toEqual({
      actions: ["update"],
      before: "s3cret",
      after: "other",
      after_unknown: false,
      before_sensitive: true,
      after_sensitive: true,
    });
    expect(plan.planned_values.root_module.resources).toHaveLength(4);
  });
});

describe("a saved plan", () => {
  const conn3x = (...args: string[]) => program.run(args, { cwd: site.directory });

  test("is shown, and applied as it was made", async () => {
    const made = await conn3x("plan", "-out=saved", "-var", "text=saved");
    expect(made.stdout).toContain("\nSaved to saved. To do exactly this: conn3x apply saved\n");
    const shown = await conn3x("show", "saved");
    expect([shown.status, shown.stderr]).toEqual([0, ""]);
    expect(shown.stdout).toContain("      + saved\n");
    const json = await conn3x("show", "-json", "saved");
    expect(JSON.parse(json.stdout)).toMatchObject({ format_version: "1.2", errored: false });
    writeFileSync(
      join(site.directory, "check.tf"),
      'check "never" {\n assert {\n condition = path.root == ""\n error_message = "Never."\n }\n}\n',
    );
    try {
      const warned = await conn3x("plan", "-out=warned");
      expect([warned.status, warned.stdout]).toEqual([0, expect.stringContaining("Never.")]);
      const { checks } = JSON.parse((await conn3x("show", "-json", "warned")).stdout);
      expect(checks).toMatchObject([{ address: { to_display: "check.never" }, status: "fail" }]);
    } finally {
      rmSync(join(site.directory, "check.tf"));
    }
    const narrowed = await conn3x("apply", "-limit=web1", "saved");
    expect(narrowed.status).toBe(1);
    expect(narrowed.stderr).toContain("Error: A saved plan takes no -limit");
    expect((await conn3x("apply", "saved")).stdout).toContain(
      "Apply complete! 0 created, 1 updated, 1 replaced",
    );
    expect(readFileSync(site.path("srv/site/page"), "utf8")).toBe("saved\n");
    const again = await conn3x("apply", "saved");
    expect([again.status, again.stderr.includes("Saved plan is stale")]).toEqual([1, true]);
    expect((await conn3x("apply", "key")).stderr).toContain("key is no plan to apply");
    const { stderr } = await conn3x("show", "none");
    expect(stderr).toContain("none: there is no such file or directory. conn3x plan -out=FILE saves one.");
  });
});

describe("parts", () => {
  test("are chosen by host, circuit, step and address", async () => {
    const chosen = async (...args: string[]) => {
      const { of } = await lines("plan", "-json", ...args);
      return of("planned_change").map(
        ({ change }) => (change as { resource: { step: string } }).resource.step,
      );
    };
    expect(await chosen("-limit=w?b*,web1")).toEqual(["page", "restart"]);
    expect(await chosen("-step=site")).toEqual([]);
    expect(await chosen(`-target=${page.addr}`)).toContain("page");
    expect(await chosen(`-target=${page.urn}`)).toContain("page");
    const unknown = await program.run(["plan", "-circuit=wbe"], { cwd: site.directory });
    expect(unknown.status).toBe(1);
  });
});
