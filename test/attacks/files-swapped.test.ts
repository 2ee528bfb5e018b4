/**
 * Files and lines that are written while a user of the host swaps every name in their directory without a pause: see README.md.
 */
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { bundledProgram } from "../e2e/bundled.ts";
import { describeLab, labHosts } from "../lab/for-tests.ts";

const program = bundledProgram();
const attackers = join(import.meta.dirname, "files");
const secret = "SECRET-OF-ROOT";
const count = 100;

describeLab("a user who swaps names while root works", () => {
  const lab = labHosts(1);
  let directory: string;

  beforeAll(async () => {
    directory = mkdtempSync(join(tmpdir(), "conn3x-swaps-"));
    await lab.hosts[0].must("mkdir -p /etc/victims && chmod 755 /home/plain");
  });
  afterAll(() => rmSync(directory, { recursive: true, force: true }));

  /** Steps for so many files and so many lines, each kind in a circuit of its own: what one refuses ends that. */
  const write = (round: number) => {
    const { address, hostKey } = lab.hosts[0];
    const step = (name: string, body: string) => `step "${name}" {
  for_each      = toset([for i in range(${count}) : format("%03d", i)])
  ignore_errors = true
  ${name} {
    path     = "/home/plain/swapped/app-${name}-\${each.key}"
    mode     = "0640"
    ${body}
    backup   = true
    validate = "test -r %s"
  }
}`;
    writeFileSync(
      join(directory, "main.circuit.hcl"),
      ["file", "line"]
        .map(
          (kind) => `circuit "${kind}s" {
  hosts = { h = { address = "${address}", host_key = "${hostKey}" } }
  ssh {
    user             = "deploy"
    private_key_file = "${lab.lab.keyFile}"
    agent            = false
    become           = true
  }
  ${kind === "file" ? step("file", `content = "round ${round}\\n"\n owner = "plain"`) : step("line", `regexp = "^round"\n line = "round ${round}"\n create = true`).replace('mode     = "0640"\n', "")}
}
`,
        )
        .join(""),
    );
  };
  const victims = () =>
    lab.hosts[0].must(
      "cd /etc/victims && find . -printf '%p %y %m %U %G %l\\n' | sort && sha256sum v app-* | sort",
    );

  test.each(["swap-temporary.pl", "swap-final.pl", "swap-parent.pl"])(
    "gets nothing of root's (%s)",
    async (attacker) => {
      const [host] = lab.hosts;
      const directories = "/home/plain/swapped /home/plain/swapped.away";
      await host.must(
        `rm -rf ${directories} /etc/victims/*; echo 'round ${secret}' >/etc/victims/v; for k in file line; do for i in $(seq -w 0 ${count - 1}); do cp /etc/victims/v /etc/victims/app-$k-0$i; done; done; chmod 600 /etc/victims/*; su plain -s /bin/sh -c 'mkdir /home/plain/swapped'`,
      );
      const before = await victims();
      const swapping = host.exec(
        "cat >/home/plain/attack.pl; su plain -s /bin/sh -c 'exec timeout 60 perl /home/plain/attack.pl /home/plain/swapped /etc/victims/v /home/plain/stop'",
        readFileSync(join(attackers, attacker)),
      );
      try {
        for (const round of [1, 2]) {
          write(round);
          for (const command of [["apply", "-auto-approve"], ["refresh"]]) {
            const { output } = await program.run(directory, command);
            expect(output).not.toContain(secret);
            expect(output).not.toContain("defect");
            expect(await victims(), `${round} ${command[0]}`).toBe(before);
          }
        }
      } finally {
        await host.must("touch /home/plain/stop");
        await swapping;
        await host.must("rm /home/plain/stop");
      }
      // Where every object was refused in all rounds, nothing was there to be recorded.
      const state = join(directory, "terraform.tfstate");
      if (existsSync(state)) expect(readFileSync(state, "utf8")).not.toContain(secret);
    },
  );
});
