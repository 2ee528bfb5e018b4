/**
 * @module The text of a circuit by what is edited in it every day: which hosts it has, in which form they are written, and
 * from where the secret comes that they are logged in to with.
 */

/** Ways to write `hosts`. */
export const forms = {
  strings: "addresses, written out",
  objects: "objects, written out",
  iterated: "made of a variable by `for`",
  variable: "a variable",
  typed: "a variable with a type",
  local: "a local value",
  module: "what a module gives",
  resource: "a resource's address",
  unknown: "with something that is known after an apply",
} as const;
export type Form = keyof typeof forms;

/** Where the secret is. */
export const secrets = {
  none: "no secrets",
  circuit: "one of the circuit",
  byHost: "one for each host, of the circuit",
  host: "one of the host",
  step: "one of each step",
  provider: "one of the provider",
} as const;
export type Secret = keyof typeof secrets;

export interface Edited {
  /** Addresses by name; undefined: there is no circuit. */
  readonly hosts: Readonly<Record<string, string>> | undefined;
  readonly form: Form;
  readonly secret: Secret;
  readonly steps: readonly string[];
}

/** What differs between the hosts that a test works on. */
export interface Stage {
  readonly password: string;
  /** The block of a kind in a step. */
  readonly kind: (step: string) => string;
  /** Settings of each circuit's `ssh`. */
  readonly ssh: string;
  /** Whether the resource is one of Conn3x. */
  readonly isOurs: boolean;
  /** A resource, and an expression for its value that is unknown until it is made. */
  readonly resource: (name: string, value: string) => { readonly text: string; readonly value: string };
}

/** Hosts that are only addresses have no secret; and those that come from a Conn3x resource have none of their own. */
export const isPossible = ({ form, secret }: Pick<Edited, "form" | "secret">, { isOurs }: Stage): boolean =>
  (secret !== "host" || !["strings", "typed", "resource"].includes(form)) &&
  (!isOurs || !["resource", "unknown"].includes(form) || !["host", "byHost", "step"].includes(secret));

/** Name → text. */
export function filesOf(edited: Edited, stage: Stage): Readonly<Record<string, string>> {
  const { hosts, secret, steps } = edited;
  const password = "password = var.password";
  const variables = `variable "password" {
  default   = "${stage.password}"
  sensitive = true
}
variable "passwords" {
  default   = { ${names(hosts)
    .map((name) => `${name} = "${stage.password}"`)
    .join(", ")} }
  sensitive = true
}
`;
  const provider = secret === "provider" ? `provider "conn3x" {\n  ssh {\n    ${password}\n  }\n}\n` : "";
  if (hosts === undefined) return { "main.circuit.hcl": variables + provider };
  const written = writtenHosts(edited, stage);
  const circuitSecret =
    secret === "circuit"
      ? password
      : secret === "byHost"
        ? "password = lookup(var.passwords, host.name, null)"
        : "";
  const step = (name: string) => `  step "${name}" {
    ${stage.kind(name)}
    ${secret === "step" ? `ssh {\n      ${password}\n    }` : ""}
  }
`;
  const circuit = `circuit "c" {
  hosts = ${written.hosts}
  ssh {
    ${stage.ssh}
    ${circuitSecret}
  }
${steps.map(step).join("")}}
`;
  return { "main.circuit.hcl": variables + provider + written.beside + circuit, ...written.files };
}

const names = (hosts: Edited["hosts"]): readonly string[] => Object.keys(hosts ?? {});

interface WrittenHosts {
  readonly hosts: string;
  readonly beside: string;
  readonly files: Readonly<Record<string, string>>;
}

function writtenHosts({ hosts = {}, form, secret }: Edited, stage: Stage): WrittenHosts {
  const only = (text: string, beside = "", files = {}): WrittenHosts => ({ hosts: text, beside, files });
  const map = (value: (address: string) => string): string =>
    `{ ${Object.entries(hosts)
      .map(([name, address]) => `${name} = ${value(address)}`)
      .join(", ")} }`;
  const secretText = secret === "host" ? `, password = "${stage.password}"` : "";
  const secretValue = secret === "host" ? ", password = var.password" : "";
  const plain = secret === "host" ? map((address) => `{ address = "${address}"${secretText} }`) : map(quote);
  switch (form) {
    case "strings":
      return only(map(quote));
    case "objects":
      return only(map((address) => `{ address = "${address}"${secretValue} }`));
    case "iterated":
      return only(
        secret === "host"
          ? `{ for k, v in var.m : k => { address = v.ip${secretValue} } }`
          : "{ for k, v in var.m : k => v.ip }",
        `variable "m" {\n  default = ${map((address) => `{ ip = "${address}" }`)}\n}\n`,
      );
    case "variable":
      return only("var.hosts", `variable "hosts" {\n  default = ${plain}\n}\n`);
    case "typed":
      return only("var.hosts", `variable "hosts" {\n  type = map(string)\n  default = ${plain}\n}\n`);
    case "local":
      return only("local.hosts", `locals {\n  hosts = ${plain}\n}\n`);
    case "module":
      return only("module.inventory.hosts", 'module "inventory" {\n  source = "./inventory"\n}\n', {
        "inventory/main.tf": `output "hosts" {\n  value = ${plain}\n}\n`,
      });
    case "resource": {
      const made = Object.entries(hosts).map(([name, address]) => stage.resource(name, address));
      const values = Object.keys(hosts).map((name, i) => `${name} = ${made[i]!.value}`);
      return only(`{ ${values.join(", ")} }`, made.map(({ text }) => text).join(""));
    }
    case "unknown": {
      const { text, value } = stage.resource("any", "any");
      return only(
        map((address) => `{ address = "${address}"${secretValue}, vars = { any = ${value} } }`),
        text,
      );
    }
  }
}

const quote = (text: string): string => `"${text}"`;

/** What is edited. */
export const changes = {
  "a host is added": ({ hosts, ...rest }) => ({ ...rest, hosts: { ...hosts, h3: "a3" } }),
  "a host is removed": ({ hosts, ...rest }) => ({ ...rest, hosts: { h1: hosts!.h1! } }),
  "a host is renamed": ({ hosts, ...rest }) => ({ ...rest, hosts: { h1: hosts!.h1!, r2: hosts!.h2! } }),
  "all hosts are removed": (before) => ({ ...before, hosts: {} }),
  "the circuit is removed": (before) => ({ ...before, hosts: undefined }),
  "a step is removed": (before) => ({ ...before, steps: ["s1"] }),
  "the form is changed": (before, stage) => ({ ...before, form: nextForm(before, stage) }),
  "the secret is moved": (before) => ({ ...before, secret: "provider" }),
} as const satisfies Record<string, (before: Edited, stage: Stage) => Edited>;
export type Change = keyof typeof changes;

function nextForm({ form, secret }: Edited, stage: Stage): Form {
  const possible = (Object.keys(forms) as Form[]).filter((other) =>
    isPossible({ form: other, secret }, stage),
  );
  return possible[(possible.indexOf(form) + 1) % possible.length]!;
}

/** The hosts whose secret went with them: they can only refuse. */
export function refusing({ hosts = {} }: Edited, { secret }: Edited, change: Change): readonly string[] {
  const withHost = secret === "host" || secret === "byHost";
  switch (change) {
    case "a host is removed":
      return withHost ? ["h2"] : [];
    case "all hosts are removed":
      return withHost ? Object.keys(hosts) : [];
    case "the circuit is removed":
      return withHost || secret === "circuit" || secret === "step" ? Object.keys(hosts) : [];
    default:
      return [];
  }
}
