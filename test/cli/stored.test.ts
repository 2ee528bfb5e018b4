/**
 * Commands that read or change what is stored, after an apply on a host inside this process.
 */
import { chmodSync, existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { bundleProgram, type Program } from "./program.ts";
import { openSite, type Site } from "./site.ts";

let program: Program;
let site: Site;

beforeAll(async () => {
  program = await bundleProgram();
  site = await openSite();
  const { status, stderr } = await conn3x("apply", "-auto-approve");
  expect([status, stderr]).toEqual([0, ""]);
});

afterAll(async () => {
  program?.remove();
  await site?.remove();
});

const conn3x = (...args: string[]) => program.run(args, { cwd: site.directory });
const answer = async (...args: string[]) => {
  const { status, stdout, stderr } = await conn3x(...args);
  expect([status, stderr]).toEqual([0, ""]);
  return stdout;
};
const refusal = async (...args: string[]) => {
  const { status, stderr } = await conn3x(...args);
  expect(status).toBe(1);
  return stderr.replace(/\s+/g, " ");
};
const statePath = () => join(site.directory, "terraform.tfstate");
const state = () => JSON.parse(readFileSync(statePath(), "utf8"));
const page = 'conn3x_file.web__page["web1"]';
const urn = "urn:conn3x:default::.::conn3x_file::web__page@web1";

describe("output", () => {
  test("shows what is not sensitive, and what is named", async () => {
    const path = site.path("srv/site/page");
    expect(await answer("output")).toBe(`path = "${path}"\nsecret = <sensitive>\n`);
    expect(await answer("output", "path")).toBe(`"${path}"\n`);
    expect(await answer("output", "-raw", "path")).toBe(path);
    expect(await answer("output", "-json", "path")).toBe(`"${path}"\n`);
    expect(await answer("output", "-raw", "secret")).toBe("s3cret");
    expect(JSON.parse(await answer("output", "-json"))).toEqual({
      path: { sensitive: false, type: "string", value: path },
      secret: { sensitive: true, type: "string", value: "s3cret" },
    });
  });

  test("says what is not there", async () => {
    expect(await refusal("output", "paht")).toContain('no output "paht". Did you mean "path"?');
    expect(await refusal("output", "-raw")).toContain("-raw needs a name");
    const { status, stdout } = await conn3x("output", "-state=none");
    expect([status, stdout.includes("Warning: No outputs found")]).toEqual([0, true]);
    expect(await answer("output", "-json", "-state=none")).toBe("{}\n");
  });
});

describe("state", () => {
  test("list and show", async () => {
    expect(await answer("state", "list")).toBe(
      [
        'conn3x_directory.web__site["web1"]',
        page,
        'conn3x_file.web__token["web1"]',
        'conn3x_service_action.web__restart["web1"]\n',
      ].join("\n"),
    );
    expect(await answer("state", "list", "conn3x_file.web__page")).toBe(`${page}\n`);
    const shown = await answer("state", "show", page);
    expect(shown).toMatch(/^# conn3x_file\.web__page\["web1"\]:\nresource "conn3x_file" "web__page" \{\n/);
    expect(shown).toContain('mode     = "0640"');
    expect(await answer("state", "show", urn)).toBe(shown);
    expect(await refusal("state", "show", "urn:conn3x:default::conn3x_file::x")).toContain(
      "ADDRESS must be an address, or a name such as urn:conn3x:default::.::conn3x_file::web__config@web1",
    );
    expect(await refusal("state", "show", "conn3x_file.web__pag")).toContain(
      "Did you mean conn3x_file.web__page?",
    );
    expect(await refusal("state", "show", "conn3x_file.web__page[web1]")).toContain(
      `write 'conn3x_file.web__page["web1"]'`,
    );
    expect(await refusal("state", "show")).toContain("conn3x state show [options] ADDRESS...");
  });

  test("mv gives an instance or a resource another address, and back", async () => {
    const before = state();
    const other = 'conn3x_file.web__other["web1"]';
    expect(await answer("state", "mv", "-dry-run", page, other)).toBe(`Would move ${page} to ${other}\n`);
    expect(await answer("state", "mv", "-dry-run", urn, urn.replace("page", "other"))).toBe(
      `Would move ${page} to ${other}\n`,
    );
    expect(state()).toEqual(before);
    expect(await answer("state", "mv", page, other)).toBe(`Moved ${page} to ${other}\n`);
    expect(await answer("state", "list")).toContain(other);
    await answer("state", "mv", "conn3x_file.web__other", "conn3x_file.web__page");
    expect(state().resources).toEqual(before.resources);
    expect(await refusal("state", "mv", page, "conn3x_line.x")).toContain("The type cannot change");
    expect(await refusal("state", "mv", page, 'conn3x_file.web__token["web1"]')).toContain(
      "in the state already",
    );
    expect(await conn3x("plan", "-detailed-exitcode")).toMatchObject({ status: 0 });
  });

  test("rm forgets and leaves the host alone; push brings it back", async () => {
    const pulled = await answer("state", "pull");
    expect(pulled).toBe(readFileSync(statePath(), "utf8"));
    expect(await answer("state", "rm", "-dry-run", page)).toContain("Would forget 1 instance.");
    expect(await answer("state", "rm", "-dry-run", urn)).toContain(`Would remove ${page}\n`);
    expect(await answer("state", "rm", "conn3x_file.web__page")).toContain(
      `Removed ${page}\nForgot 1 instance.`,
    );
    expect(await answer("state", "list")).not.toContain(page);
    expect(existsSync(site.path("srv/site/page"))).toBe(true);
    writeFileSync(join(site.directory, "saved"), pulled);
    expect(await refusal("state", "push", "saved")).toContain("The given state is older");
    const other = join(site.directory, "other");
    writeFileSync(other, pulled.replace(/"lineage": "[^"]*"/, '"lineage": "another"'));
    expect(await refusal("state", "push", "other")).toContain("another one's");
    await answer("state", "push", "-force", "saved");
    expect(state()).toEqual(JSON.parse(pulled));
    for (const name of ["saved", "other"]) rmSync(join(site.directory, name));
    expect(await conn3x("plan", "-detailed-exitcode")).toMatchObject({ status: 0 });
  });

  test("nothing of it is left locked", () => {
    expect(readdirSync(site.directory).filter((name) => /lock|journal/.test(name))).toEqual([]);
  });
});

describe("show -json", () => {
  test("has OpenTofu's shape", async () => {
    const shown = JSON.parse(await answer("show", "-json"));
    expect(Object.keys(shown)).toEqual(["format_version", "terraform_version", "values"]);
    const found = shown.values.root_module.resources.find(
      ({ address }: { address: string }) => address === page,
    );
    expect(found).toMatchObject({
      mode: "managed",
      type: "conn3x_file",
      name: "web__page",
      index: "web1",
      provider_name: "registry.opentofu.org/conn3x/conn3x",
      schema_version: 0,
      values: { mode: "0640", content: "hello\n" },
      depends_on: ["conn3x_directory.web__site"],
    });
    const token = shown.values.root_module.resources.find(
      ({ name }: { name: string }) => name === "web__token",
    );
    expect(token.sensitive_values).toMatchObject({ content: true });
    expect(JSON.parse(await answer("show", "-json", "-state=none"))).not.toHaveProperty("values");
  });
});

describe("console", () => {
  const ask = (input: string) => program.run(["console"], { cwd: site.directory, input });

  test("evaluates with variables and what is stored", async () => {
    const { status, stdout } = await ask(`upper(var.text)\nvar.secret\n${page}.mode\n1 + 1\n`);
    expect([status, stdout]).toEqual([0, '"HELLO"\n(sensitive value)\n"0640"\n2\n']);
  });

  test("ends at what is wrong on a pipe", async () => {
    const { status, stdout, stderr } = await ask("nope(1)\n2\n");
    expect([status, stdout]).toEqual([1, ""]);
    expect(stderr).toContain("nope");
  });
});

test("graph prints arrows to what is waited for", async () => {
  const text = await answer("graph");
  expect(text).toContain('  "conn3x_file.web__page" -> "conn3x_directory.web__site";\n');
  // Through the page: an arrow of its own would say nothing new.
  expect(text).not.toContain('"conn3x_file.web__token" -> "conn3x_directory.web__site"');
});

describe("drift", () => {
  test("finds nothing where nothing changed", async () => {
    expect(await answer("drift")).toBe("\nNo drift in what was read: 4 instances on 1 host.\n");
  });

  test("says by host and step what was expected and what was found, and writes nothing", async () => {
    chmodSync(site.path("srv/site/page"), 0o600);
    writeFileSync(site.path("srv/site/token"), "theirs");
    const before = readdirSync(site.directory).map((name) => [
      name,
      readFileSync(join(site.directory, name)),
    ]);
    const { status, stdout } = await conn3x("drift");
    expect(status).toBe(2);
    expect(stdout).toContain(
      `\nHost web1:\n  step page (${page})\n    mode: expected "0640", found "0600"\n  step token`,
    );
    expect(stdout).toContain("content: expected (sensitive value), found (sensitive value)");
    expect(stdout).toContain("\nDrift: 2 instances on 1 of 1 host.\n");
    expect(stdout).not.toMatch(/s3cret|theirs/);
    const json = await conn3x("drift", "-json");
    expect(json.status).toBe(2);
    expect(JSON.parse(json.stdout).drift[0]).toEqual({
      host: "web1",
      circuit: "web",
      step: "page",
      address: page,
      urn,
      mode: "enabled",
      gone: false,
      changes: [{ path: "mode", owner: "configuration", expected: "0640", found: "0600" }],
    });
    expect(json.stdout).not.toMatch(/s3cret|theirs/);
    expect(
      readdirSync(site.directory).map((name) => [name, readFileSync(join(site.directory, name))]),
    ).toEqual(before);
  });

  test("is still drift when a refresh has stored it, until it is put back", async () => {
    const planned = await conn3x("plan", "-refresh-only", "-detailed-exitcode");
    expect(planned.status).toBe(2);
    expect(planned.stdout).toContain('mode: expected "0640", found "0600"');
    expect(await conn3x("refresh")).toMatchObject({ status: 0, stderr: "" });
    expect(
      state().resources.find(({ name }: { name: string }) => name === "web__page").instances[0].attributes
        .mode,
    ).toBe("0600");
    expect(await conn3x("plan", "-refresh-only", "-detailed-exitcode")).toMatchObject({ status: 0 });
    expect(await conn3x("drift")).toMatchObject({ status: 2 });
    expect(await conn3x("apply", "-auto-approve")).toMatchObject({ status: 0 });
    expect(await conn3x("drift")).toMatchObject({ status: 0 });
  });

  test("does not pass a host over that does not answer", async () => {
    site.write(site.circuit.replace(`port = ${site.host.port}`, "port = 1"));
    const { status, stdout } = await conn3x("drift");
    expect(status).toBe(3);
    expect(stdout).toContain("Not read: web1.");
    site.write(site.circuit);
    const planned = await conn3x("plan", "-refresh=false");
    expect(planned.stdout).toContain("No host was read: what is on them may differ.");
  });

  test("what is gone is said to be", async () => {
    rmSync(site.path("srv/site/page"));
    const { status, stdout } = await conn3x("drift");
    expect([status, stdout.includes(`step page (${page}) is gone from the host\n`)]).toEqual([2, true]);
  });
});

describe("what a replacement left", () => {
  const other = () => join(site.directory, "left.tfstate");
  const leave = (onlyOld: boolean): void => {
    const file = state();
    const resource = file.resources.find(({ name }: { name: string }) => name === "web__page");
    const old = { ...structuredClone(resource.instances[0]), deposed: "6f5eb581" };
    old.attributes.path = "/old";
    resource.instances = onlyOld ? [old] : [...resource.instances, old];
    writeFileSync(other(), JSON.stringify(file));
  };
  const stored = () =>
    JSON.parse(readFileSync(other(), "utf8")).resources.flatMap(
      ({ name, instances }: { name: string; instances: { index_key: string; deposed?: string }[] }) =>
        instances.map(
          ({ index_key, deposed }) => `${name} ${index_key}${deposed === undefined ? "" : " old"}`,
        ),
    );

  test("is listed with its instance, shown by show and not by state show, as OpenTofu does", async () => {
    leave(false);
    const list = (await answer("state", "list", "-state=left.tfstate")).split("\n");
    expect(list.filter((address) => address === page)).toHaveLength(1);
    const shown = await answer("show", "-state=left.tfstate");
    expect(shown).toContain(`# ${page}:\n`);
    expect(shown).toContain(`# ${page}: (deposed object 6f5eb581)\n`);
    expect(await answer("state", "show", "-state=left.tfstate", page)).not.toContain("/old");
    const { resources } = JSON.parse(await answer("show", "-json", "-state=left.tfstate")).values.root_module;
    const of = resources.filter(({ address }: { address: string }) => address === page);
    expect(of.map(({ deposed_key }: { deposed_key?: string }) => deposed_key)).toEqual([
      undefined,
      "6f5eb581",
    ]);
    leave(true);
    expect((await answer("state", "list", "-state=left.tfstate")).split("\n")).toContain(page);
    expect(await refusal("state", "show", "-state=left.tfstate", page)).toContain("nothing at this address");
  });

  test("moves and goes with its instance", async () => {
    leave(false);
    const moved = 'conn3x_file.web__page["web2"]';
    expect(await answer("state", "mv", "-state=left.tfstate", page, moved)).toBe(
      `Moved ${page} to ${moved}\n`,
    );
    expect(stored()).toEqual(expect.arrayContaining(["web__page web2", "web__page web2 old"]));
    expect(await answer("state", "rm", "-state=left.tfstate", moved)).toContain("Forgot 1 instance.");
    expect(stored().filter((name: string) => name.startsWith("web__page"))).toEqual([]);
  });
});
