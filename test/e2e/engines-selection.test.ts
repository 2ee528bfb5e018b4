/**
 * What `conn3x -engine` works on when a part is chosen: what the embedded engine would, or nothing.
 */
import { cpSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { findEngines, titled } from "../engines/engine.ts";
import { describeLab, labHosts } from "../lab/for-tests.ts";
import { conn3x } from "./conn3x.ts";
import { webSite } from "./engines-web.ts";

/** Does the work for each, so many at once. */
async function eachOf<T>(all: readonly T[], atOnce: number, work: (one: T) => Promise<void>): Promise<void> {
  const rest = [...all];
  const worker = async (): Promise<void> => {
    for (let one = rest.shift(); one !== undefined; one = rest.shift()) await work(one);
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
}

describeLab("conn3x -engine, chosen parts", () => {
  const lab = labHosts(2);
  const { directory, write, hosts, login, web, plain } = webSite(lab);

  describe.each(titled(findEngines()))("%s", (_, { program }) => {
    const engine = `-engine=${program}`;
    const withEngine = (...args: readonly string[]) => conn3x(directory(), ...args, engine);

    test("-target, -circuit, -step, -limit and -replace choose what the embedded engine chooses", async () => {
      write(
        `${web()}
circuit "other" {
  hosts = { db1 = "${hosts()[1].address}" }
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
      const choices = [
        ["-limit=web1"],
        ["-limit=web*", "-step=note"],
        ["-circuit=other"],
        ["-step=pages", "-limit=web2"],
        ["-target=conn3x_file.web__note"],
        ['-target=conn3x_file.web__pages["web1/a"]'],
        ['-target=conn3x_file.web__pages["web1/a"]', "-refresh-only"],
        ["-limit=web1", "-refresh-only"],
        ["-limit=web1", "-refresh=false"],
        ['-replace=conn3x_file.web__note["web2"]', "-limit=web2"],
        ["-destroy", "-circuit=other"],
      ];
      const misspelt = [["-circuit=wub"], ["-step=notes"], ["-limit=db7"], ["-target=conn3x_file.web__nota"]];
      // Plans only look: side by side, each in a copy of the directory.
      const planned = async (choice: readonly string[], ...options: readonly string[]) => {
        const copy = mkdtempSync(join(tmpdir(), "conn3x-engines-"));
        try {
          cpSync(directory(), copy, { recursive: true });
          return await conn3x(
            copy,
            "plan",
            "-detailed-exitcode",
            "-format=resources",
            "-expand",
            ...choice,
            ...options,
          );
        } finally {
          rmSync(copy, { recursive: true, force: true });
        }
      };
      const compare = (chosen: readonly (readonly string[])[]) =>
        eachOf(chosen, 3, async (choice) => {
          const expected = await planned(choice);
          expect(await planned(choice, engine), choice.join(" ")).toEqual(expected);
        });
      await compare([...choices, ...misspelt]);
      const some = await withEngine("apply", "-auto-approve", "-limit=web1");
      expect(some.status, some.output).toBe(0);
      expect(await hosts()[0].must("cat /srv/page-a /srv/runs")).toBe("pageran\n");
      expect((await hosts()[1].exec("test -e /srv/note")).status).toBe(1);
      await compare(choices);
      expect((await withEngine("apply", "-auto-approve")).status).toBe(0);
      await hosts()[0].must("echo by hand >/srv/note; rm /srv/page-a");
      await compare([...choices, ...misspelt]);
      // Many plans: several engines' each.
    }, 400_000);

    test("a part is not destroyed where the engine would take more with it", async () => {
      write(web());
      expect((await withEngine("apply", "-auto-approve")).status).toBe(0);
      const refused = await withEngine("destroy", "-auto-approve", "-limit=web2");
      expect(refused.status).toBe(1);
      expect(refused.output).toContain("This engine would do more than was chosen");
      expect(refused.output).toContain('conn3x_file.web__pages["web1/a"]');
      expect(await hosts()[0].must("cat /srv/page-a")).toBe("page");
      expect(await hosts()[1].must("cat /srv/page-a")).toBe("page");
      const embedded = await plain("destroy", "-auto-approve", "-limit=web2");
      expect(embedded.status, embedded.output).toBe(0);
      expect(await hosts()[0].must("cat /srv/page-a")).toBe("page");
      expect((await hosts()[1].exec("test -e /srv/page-a")).status).toBe(1);
    });

    test("-limit is kept where the engine would take what comes before it", async () => {
      write(
        `${web("depends_on = [circuit.base]")}
circuit "base" {
  hosts = { db1 = "${hosts()[1].address}" }
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
      const refused = await withEngine("apply", "-auto-approve", "-limit=web1");
      expect(refused.status).toBe(1);
      expect(refused.output).toContain("This engine would do more than was chosen");
      expect(refused.output).toContain('conn3x_file.base__last["db1"]');
      expect((await hosts()[0].exec("test -e /srv/note")).status).toBe(1);
      const first = await withEngine("apply", "-auto-approve", "-limit=db1");
      expect(first.status, first.output).toBe(0);
      const then = await withEngine("apply", "-auto-approve", "-limit=web1");
      expect(then.status, then.output).toBe(0);
      expect(await hosts()[0].must("cat /srv/note")).toBe("hello");
      expect((await hosts()[1].exec("test -e /srv/note")).status).toBe(1);
    });
  });
});
