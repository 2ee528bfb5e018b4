/**
 * @module Files that let a person's or a test's own `ssh` reach the lab's hosts (ssh_config(5), sshd(8)).
 */
import { join } from "node:path";

interface Reached {
  readonly name: string;
  readonly address: string;
  readonly hostKey: string;
}

/** Text of a known_hosts file; each host by its name and its address. */
export function knownHostsLines(hosts: readonly Reached[]): string {
  return hosts.map(({ name, address, hostKey }) => `${name},${address} ${hostKey}\n`).join("");
}

/** Text of a client configuration. @param directory of the lab, where key and known_hosts are */
export function sshConfig(directory: string, hosts: readonly Reached[]): string {
  const each = hosts.map(({ name, address }) => `Host ${name}\n  HostName ${address}\n`);
  const all = [
    "Host *",
    "  User deploy",
    `  IdentityFile ${join(directory, "key")}`,
    "  IdentitiesOnly yes",
    "  IdentityAgent none",
    `  UserKnownHostsFile ${join(directory, "known_hosts")}`,
    "  GlobalKnownHostsFile /dev/null",
    "  StrictHostKeyChecking yes",
    "  BatchMode yes",
    "  ConnectTimeout 10",
  ];
  return `${each.join("")}${all.join("\n")}\n`;
}
