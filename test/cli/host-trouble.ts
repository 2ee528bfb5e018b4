/**
 * @module A circuit on one host under many names, each with a trouble of its own when that is asked for: a host's trouble is
 * nobody else's.
 */
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type DemoHost, startDemoHost } from "../../src/demo/host/demo-host.ts";
import { generateKeyPair } from "../../src/demo/host/key-pair.ts";

export interface Trouble {
  /** Settings in place of good ones. */
  readonly settings: string;
  /** Summary of what is said. */
  readonly summary: string;
}

export interface TroubledSite {
  readonly directory: string;
  readonly host: DemoHost;
  /** By the host's name. */
  readonly troubles: Readonly<Record<string, Trouble>>;
  /** Names without trouble: the first and the last. */
  readonly healthy: readonly [string, string];
  /** Path of the file that is managed under a name. */
  file(name: string): string;
  remove(): Promise<void>;
}

const unusable = "Login settings cannot be used";
const refused = "Host refused the login";
const away = "Host does not answer";

export async function troubledSite(): Promise<TroubledSite> {
  const host = await startDemoHost();
  const directory = mkdtempSync(join(tmpdir(), "conn3x-trouble-"));
  const at = (name: string, text: string, mode = 0o600): string => {
    const path = join(directory, name);
    writeFileSync(path, text, { mode });
    return path;
  };
  const sudo = at("sudo", "#!/bin/sh\necho 'conn3x is not in the sudoers file.' >&2\nexit 1\n");
  writeFileSync(join(host.root, "bin/sudo"), `#!/bin/sh\nexec /bin/sh ${sudo}\n`);
  chmodSync(join(host.root, "bin/sudo"), 0o755);
  at("key", host.privateKey);
  const other = generateKeyPair();
  const troubles: Record<string, Trouble> = {
    agentless: { settings: "private_key_file = null, agent = true", summary: refused },
    badkey: { settings: `private_key_file = "${at("garbage", "garbage\n")}"`, summary: unusable },
    badconfig: { settings: `ssh_config_file = "${at("bad", 'Host *\nUser "x\n')}"`, summary: unusable },
    changed: { settings: `host_key = "${other.public}"`, summary: "Host key has changed" },
    keydirectory: { settings: `private_key_file = "${directory}"`, summary: unusable },
    missingkey: { settings: `private_key_file = "${directory}/nothing"`, summary: unusable },
    nobody: { settings: "become = true", summary: "Host refused to become another user" },
    otherkey: { settings: `private_key_file = "${at("other", other.private)}"`, summary: refused },
    port: { settings: "port = 1", summary: away },
    proxy: { settings: 'proxy_command = "/nowhere/program"', summary: away },
    unknown: {
      settings: `host_key = null, known_hosts_file = "${at("none", "")}"`,
      summary: "Host key is not known",
    },
  };
  const healthy = ["a1", "z1"] as const;
  const good = `host_key = "${host.hostKey}", private_key_file = "${directory}/key"`;
  const names = [healthy[0], ...Object.keys(troubles), healthy[1]];
  at(
    "web.circuit.hcl",
    `variable "trouble" {
  default = false
}
variable "text" {
  default = "before"
}
locals {
  trouble = {
${names.map((name) => `    ${name} = { ${troubles[name]?.settings ?? ""} }`).join("\n")}
  }
}
circuit "web" {
  hosts = {
    for name, settings in local.trouble :
    name => merge({ address = "${host.address}", port = ${host.port}, ${good} }, var.trouble ? settings : {})
  }
  ssh {
    user            = "${host.user}"
    agent           = false
    connect_timeout = 5
  }
  step "note" {
    file {
      path    = "${host.root}/\${host.name}"
      content = var.text
    }
  }
}
`,
  );
  return {
    directory,
    host,
    troubles,
    healthy,
    file: (name) => join(host.root, name),
    async remove() {
      await host.close();
      rmSync(directory, { recursive: true, force: true });
    },
  };
}
