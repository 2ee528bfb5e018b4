/**
 * What an unprivileged user can win while the product is at work: names are turned to links and back all the time, whatever
 * is written, owned, walked through or removed by them.
 */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { bundledProgram } from "../../e2e/bundled.ts";
import { describeLab, labHosts } from "../../lab/for-tests.ts";
import { attacker } from "./table/attack.ts";

/** How many objects are attacked at the same time, all kinds together; for a long search, `CONN3X_ATTACKS=5000`. */
const objects = Number(process.env.CONN3X_ATTACKS ?? 200);

const secret = "SECRET-that-is-in-no-other-file";
const home = `/home/${attacker}/swapped`;
const prize = "/srv/prize";

interface Target {
  readonly kind: "file" | "line" | "directory" | "link";
  /** Name of the object in its directory `sub`. */
  readonly object: string;
  readonly settings: string;
  /** Shell text that makes it, as the attacker, in the directory that holds `sub`. */
  readonly made: string;
  /** Pairs of names there that are turned to each other; `i` is another for each object. */
  readonly swaps: (i: number) => readonly (readonly [string, string])[];
}

/** The object itself for a link to root's, its directory for one of root's, or another name of a file of root's. */
const swapsOf = (object: string) => (i: number) =>
  ([[[`sub/${object}`, "link"]], [["sub", "parent"]], [[`sub/${object}`, "other-name"]]] as const)[i % 3]!;

const targets: readonly Target[] = [
  {
    kind: "file",
    object: "file",
    settings: `content = "wanted\\n"\n  owner = "${attacker}"\n  mode = "0604"\n  backup = true\n  validate = "test -f %s"`,
    made: "echo old >sub/file",
    swaps: swapsOf("file"),
  },
  {
    kind: "line",
    object: "file",
    settings: 'line = "wanted = 1"\n  unsafe_write = true',
    made: "echo old >sub/file",
    swaps: swapsOf("file"),
  },
  {
    kind: "directory",
    object: "dir",
    settings: `owner = "${attacker}"\n  mode = "0705"\n  recurse = true\n  on_remove = "delete"`,
    made: "mkdir -p sub/dir/in; echo x >sub/dir/in/f; echo x >sub/dir/f; chmod 0700 sub/dir/in",
    swaps: (i) =>
      (
        [
          [
            ["sub/dir/f", "link"],
            ["sub/dir/in", "parent"],
          ],
          [
            ["sub/dir/f", "other-name"],
            ["sub/dir/in/f", "second-name"],
          ],
          [["sub/dir", "parent"]],
          [["sub", "parent"]],
        ] as const
      )[i % 4]!,
  },
  {
    kind: "directory",
    object: "dir",
    settings: "purge = true",
    made: "mkdir -p sub/dir/in; echo x >sub/dir/in/f; echo x >sub/dir/f",
    swaps: (i) =>
      ([[["sub/dir/in", "parent"]], [["sub/dir", "parent"]], [["sub", "parent"]]] as const)[i % 3]!,
  },
  {
    kind: "link",
    object: "link",
    settings: 'target = "/srv/wanted"',
    made: "ln -s old sub/link",
    swaps: swapsOf("link"),
  },
];

/** Of each kind. */
const rounds = Math.ceil(objects / targets.length);

const program = bundledProgram();

describeLab("what is swapped while the product is at work", () => {
  const lab = labHosts(1);
  const directory = mkdtempSync(join(tmpdir(), "conn3x-swapped-"));
  afterAll(() => rmSync(directory, { recursive: true, force: true }));

  const configuration = () => {
    const [host] = lab.hosts;
    const resources = targets.map(
      ({ kind, object, settings }, n) => `
resource "conn3x_${kind}" "t${n}" {
  count = ${rounds}
  path  = "${home}/t${n}/\${count.index}/sub/${object}"
  ${settings}
  ssh {
    user   = count.index % 2 == 0 ? "root" : "deploy"
    become = count.index % 2 == 1
  }
}
`,
    );
    return `provider "conn3x" {
  ssh {
    address          = "${host.address}"
    private_key_file = "${lab.lab.keyFile}"
    host_key         = "${host.hostKey}"
    agent            = false
  }
}
${resources.join("")}`;
  };

  const witness = () =>
    lab.hosts[0].must(
      `cd ${prize} && find . -printf '%P %y %m %u:%g %s %l\\n' | sort && find . -type f -exec sha256sum {} + | sort`,
    );

  test(`${rounds} objects of each kind, four times`, { timeout: 600_000 }, async () => {
    const [host] = lab.hosts;
    await host.must(
      "sh",
      `umask 027; rm -rf ${prize} ${home}; mkdir -p ${prize}/dir ${prize}/in; cd ${prize}; chmod 755 . dir in
for f in file f dir/f in/f secret; do echo ${secret} >$f; done; ln -s secret link
mkdir -p ${home}; chown ${attacker}: ${home}`,
    );
    const prepare = targets.map(
      ({ made }, n) => `i=0; while [ $i -lt ${rounds} ]; do
  mkdir -p ${home}/t${n}/$i/sub; cd ${home}/t${n}/$i; ${made}; ln -s ${prize}/secret link; ln -s ${prize} parent
  i=$((i + 1))
done`,
    );
    await host.must(`runuser -u ${attacker} -- sh`, `umask 022\n${prepare.join("\n")}\n`);
    // What anybody may do where fs.protected_hardlinks is off.
    await host.must(
      `for d in ${home}/t*/*; do ln ${prize}/secret $d/other-name; ln ${prize}/f $d/second-name; done`,
    );
    const pairs = targets.flatMap(({ swaps }, n) =>
      Array.from({ length: rounds }, (_, i) => i).flatMap((i) =>
        swaps(i).map(([a, b]) => `${home}/t${n}/${i}/${a} ${home}/t${n}/${i}/${b}\n`),
      ),
    );
    writeFileSync(join(directory, "main.tf"), configuration());
    const before = await witness();
    await host.must("cat >/srv/swapped.pl", readFileSync(join(import.meta.dirname, "swapped.pl")));
    const swapping = host.must(`cd /srv && exec runuser -u ${attacker} -- perl swapped.pl`, pairs.join(""));
    const output: string[] = [];
    try {
      for (const command of ["apply", "plan", "apply", "destroy"]) {
        const approved = command === "plan" ? [] : ["-auto-approve"];
        const ran = await program.run(directory, [command, ...approved]);
        expect(ran.status, ran.output).toBeLessThan(3);
        // Most are refused when they are just turned to something else, but not all.
        if (output.length === 0) expect(Number(/(\d+) created/.exec(ran.output)?.[1])).toBeGreaterThan(0);
        output.push(ran.output);
        output.push(readFileSync(join(directory, "terraform.tfstate"), "utf8"));
      }
    } finally {
      await host.must("touch /srv/stop");
    }
    const turns = Number(await swapping);
    await host.must("rm /srv/stop");
    expect(turns).toBeGreaterThan(10);
    expect(await witness()).toBe(before);
    expect(output.join("\n")).not.toContain(secret);
  });
});
