/**
 * Short stories beside the long one (`engines-differential.test.ts`), each lived with the embedded engine and with every
 * other one that is here, on the same host: what is shown, done and stored must be equal.
 */
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { findEngines } from "../engines/engine.ts";
import { describeLab, labHosts } from "../lab/for-tests.ts";
import { conn3x } from "./conn3x.ts";

/** What the circuit holds, what befalls the hosts before, and what is then asked for. */
interface Scene {
  readonly steps: string;
  readonly before?: string;
  /** Default: an apply. */
  readonly command?: readonly string[];
}

interface Story {
  readonly name: string;
  readonly scenes: readonly Scene[];
  /** Settings of the circuit. */
  readonly circuit?: string;
}

const file = (name: string, path: string, content: string, more = "") => `
  step "${name}" {
    file {
      path    = "/srv/case/${path}"
      content = "${content}"
    }
    ${more}
  }
`;

const handled = (run: string, content: string) => `
${file("config", "config", content, "notify = [handler.reload]")}
  handler "reload" {
    command {
      run = "${run}"
    }
  }
`;

const stories: readonly Story[] = [
  {
    name: "import",
    scenes: [
      {
        before: "mkdir -p /srv/case; printf old >/srv/case/a; printf b >/srv/case/b",
        steps: `${file("a", "a", "new")}${file("b", "b", "b")}
}
import {
  to = conn3x_file.web__a["web1"]
  id = "ssh://deploy@WEB1/srv/case/a"
}
import {
  for_each = { web1 = "WEB1", web2 = "WEB2" }
  to       = conn3x_file.web__b[each.key]
  id       = "ssh://deploy@\${each.value}/srv/case/b"
`,
      },
      { steps: `${file("a", "a", "new")}${file("b", "b", "b")}`, command: ["plan", "-detailed-exitcode"] },
    ],
  },
  {
    name: "a failing step where failures stop everything",
    circuit: 'on_failure = "stop"',
    scenes: [
      {
        before: "mkdir -p /srv/case; hostname | grep -q web1 && touch /srv/case/refuse; true",
        steps: `
  step "check" {
    command {
      run = "test ! -e /srv/case/refuse"
    }
  }
${file("a", "a", "a")}`,
      },
      {
        before: "rm -f /srv/case/refuse",
        steps: `
  step "check" {
    command {
      run = "test ! -e /srv/case/refuse"
    }
  }
${file("a", "a", "a")}`,
      },
    ],
  },
  {
    name: "a handler that failed runs in the next apply",
    scenes: [
      { steps: handled("echo one >>/srv/case/runs", "one") },
      { steps: handled("echo two >>/srv/case/runs; false", "two") },
      { steps: handled("echo two >>/srv/case/runs; false", "two"), command: ["plan", "-detailed-exitcode"] },
      { steps: handled("echo three >>/srv/case/runs", "two") },
    ],
  },
  {
    name: "what another address holds is not deleted",
    scenes: [
      { steps: file("old", "a", "a") },
      { steps: file("young", "a", "a") },
      { steps: file("young", "a", "a"), command: ["destroy", "-auto-approve"] },
    ],
  },
  {
    name: "what is to be kept stays, and is counted",
    scenes: [
      {
        before: "mkdir -p /srv/case; printf mine >/srv/case/mine",
        steps: `${file("mine", "mine", "mine")}${file("ours", "ours", "ours")}
  step "kept" {
    file {
      path    = "/srv/case/kept"
      content = "kept"
    }
    on_remove = "keep"
  }
`,
      },
      { steps: file("other", "other", "other") },
    ],
  },
  {
    name: "moved, removed and replaced",
    scenes: [
      { steps: `${file("a", "a", "a")}${file("b", "b", "b")}${file("c", "c", "c")}` },
      {
        steps: `${file("a2", "a", "a")}${file("c", "d", "c")}
}
moved {
  from = conn3x_file.web__a
  to   = conn3x_file.web__a2
}
removed {
  from = conn3x_file.web__b
  lifecycle {
    destroy = false
  }
`,
      },
    ],
  },
];

describeLab("conn3x -engine, short stories", () => {
  const lab = labHosts(2);
  const engines = findEngines();
  const circuit = (story: Story, scene: Scene): string =>
    written(story, scene).replace(/\bWEB(\d)\b/g, (_, host) => lab.hosts[Number(host) - 1]!.address);
  const written = ({ circuit: more = "" }: Story, { steps }: Scene) => `
provider "conn3x" {
  ssh {
    private_key_file = "${lab.lab.keyFile}"
    known_hosts_file = "${lab.lab.knownHostsFile}"
    agent            = false
    become           = true
  }
}

circuit "web" {
  hosts = {
${lab.hosts.map(({ address }, i) => `    web${i + 1} = "${address}"`).join("\n")}
  }
  ${more}
  ssh {
    user = "deploy"
  }
${steps}}
`;
  const look = "cd /srv/case && for f in *; do stat -c '%n %a %U' $f; cat $f; echo; done";

  async function live(story: Story, options: readonly string[]) {
    const directory = mkdtempSync(join(tmpdir(), "conn3x-story-"));
    const records = [];
    try {
      await Promise.all(lab.hosts.map((host) => host.must("rm -rf /srv/case")));
      for (const scene of story.scenes) {
        writeFileSync(join(directory, "main.circuit.hcl"), circuit(story, scene));
        if (scene.before !== undefined) await Promise.all(lab.hosts.map((host) => host.must(scene.before!)));
        const planned = await conn3x(directory, "plan", "-detailed-exitcode", "-expand", ...options);
        const acted = await conn3x(directory, ...(scene.command ?? ["apply", "-auto-approve"]), ...options);
        records.push({
          planned: planned.status,
          // Of what is not configured any more the engines do not tell what came after what.
          plan: plain(planned.output)
            .split(/\n\n(?= {2}# )/)
            .sort(),
          status: acted.status,
          // How long things take and in which order they end is chance.
          summary: plain(acted.output)
            .split("\n")
            .filter((line) => /^(?:Apply|Destroy|No changes|Plan)/.test(line)),
          hosts: await Promise.all(lab.hosts.map(async (host) => (await host.exec(look)).stdout)),
          state: stateOf(directory),
        });
      }
      return records;
    } finally {
      rmSync(directory, { recursive: true, force: true });
    }
  }

  describe.each(stories.map((story) => [story.name, story] as const))("%s", (_, story) => {
    test.skipIf(engines.length === 0)("is the same with every engine", { timeout: 300_000 }, async () => {
      const embedded = await live(story, []);
      for (const { program, name } of engines) {
        const other = await live(story, [`-engine=${program}`]);
        for (const [scene, record] of embedded.entries())
          expect(other[scene], `${name}, scene ${scene + 1}`).toEqual(record);
      }
    });
  });
});

const plain = (output: string): string =>
  output
    .replace(/^Reading the hosts\.\.\.\n/m, "")
    .replace(/"[0-9a-f]{16}"/g, '"REVISION"')
    .trim();

interface StoredText {
  readonly outputs: unknown;
  readonly resources: readonly {
    readonly instances: readonly { readonly sensitive_attributes?: readonly unknown[] }[];
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
      instances: instances.map(({ sensitive_attributes: paths = [], ...instance }) => ({
        ...instance,
        // A set: engines write it in any order.
        sensitive_attributes: paths.map((path) => JSON.stringify(path)).sort(),
      })),
    })),
  };
}
