/** A host that goes by two names, or by two addresses: a plan says so. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { describeLab, labHosts } from "../lab/for-tests.ts";
import { bundledProgram } from "./bundled.ts";

const program = bundledProgram();

describeLab("one machine", () => {
  const lab = labHosts(2);
  const directory = mkdtempSync(join(tmpdir(), "conn3x-one-"));
  afterAll(() => rmSync(directory, { recursive: true, force: true }));
  let second: string;
  beforeAll(async () => {
    const [one] = lab.hosts;
    second = one.address.replace(/\.\d+$/, ".199");
    const device = (await one.must(`ip -o addr show to ${one.address} | awk '{print $2}'`)).trim();
    await one.must(`ip addr add ${second}/24 dev ${device}`);
  });

  const circuit = (name: string, hosts: Readonly<Record<string, string>>) => `circuit "${name}" {
  hosts = {
${Object.entries(hosts)
  .map(
    ([host, address]) =>
      `    ${host} = { address = "${address}", host_key = "${lab.hosts[address === lab.hosts[1].address ? 1 : 0].hostKey}" }`,
  )
  .join("\n")}
  }
  ssh {
    user             = "deploy"
    private_key_file = "${lab.lab.keyFile}"
    agent            = false
  }
  step "f" {
    file {
      path    = "/home/deploy/${name}-\${host.name}"
      content = "x"
    }
  }
}
`;
  const plan = async (...circuits: string[]) => {
    writeFileSync(join(directory, "main.circuit.hcl"), circuits.join(""));
    const { status, output } = await program.run(directory, ["plan", "-detailed-exitcode"]);
    expect(status, output).toBe(2);
    return output.replace(/[\s│]+/g, " ");
  };
  const warning = "Two hosts are one machine";

  test("under two names in a circuit", async () => {
    const { address } = lab.hosts[0];
    const output = await plan(circuit("a", { web: address, db: address }));
    expect(output).toContain(warning);
    expect(output).toContain(`db and web of circuit a are all at ${address}`);
  });

  test("at two addresses, in one circuit or two", async () => {
    const { address } = lab.hosts[0];
    for (const circuits of [
      [circuit("a", { web: address, db: second })],
      [circuit("a", { web: address }), circuit("b", { web: second })],
    ]) {
      const output = await plan(...circuits);
      expect(output).toMatch(new RegExp(`${warning} .* lead to the same machine`));
      expect(output).toContain(`${second}:22`);
    }
  });

  test("two machines, and one in two circuits, are nothing to speak of", async () => {
    const [one, other] = lab.hosts;
    const output = await plan(
      circuit("a", { web: one.address, db: other.address }),
      circuit("b", { web: one.address }),
    );
    expect(output).not.toContain(warning);
  });
});
