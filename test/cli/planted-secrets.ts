/**
 * @module A circuit with a secret in every place that can hold one.
 */
import { expect } from "vitest";
import type { Outcome } from "./program.ts";
import type { Site } from "./site.ts";

/** By what holds them. */
export const secrets = {
  content: "pl4nted-content",
  base64: "cGw0bnRlZC1iYXNlNjQ=",
  environment: "pl4nted-environment",
  plain_environment: "pl4nted-plain-environment",
  command: "pl4nted-command",
  stdin: "pl4nted-stdin",
  line: "pl4nted-line",
  output: "pl4nted-output",
  nested: "pl4nted-nested",
};
/** What logs in: never stored. */
export const logins = {
  password: "pl4nted-password",
  passphrase: "pl4nted-passphrase",
  become_password: "pl4nted-become-password",
  provider_password: "pl4nted-provider-password",
};
/** What somebody else wrote into a file whose content is sensitive. */
export const found = "pl4nted-found-on-the-host";

export const all = { ...secrets, ...logins };
/** The variables of {@link circuit}. */
export const environment = Object.fromEntries(
  Object.entries(all).map(([name, value]) => [`TF_VAR_${name}`, value]),
);

/** @param more steps behind its own */
export const circuit = (site: Site, more = ""): string => `
${Object.keys(all)
  .map((name) => `variable "${name}" {\n  sensitive = true\n}\n`)
  .join("")}
provider "conn3x" {
  ssh {
    password = var.provider_password
  }
}
locals {
  nested = { inner = [var.nested] }
}
output "secret" {
  value     = var.output
  sensitive = true
}
output "of_resource" {
  value     = conn3x_file.web__content["web1"].content
  sensitive = true
}
circuit "web" {
  hosts = {
    web1 = {
      address  = "${site.host.address}", port = ${site.host.port}, host_key = "${site.host.hostKey}"
      password = var.password
      vars     = { token = var.nested }
    }
  }
  ssh {
    user             = "${site.host.user}"
    private_key_file = "key"
    passphrase       = var.passphrase
    become_password  = var.become_password
    agent            = false
  }
  step "content" {
    file {
      path    = "${site.host.root}/srv/content"
      content = "\${var.content} \${local.nested.inner[0]} \${host.vars.token}"
    }
  }
  step "base64" {
    file {
      path           = "${site.host.root}/srv/base64"
      content_base64 = var.base64
    }
  }
  step "line" {
    line {
      path   = "${site.host.root}/srv/lines"
      line   = "token = \${var.line}"
      create = true
    }
  }
  step "command" {
    command {
      run                = "cat; echo $A $B \${var.command}; true"
      stdin              = var.stdin
      environment        = { A = var.plain_environment }
      secret_environment = { B = var.environment }
    }
  }
${more}}
`;

/** @param what printed it */
export function expectNothingOf({ stdout, stderr }: Outcome, what: string): void {
  const text = stdout + stderr;
  const hashes = [secrets.content, secrets.line, found];
  for (const value of [...Object.values(all), ...hashes, "pl4nted"])
    expect(text.includes(value), `${what} shows ${value}`).toBe(false);
}
