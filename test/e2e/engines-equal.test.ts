/**
 * Short stories beside the long one (`engines-differential.test.ts`), each lived with the embedded engine and with every
 * other one that is here, on the same hosts: what is shown, done and stored must be equal.
 */
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { findEngines } from "../engines/engine.ts";
import { describeLab, labHosts } from "../lab/for-tests.ts";
import { conn3x } from "./conn3x.ts";
import { type Scene, type Story, stories } from "./engines-stories.ts";

describeLab("conn3x -engine, short stories", () => {
  const lab = labHosts(3);
  const engines = findEngines();
  const circuit = (story: Story, scene: Scene): string =>
    written(story, scene).replace(/\bWEB(\d)\b/g, (_, host) => lab.hosts[Number(host) - 1]!.address);
  const hostsOf = ({ hosts = 2 }: Story) => lab.hosts.slice(0, hosts);
  const written = (story: Story, { steps, circuit: more = story.circuit ?? "" }: Scene) => `
provider "conn3x" {
  ssh {
    private_key_file = "${lab.lab.keyFile}"
    known_hosts_file = "${lab.lab.knownHostsFile}"
    agent            = false
    become           = true
    connect_timeout  = 3
  }
}

circuit "web" {
  hosts = {
${hostsOf(story)
  .map(({ address }, i) => `    web${i + 1} = "${address}"`)
  .join("\n")}
  }
  ${more}
  ssh {
    user = "deploy"
  }
${steps}}
`;
  const look =
    "cd /srv/case && find . -type f -o -type l | sort | while read -r f; do stat -c '%N %a %U' $f; cat $f; echo; done";

  async function live(story: Story, options: readonly string[]) {
    const directory = mkdtempSync(join(tmpdir(), "conn3x-story-"));
    const records = [];
    const hosts = hostsOf(story);
    const onAll = (command: string) => Promise.all(hosts.map((host) => host.must(command)));
    try {
      await onAll(`rm -rf /srv/case; { ${story.clear ?? ":"}; } >&2`);
      for (const [name, text] of Object.entries(story.files ?? {}))
        writeFileSync(join(directory, name), text);
      for (const scene of story.scenes) {
        writeFileSync(join(directory, "main.circuit.hcl"), circuit(story, scene));
        if (scene.before !== undefined) await onAll(scene.before);
        const down = hosts.filter((_, i) => scene.down?.includes(`web${i + 1}`));
        await Promise.all(down.map((host) => host.cut()));
        const command = scene.command ?? ["apply", "-auto-approve", "-format=resources", "-expand"];
        const { status, output } = await conn3x(directory, ...command, ...options);
        await Promise.all(down.map((host) => host.mend()));
        records.push({
          status,
          shown: scene.saysOtherwise ? [] : shown(output),
          hosts: await Promise.all(
            hosts.map(async (host) => (await host.exec(`${look}; ${story.look ?? ":"}`)).stdout),
          ),
          state: stateOf(directory),
        });
      }
      return records;
    } finally {
      rmSync(directory, { recursive: true, force: true });
    }
  }

  describe.each(stories.map((story) => [story.name, story] as const))("%s", (_, story) => {
    test.skipIf(engines.length === 0)("is the same with every engine", { timeout: 600_000 }, async () => {
      const embedded = await live(story, []);
      for (const { program, name } of engines) {
        const other = await live(story, [`-engine=${program}`]);
        for (const [scene, record] of embedded.entries())
          expect.soft(other[scene], `${name}, scene ${scene + 1}`).toEqual(record);
      }
    });
  });
});

const plain = (output: string): string => output.replace(/"[0-9a-f]{16}"/g, '"REVISION"').trim();

/**
 * All that is said but what goes on meanwhile, of which each engine tells in its own way and time. Of what is not configured
 * any more the engines do not tell what came after what, so that the order is left out.
 */
const shown = (output: string): readonly string[] =>
  plain(output)
    .replace(
      /^(?:Reading the hosts\.\.\.|\S+(?: \(old object\))?: (?:\w+\.\.\.|.* after [\d.]+m?s.*|Not done: .*))$/gm,
      "",
    )
    .split(/\n{2,}/)
    .map((paragraph) => paragraph.trim())
    .sort();

interface StoredText {
  readonly outputs: unknown;
  readonly resources: readonly {
    readonly instances: readonly {
      readonly sensitive_attributes?: readonly unknown[];
      readonly private?: string;
    }[];
  }[];
}

/** Without what differs by chance. */
function stateOf(directory: string): unknown {
  const path = join(directory, "terraform.tfstate");
  if (!existsSync(path)) return undefined;
  const text = plain(readFileSync(path, "utf8"));
  const { outputs, resources } = JSON.parse(text) as StoredText;
  return {
    outputs,
    resources: resources.map(({ instances, ...resource }) => ({
      ...resource,
      instances: instances.map(({ sensitive_attributes: paths = [], private: kept, ...instance }) => ({
        ...instance,
        // Hashes of secrets are salted.
        private: Buffer.from(kept ?? "", "base64")
          .toString()
          .replace(/"scrypt:[^"]*"/g, '"scrypt"'),
        // A set: engines write it in any order.
        sensitive_attributes: paths.map((path) => JSON.stringify(path)).sort(),
      })),
    })),
  };
}
