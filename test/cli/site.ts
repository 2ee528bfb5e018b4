/**
 * @module A circuit on a host inside this process, for tests of the program.
 */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type DemoHost, startDemoHost } from "../../src/demo/host/demo-host.ts";

export interface Site {
  readonly host: DemoHost;
  /** Of the configuration. */
  readonly directory: string;
  /** The configuration's text: a directory, a file in it with `var.text`, and a handler. */
  readonly circuit: string;
  /** Path on this machine of one on the host. */
  path(path: string): string;
  write(text: string): void;
  remove(): Promise<void>;
}

export async function openSite(): Promise<Site> {
  const host = await startDemoHost({ units: ["web.service"] });
  const directory = mkdtempSync(join(tmpdir(), "conn3x-cli-site-"));
  writeFileSync(join(directory, "key"), host.privateKey, { mode: 0o600 });
  const write = (text: string): void => writeFileSync(join(directory, "web.circuit.hcl"), text);
  const circuit = circuitText(host);
  write(circuit);
  return {
    host,
    directory,
    circuit,
    write,
    path: (path) => join(host.root, path),
    async remove() {
      await host.close();
      rmSync(directory, { recursive: true, force: true });
    },
  };
}

const circuitText = (host: DemoHost): string => `variable "text" {
  default = "hello"
}

variable "secret" {
  default   = "s3cret"
  sensitive = true
}

output "path" {
  value = conn3x_file.web__page["web1"].path
}

output "secret" {
  value     = var.secret
  sensitive = true
}

circuit "web" {
  hosts = {
    web1 = { address = "${host.address}", port = ${host.port}, host_key = "${host.hostKey}" }
  }

  ssh {
    user             = "${host.user}"
    private_key_file = "key"
    agent            = false
  }

  step "site" {
    directory {
      path = "${host.root}/srv/site"
    }
  }

  step "page" {
    file {
      path    = "${host.root}/srv/site/page"
      content = "\${var.text}\\n"
      mode    = "0640"
    }
    notify = [handler.restart]
  }

  step "token" {
    file {
      path    = "${host.root}/srv/site/token"
      content = var.secret
    }
  }

  handler "restart" {
    service {
      name   = "web"
      action = "restart"
    }
  }
}
`;
