/**
 * The contract suite on a real host, with sudo.
 */
import { contractCases, furtherCases, labCases } from "../contract/kinds.ts";
import { lifecycleSuite } from "../contract/lifecycle.ts";
import { describeLab, labHosts } from "../lab/for-tests.ts";

describeLab("contract", () => {
  const lab = labHosts(1);
  let roots = 0;
  lifecycleSuite(() => {
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
  }, [...contractCases, ...furtherCases, ...labCases]);
});
