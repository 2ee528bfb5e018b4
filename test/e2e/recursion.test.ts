/**
 * What a directory with `recurse` sets of what is in it: what the configuration says and no more, which the plan names, and
 * nothing that another step manages.
 */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { findEngines } from "../engines/engine.ts";
import { describeLab, labHosts } from "../lab/for-tests.ts";
import { bundledProgram } from "./bundled.ts";
import { fleetBlocks } from "./interrupted-circuit.ts";

const program = bundledProgram();
const engines: readonly (readonly [name: string, ...flags: string[]])[] = [
  ["the embedded engine"],
  ...findEngines().map(({ name, program: path }) => [name, `-engine=${path}`] as const),
];

describeLab("a recursion", () => {
  const lab = labHosts(1);
  let directory: string;
  beforeEach(async () => {
    directory = mkdtempSync(join(tmpdir(), "conn3x-recursion-"));
    await lab.hosts[0].must(
      "rm -rf /srv/r; umask 022; mkdir -p /srv/r/sub; cd /srv/r; echo s >secret; chmod 0600 secret; echo x >sub/run; chmod 0755 sub/run",
    );
  });
  afterEach(() => rmSync(directory, { recursive: true, force: true }));

  const step = (name: string, body: string) => `  step "${name}" {\n    ${body}\n  }\n`;
  const write = (...steps: readonly string[]) =>
    writeFileSync(
      join(directory, "main.circuit.hcl"),
      `circuit "r" {\n${fleetBlocks(lab.lab, lab.hosts)}${steps.join("")}}\n`,
    );
  const flat = (text: string) => text.replace(/[\s│]+/g, " ");
  const run = (...args: readonly string[]) => program.run(directory, args);
  const look = () =>
    lab.hosts[0]
      .must("cd /srv/r && find . -mindepth 1 -printf '%P %m %u:%g\\n' | sort")
      .then((text) => text.split("\n").slice(0, -1));
  /** Twice, since values that an apply computes are there the second time; then nothing is to be done. */
  const applyTwice = async (...flags: readonly string[]) => {
    for (const _ of [1, 2]) {
      const { status, output } = await run("apply", "-auto-approve", ...flags);
      expect(status, output).toBe(0);
    }
    const { status, output } = await run("plan", "-detailed-exitcode", ...flags);
    expect(status, output).toBe(0);
  };

  test.each<[string, readonly string[]]>([
    ['group = "staff"', ["secret 600 root:staff", "sub 755 root:staff", "sub/run 755 root:staff"]],
    ['owner = "plain"', ["secret 600 plain:root", "sub 755 plain:root", "sub/run 755 plain:root"]],
    ['mode = "0750"', ["secret 640 root:root", "sub 750 root:root", "sub/run 750 root:root"]],
    [
      'mode = "0700"\n    group = "staff"',
      ["secret 600 root:staff", "sub 700 root:staff", "sub/run 700 root:staff"],
    ],
  ])("sets %s and nothing else, and a plan names what changes", async (settings, wanted) => {
    write(step("tree", `directory {\n path = "/srv/r"\n ${settings}\n recurse = true\n }`));
    const plan = await run("plan");
    expect(flat(plan.output)).toContain(
      "of /srv/r is set for these as well: secret sub sub/run Name in keep",
    );
    await applyTwice();
    expect(await look()).toEqual(wanted);
    await lab.hosts[0].must("chown deploy:deploy /srv/r/secret; chmod 0606 /srv/r/secret");
    expect(flat((await run("drift")).output)).toContain('differing[0]: expected nothing, found "secret"');
  });

  test.each(engines)(
    "leaves alone what other steps manage, with %s",
    { timeout: 120_000 },
    async (_, ...flags) => {
      write(
        step(
          "tree",
          'directory {\n path = "/srv/r"\n mode = "0755"\n group = "staff"\n recurse = true\n keep = ["kept"]\n }',
        ),
        step(
          "secret",
          'file {\n path = "/srv/r/secret"\n content = "new\\n"\n mode = "0600"\n backup = true\n }',
        ),
        step("line", 'line {\n path = "/srv/r/sub/conf"\n line = "x"\n create = true\n }'),
        step(
          "private",
          'directory {\n path = "/srv/r/private"\n mode = "0700"\n group = "deploy"\n recurse = true\n }',
        ),
        step("link", 'link {\n path = "/srv/r/link"\n target = "sub"\n }'),
      );
      await lab.hosts[0].must(
        "cd /srv/r; mkdir private kept; touch private/f kept/f sub/conf; chmod 0600 private/f kept/f sub/conf",
      );
      await applyTwice(...flags);
      const seen = await look();
      expect(seen.filter((one) => !one.startsWith("secret."))).toEqual([
        "kept 755 root:root",
        "kept/f 600 root:root",
        "link 777 root:root",
        "private 700 root:deploy",
        "private/f 600 root:deploy",
        "secret 600 root:root",
        "sub 755 root:staff",
        "sub/conf 600 root:root",
        "sub/run 755 root:staff",
      ]);
      expect(seen.filter((one) => one.startsWith("secret."))).toEqual([
        expect.stringMatching(/~ 600 root:root$/),
      ]);
    },
  );

  test("is refused where it would set what a resource block manages", async () => {
    write(step("tree", 'directory {\n path = "/srv/r"\n mode = "0755"\n recurse = true\n }'));
    const [host] = lab.hosts;
    writeFileSync(
      join(directory, "more.tf"),
      `resource "conn3x_file" "f" {
  path    = "/srv/r/secret"
  content = "s"
  mode    = "0600"
  ssh {
    address          = "${host.address}"
    host_key         = "${host.hostKey}"
    user             = "deploy"
    private_key_file = "${lab.lab.keyFile}"
    agent            = false
    become           = true
  }
}
`,
    );
    const { status, output } = await run("plan");
    expect([status, flat(output)]).toEqual([
      1,
      expect.stringContaining("Recursion would change what another instance manages"),
    ]);
  });
});
