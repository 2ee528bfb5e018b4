/**
 * @module A directory with a circuit of many instances, and with what it does to simulated hosts.
 */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";

export interface Size {
  readonly hosts: number;
  readonly steps: number;
  /** Of the content of each file. */
  readonly bytes: number;
}

/** @param directory that is there, and empty */
export function layOut(directory: string, size: Size): void {
  for (let host = 0; host < size.hosts; host++)
    mkdirSync(join(directory, "hosts", `h${host}`), { recursive: true });
  writeFileSync(join(directory, "main.circuit.hcl"), circuit(directory, size));
}

function circuit(directory: string, { hosts, steps, bytes }: Size): string {
  const step = (index: number) => `
  step "s${index}" {
    file {
      path    = "${directory}/hosts/\${host.name}/s${index}"
      content = local.content
    }
  }
`;
  return `
locals {
  content = "${"x".repeat(bytes)}"
}

circuit "web" {
  hosts = { for n in range(${hosts}) : "h\${n}" => "192.0.2.\${n}" }
${Array.from({ length: steps }, (_, index) => step(index)).join("")}}
`;
}
