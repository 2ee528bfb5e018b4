/**
 * Parts of a run under `conn3x -engine`: plans in files, rollouts, drift, and the commands that look at a configuration or
 * a state. Where the embedded engine has the same, it says what is right.
 */
import { readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { findEngines, titled } from "../engines/engine.ts";
import { describeLab, labHosts } from "../lab/for-tests.ts";
import { conn3x } from "./conn3x.ts";
import { webSite } from "./engines-web.ts";

describeLab("conn3x -engine, parts of a run", () => {
  const lab = labHosts(2);
  const { directory, write, hosts, login, web, plain } = webSite(lab);
  /** Everything in the directory, with the time of its last change. */
  const files = () =>
    readdirSync(directory()).map((name) => `${name} ${statSync(join(directory(), name)).mtimeMs}`);

  describe.each(titled(findEngines()))("%s", (_, { program, name }) => {
    const engine = `-engine=${program}`;
    const withEngine = (...args: readonly string[]) => conn3x(directory(), ...args, engine);

    test("a saved plan is shown with its reasons and applied as it was made", async () => {
      write(web());
      expect((await withEngine("apply", "-auto-approve")).status).toBe(0);
      await hosts()[0].must("echo by hand >/srv/note");
      const planned = await withEngine("plan", "-detailed-exitcode", "-out=saved");
      expect(planned.status, planned.output).toBe(2);
      expect(planned.output).toContain(`conn3x apply ${engine} saved`);
      expect(statSync(join(directory(), "saved")).mode & 0o777).toBe(0o600);
      const shown = await withEngine("show", "saved");
      expect(shown.status, shown.output).toBe(0);
      expect(shown.output).toContain("changed on the host, is put back");
      expect(planned.output).toContain(shown.output.trim());
      const json = JSON.parse((await withEngine("show", "-json", "saved")).output);
      expect(json.resource_changes).toHaveLength(8);

      const wrong = await plain("apply", "saved");
      expect(wrong.status).toBe(1);
      expect(wrong.output).toContain("OpenTofu or Terraform made it");
      await plain("plan", "-out=ours");
      expect((await withEngine("apply", "ours")).output).toContain("is no plan of this engine");
      const nothing = await withEngine("apply", "main.circuit.hcl");
      expect(nothing.status).toBe(1);
      expect(nothing.output).toContain("main.circuit.hcl is no plan to apply");

      const applied = await withEngine("apply", "saved");
      expect(applied.status, applied.output).toBe(0);
      expect(applied.output).toContain("Apply complete! 0 created, 1 updated, 1 replaced");
      expect(await hosts()[0].must("cat /srv/note")).toBe("hello");
      const stale = await withEngine("apply", "saved");
      expect(stale.status).toBe(1);
      expect(stale.output).toContain("stale");
    });

    test("drift says what the embedded engine says, and writes nothing", async () => {
      write(web());
      expect((await withEngine("apply", "-auto-approve")).status).toBe(0);
      const compare = async (status: number) => {
        const before = files();
        const [text, json] = [await withEngine("drift"), await withEngine("drift", "-json")];
        expect(files()).toEqual(before);
        expect(text).toEqual(await plain("drift"));
        expect(json).toEqual(await plain("drift", "-json"));
        expect([text.status, json.status]).toEqual([status, status]);
        return text.output;
      };
      expect(await compare(0)).toContain("No drift");
      await hosts()[0].must("echo by hand >/srv/note; rm /srv/page-a; chmod 600 /srv/page-b");
      expect(await compare(2)).toContain("Drift: 3 instances on 1 of 2 hosts.");
      expect((await withEngine("refresh")).status).toBe(0);
      // What a refresh has stored is drift still, and what it found gone is not in the state any more.
      expect(await compare(2)).toContain("Drift: 2 instances on 1 of 2 hosts.");
      await hosts()[1].cut();
      try {
        expect(await compare(2)).toContain("Not read: web2.");
        await hosts()[0].must("printf hello >/srv/note; chmod 644 /srv/page-b");
        expect(await compare(3)).toContain("Not read: web2.");
      } finally {
        await hosts()[1].mend();
      }
      writeFileSync(join(directory(), "terraform.tfstate"), "{");
      expect((await withEngine("drift")).status).toBe(1);
    });

    test("a rollout is an apply for each batch, asked for once", async () => {
      write(
        `${web("rollout {\n    batch = local.size\n  }")}
locals {
  size = 1
}
resource "terraform_data" "seen" {
  input = conn3x_file.web__note["web2"].content
}
output "seen" {
  value = terraform_data.seen.output
}
`,
      );
      const saved = await withEngine("plan", "-out=saved");
      expect(saved.status).toBe(1);
      expect(saved.output).toContain("A rollout cannot be saved");
      const applied = await withEngine("apply", "-auto-approve");
      expect(applied.status, applied.output).toBe(0);
      expect(applied.output.match(/will do the following/g)).toHaveLength(1);
      const order = [...applied.output.matchAll(/^(\S+): (?:Created|Ran) after/gm)].map(
        ([, address]) => address,
      );
      const host = (address = "") => /\["(web\d)/.exec(address)?.[1] ?? address;
      expect(order.map(host)).toEqual([
        ...Array(4).fill("web1"),
        ...Array(4).fill("web2"),
        "terraform_data.seen",
      ]);
      expect(applied.output).toContain("Apply complete! 9 created");
      expect(applied.output).toContain('seen = "hello"');
      const again = await withEngine("plan", "-detailed-exitcode");
      expect(again.status, again.output).toBe(0);
      expect((await withEngine("destroy", "-auto-approve")).status).toBe(0);
    });

    test("a rollout ends where a host fails, and says which hosts stay as they were", async () => {
      write(
        `${web("rollout {\n    batch = 1\n  }")}
circuit "after" {
  hosts = { web2 = "${hosts()[1].address}" }
  depends_on = [circuit.web]
  ${login()}
  step "last" {
    file {
      path    = "/srv/last"
      content = "last"
    }
  }
}
`,
      );
      await hosts()[0].must("mkdir /srv/page-a");
      const stopped = await withEngine("apply", "-auto-approve");
      expect(stopped.status, stopped.output).toBe(1);
      expect(stopped.output).toContain("the rollout stopped before batch 2: 1 host failed");
      expect(stopped.output).toContain("Apply incomplete: 1 failed, 6 not done. 2 created");
      expect((await hosts()[1].exec("ls /srv/note /srv/last")).status).not.toBe(0);
      await hosts()[0].must("rmdir /srv/page-a");
      const rest = await withEngine("apply", "-auto-approve");
      expect(rest.status, rest.output).toBe(0);
      expect(await hosts()[1].must("cat /srv/note /srv/last")).toBe("hellolast");
      expect((await withEngine("destroy", "-auto-approve")).status).toBe(0);
    });

    test("failed hosts that a rollout allows do not keep the others", async () => {
      write(web("rollout {\n    batch = 1\n    max_failures = 1\n  }"));
      await hosts()[0].must("mkdir /srv/page-a");
      const applied = await withEngine("apply", "-auto-approve");
      expect(applied.status, applied.output).toBe(1);
      expect(applied.output).toContain("Apply incomplete: 1 failed, 1 not done. 6 created");
      expect(await hosts()[1].must("cat /srv/note /srv/runs")).toBe("helloran\n");
      await hosts()[0].must("rmdir /srv/page-a");
      expect((await withEngine("destroy", "-auto-approve")).status).toBe(0);
    });

    test("init and validate, and changes of the state wherever it is", async () => {
      write(`
terraform {
  backend "local" {
    path = "elsewhere/state"
  }
}
${web()}
resource "terraform_data" "seen" {
  input = "x"
}
`);
      const prepared = await withEngine("init");
      expect(prepared.status, prepared.output).toBe(0);
      expect(prepared.output).toContain("is prepared. Next: conn3x plan -engine=");
      const valid = await withEngine("validate");
      expect(valid.output).toContain("The configuration is valid");
      expect((await withEngine("apply", "-auto-approve")).status).toBe(0);

      const old = 'conn3x_file.web__note["web2"]';
      const moved = await withEngine("state", "mv", old, 'conn3x_file.web__note["web3"]');
      expect(moved.status, moved.output).toBe(0);
      const pulled = await withEngine("state", "pull");
      writeFileSync(join(directory(), "kept"), pulled.output);
      const back = await withEngine("state", "mv", 'conn3x_file.web__note["web3"]', old);
      expect(back.status, back.output).toBe(0);
      const older = await withEngine("state", "push", "kept");
      expect(older.status, older.output).toBe(1);
      expect(older.output).toContain("serial");
      const forced = await withEngine("state", "push", "-force", "kept");
      expect(forced.status, forced.output).toBe(0);
      expect((await withEngine("state", "list")).output).toContain('conn3x_file.web__note["web3"]');
      const removed = await withEngine("state", "rm", 'conn3x_file.web__note["web3"]');
      expect(removed.status, removed.output).toBe(0);
      const missing = await withEngine("state", "rm", "terraform_data.nope");
      expect(missing.status).toBe(1);
      expect(missing.output).toContain("Error: Invalid target address");
      expect(readFileSync(join(directory(), "elsewhere/state"), "utf8")).not.toContain("web3");
    });

    test("what is wrong with another provider's resource is said as the engine says it", async () => {
      write(`
resource "terraform_data" "seen" {
  inputs = "x"
}
${web()}
`);
      for (const command of ["validate", "plan"]) {
        const { status, output } = await withEngine(command);
        expect(status).toBe(1);
        expect(output).toContain("Unsupported argument");
        expect(output).toContain("on main.circuit.hcl line 3");
      }
      write(`
terraform {
  required_providers {
    nobody = { source = "registry.invalid/nobody/nobody" }
  }
}
resource "nobody_thing" "x" {}
${web()}
`);
      for (const command of ["init", "plan", "validate"]) {
        const { status, output } = await withEngine(command);
        expect(status).toBe(1);
        expect(output).toContain(`${name === "tofu" ? "OpenTofu" : "Terraform"} could not be initialised`);
        expect(output).toContain("registry.invalid/nobody/nobody");
      }
    });
  });
});
