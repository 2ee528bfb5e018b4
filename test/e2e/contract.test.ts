/**
 * The contract suite on a real host, with sudo; through the wire what needs such a host.
 */
import { join } from "node:path";
import { describe } from "vitest";
import { lifecycleSuite, type Stage } from "../../src/kind/testing/lifecycle.ts";
import { contractCases, furtherCases, labCases } from "../contract/kinds.ts";
import { ownedCases } from "../contract/owned.ts";
import { ownershipSuite } from "../contract/ownership-suite.ts";
import { openWireProvider } from "../contract/wire-provider.ts";
import { describeLab, labHosts } from "../lab/for-tests.ts";

const program = join(import.meta.dirname, "../../dist/provider/terraform-provider-conn3x");

describeLab("contract", () => {
  const lab = labHosts(1);
  let roots = 0;
  const stage = (): Stage => {
    const [host] = lab.hosts;
    return {
      ssh: {
        address: host!.address,
        user: "deploy",
        private_key_file: lab.lab.keyFile,
        host_key: host!.hostKey,
        agent: false,
        become: true,
      },
      shell: async (script) => (await host!.exec(script)).status,
      async makeRoot() {
        roots++;
        await host!.must(`mkdir -m 0700 /srv/case${roots}`);
        return `/srv/case${roots}`;
      },
    };
  };
  lifecycleSuite(stage, [...contractCases, ...furtherCases, ...labCases]);
  describe("through the wire", () => lifecycleSuite(stage, labCases, () => openWireProvider(program)));
  ownershipSuite(
    stage,
    ownedCases.filter(({ lab: forLab, needsRoot }) => forLab === true || needsRoot === true),
  );
});
