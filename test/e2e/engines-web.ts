/**
 * @module A circuit with a file, files by key and a handler on two hosts, for tests of `conn3x -engine`: each test has a
 * directory of its own, and leaves the hosts as they were.
 */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach } from "vitest";
import type { LabHost } from "../lab/host.ts";
import type { Lab } from "../lab/lab.ts";
import { conn3x } from "./conn3x.ts";

/** Called in a `describe`. @param lab whose hosts are there when a test runs */
export function webSite(lab: { readonly lab: Lab; readonly hosts: readonly LabHost[] }) {
  let directory: string;
  beforeEach(() => {
    directory = mkdtempSync(join(tmpdir(), "conn3x-engines-"));
  });
  const write = (text: string): void => writeFileSync(join(directory, "main.circuit.hcl"), text);
  const hosts = (): readonly [LabHost, LabHost] => [lab.hosts[0]!, lab.hosts[1]!];
  const login = () => `
  ssh {
    user             = "deploy"
    private_key_file = "${lab.lab.keyFile}"
    known_hosts_file = "${lab.lab.knownHostsFile}"
    agent            = false
    become           = true
    connect_timeout  = 3
  }
`;
  const bothHosts = () => `hosts = { web1 = "${hosts()[0].address}", web2 = "${hosts()[1].address}" }`;
  const web = (more = "") => `
circuit "web" {
  ${bothHosts()}
  ${login()}
  ${more}
  step "note" {
    file {
      path    = "/srv/note"
      content = "hello"
    }
    notify = [handler.restart]
  }

  step "pages" {
    for_each = toset(["a", "b"])
    file {
      path    = "/srv/page-\${each.key}"
      content = "page"
    }
  }

  handler "restart" {
    command {
      run = "echo ran >>/srv/runs"
    }
  }
}
`;
  afterEach(async () => {
    rmSync(directory, { recursive: true, force: true });
    await Promise.all(hosts().map((host) => host.must("rm -rf /srv/note /srv/page-* /srv/runs /srv/last")));
  });
  const plain = (...args: readonly string[]) => conn3x(directory, ...args);
  return { directory: () => directory, write, hosts, login, bothHosts, web, plain };
}
