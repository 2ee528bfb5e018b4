/**
 * @module One story on two hosts, to be lived through with each engine, and what is to be equal after each of its
 * chapters: the plan as it is shown with its reasons, the hosts, the state file.
 */
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type { LabHost } from "../lab/host.ts";
import type { Lab } from "../lab/lab.ts";
import { conn3x } from "./conn3x.ts";

export interface Stage {
  readonly lab: Lab;
  readonly hosts: readonly [LabHost, LabHost];
}

/** What the circuit says in a chapter. */
export interface Wishes {
  /** By host: what its service is to serve. Hosts that are not named are not in the circuit. */
  readonly greetings: Readonly<Record<string, string>>;
  readonly pages: readonly string[];
  /** A command that checks the new configuration; unset: none. */
  readonly validate?: string;
}

interface Chapter {
  readonly name: string;
  readonly wishes: Wishes;
  /** What befalls the hosts before. */
  readonly before?: (stage: Stage) => Promise<unknown>;
  /** Only planned: the hosts cannot be acted on. */
  readonly planOnly?: boolean;
  readonly after?: (stage: Stage) => Promise<unknown>;
}

const first = "web1";
const second = "web2";
const calm: Wishes = { greetings: { [first]: "hello", [second]: "hello" }, pages: ["a", "b"] };
const morning: Wishes = { ...calm, greetings: { ...calm.greetings, [first]: "good morning" } };
const other: Wishes = { ...calm, greetings: { [first]: "other", [second]: "other" } };

/** A setting of systemd's that keeps the service from starting. */
const refusal = "/run/systemd/system/lab-web.service.d/refuse.conf";
const refuse = `mkdir -p $(dirname ${refusal}); printf '[Unit]\\nAssertPathExists=/nowhere\\n' >${refusal}; systemctl daemon-reload`;
const allow = `rm ${refusal}; systemctl daemon-reload`;
const onBoth =
  (command: string) =>
  ({ hosts }: Stage) =>
    Promise.all(hosts.map((host) => host.must(command)));

export const chapters: readonly Chapter[] = [
  { name: "create", wishes: calm },
  { name: "nothing to do", wishes: calm },
  { name: "an edit for one host", wishes: morning },
  {
    name: "drift is put back and runs the handler",
    wishes: morning,
    before: ({ hosts }) => hosts[1].must("echo by hand >>/etc/lab-web/config"),
  },
  {
    name: "what is gone is made again",
    wishes: morning,
    before: ({ hosts }) => hosts[0].must("rm -r /etc/lab-web/config /srv/site/a"),
  },
  { name: "keys of a step come and go", wishes: { ...morning, pages: ["b", "c"] } },
  {
    name: "a host does not answer",
    wishes: { ...morning, pages: ["b", "c", "d"] },
    before: ({ hosts }) => hosts[1].cut(),
    planOnly: true,
    after: ({ hosts }) => hosts[1].mend(),
  },
  { name: "a step fails", wishes: { ...other, validate: "! grep other %s" } },
  { name: "a handler fails", wishes: other, before: onBoth(refuse) },
  { name: "its handler is still pending", wishes: other },
  { name: "the handler runs at last", wishes: other, before: onBoth(allow) },
  { name: "a host leaves", wishes: { ...calm, greetings: { [first]: "hello" } } },
];

/** What is compared after a chapter. */
export interface ChapterRecord {
  readonly chapter: string;
  readonly planStatus: number;
  readonly plan: readonly string[];
  readonly applyStatus: number | undefined;
  readonly hosts: readonly string[];
  readonly state: unknown;
}

/** Options of `conn3x` for the engine of a chapter. */
export type EngineOptions = (chapter: number) => readonly string[];

/** How the story is written down: files of a configuration directory, by path. */
export type Telling = (stage: Stage, wishes: Wishes) => Readonly<Record<string, string>>;

/** @returns a record for each chapter and one for the destruction in the end */
export async function live(
  stage: Stage,
  engine: EngineOptions,
  telling: Telling = plainly,
): Promise<readonly ChapterRecord[]> {
  const directory = mkdtempSync(join(tmpdir(), "conn3x-story-"));
  const records: ChapterRecord[] = [];
  try {
    for (const [index, chapter] of chapters.entries()) {
      for (const [path, text] of Object.entries(telling(stage, chapter.wishes))) {
        mkdirSync(dirname(join(directory, path)), { recursive: true });
        writeFileSync(join(directory, path), text);
      }
      await chapter.before?.(stage);
      records.push(await act(stage, directory, chapter, engine(index)));
      await chapter.after?.(stage);
    }
    const destroyed = await conn3x(
      directory,
      "destroy",
      "-auto-approve",
      "-format=resources",
      "-expand",
      ...engine(chapters.length),
    );
    records.push({
      chapter: "destroy",
      ...planIn(destroyed.output),
      applyStatus: destroyed.status,
      hosts: await Promise.all(stage.hosts.map(look)),
      state: readState(directory),
    });
    return records;
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

async function act(
  stage: Stage,
  directory: string,
  { name, planOnly }: Chapter,
  options: readonly string[],
): Promise<ChapterRecord> {
  const command = planOnly ? ["plan"] : ["apply", "-auto-approve"];
  const { status, output } = await conn3x(directory, ...command, "-format=resources", "-expand", ...options);
  return {
    chapter: name,
    ...planIn(output),
    applyStatus: planOnly ? undefined : status,
    hosts: planOnly ? [] : await Promise.all(stage.hosts.map(look)),
    state: readState(directory),
  };
}

/**
 * The plan that a plan or an apply shows, without what is said before it and what is done then, and with all revisions
 * alike; and the status that `plan -detailed-exitcode` has with it.
 */
export function planIn(output: string): { readonly planStatus: number; readonly plan: readonly string[] } {
  const start = output.search(/^(?:Conn3x will do|No changes)/m);
  if (start === -1) return { planStatus: 1, plan: [] };
  const [text = ""] = withoutRevisions(output.slice(start)).split(/\n+(?=\S+: \w+\.\.\.\n|Apply |Destroy )/);
  return { planStatus: text.startsWith("No changes") ? 0 : 2, plan: text.trim().split("\n") };
}

const withoutRevisions = (text: string): string => text.replace(/"[0-9a-f]{16}"/g, '"REVISION"');

/** What the steps are about, and each start and end of the service. */
async function look(host: LabHost): Promise<string> {
  const files = "find /etc/lab-web /srv/site /srv/site.record /srv/note 2>/dev/null | sort";
  const each = 'while read -r f; do stat -c "%n %a %U %F" "$f"; test -d "$f" || cat "$f"; done';
  return host.must(`${files} | ${each}; cut -d' ' -f1 /run/lab-web/log 2>/dev/null | sort | uniq -c`);
}

interface StateJson {
  readonly outputs: unknown;
  readonly resources: readonly {
    readonly module?: string;
    readonly type: string;
    readonly name: string;
    readonly instances: readonly { readonly sensitive_attributes?: readonly unknown[] }[];
  }[];
}

/** The state of a directory without serial and lineage, with all revisions alike. */
export function readState(directory: string): unknown {
  const path = join(directory, "terraform.tfstate");
  if (!existsSync(path)) return undefined;
  const { outputs, resources } = JSON.parse(withoutRevisions(readFileSync(path, "utf8"))) as StateJson;
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

interface Machine {
  readonly name: string;
  readonly address: string;
  readonly hostKey: string;
}

/** The hosts that are in the circuit: entries of its `hosts`, and of what each is to serve. */
function entriesOf({ hosts }: Stage, { greetings }: Wishes) {
  const members: readonly Machine[] = hosts.filter(({ name }) => name in greetings);
  return {
    hosts: members.map(
      ({ name, address, hostKey }) => `    ${name} = { address = "${address}", host_key = "${hostKey}" }`,
    ),
    texts: members.map(({ name }) => `    ${name} = ${JSON.stringify(greetings[name])}`),
  };
}

const login = ({ lab }: Stage): string => `
    user             = "deploy"
    private_key_file = "${lab.keyFile}"
    agent            = false
    become           = true
    connect_timeout  = 3
`;

const plainly: Telling = (stage, wishes) => {
  const { hosts, texts } = entriesOf(stage, wishes);
  return {
    "main.circuit.hcl": `
locals {
  greeting = {
${texts.join("\n")}
  }
}

output "greetings" {
  value = local.greeting
}

output "secret" {
  value     = "not shown"
  sensitive = true
}

circuit "web" {
  hosts = {
${hosts.join("\n")}
  }

  ssh {${login(stage)}  }
${steps({ greeting: "local.greeting", pages: JSON.stringify(wishes.pages), validate: wishes.validate })}
}
`,
  };
};

/**
 * The same in modules: a circuit that a module called by key hands on to another one, with a login from a variable, and
 * a module beside it whose file holds what the first gives.
 */
export const inModules: Telling = (stage, wishes) => {
  const { hosts, texts } = entriesOf(stage, wishes);
  return {
    "main.circuit.hcl": `
locals {
  hosts = {
${hosts.join("\n")}
  }
  login = {${login(stage)}  }
}

module "site" {
  source   = "./modules/site"
  for_each = { blog = ${JSON.stringify(wishes.pages)} }
  hosts    = local.hosts
  login    = local.login
  pages    = each.value
  greeting = {
${texts.join("\n")}
  }
}

module "record" {
  source     = "./modules/record"
  hosts      = local.hosts
  login      = local.login
  text       = join(" ", [for name in keys(local.hosts) : module.site["blog"].notes[name]])
  depends_on = [module.site]
}

output "greetings" {
  value = module.site["blog"].greetings
}

output "secret" {
  value     = module.site["blog"].secret
  sensitive = true
}
`,
    "modules/site/site.circuit.hcl": `
variable "hosts" {}

variable "login" {
  type = any
}

variable "pages" {
  type    = list(string)
  default = []
}

variable "greeting" {
  type = map(string)
  validation {
    condition     = alltrue([for text in values(var.greeting) : text != ""])
    error_message = "A greeting is empty."
  }
}

circuit "web" {
  hosts = var.hosts
  ssh   = var.login
${steps({ greeting: "var.greeting", pages: "var.pages", validate: wishes.validate })}
}

output "greetings" {
  value = var.greeting
}

output "notes" {
  value = { for name, file in conn3x_file.web__note : name => file.content }
}

output "secret" {
  value     = sensitive("not shown")
  sensitive = true
}
`,
    "modules/record/record.circuit.hcl": `
variable "hosts" {}

variable "login" {}

variable "text" {}

circuit "record" {
  hosts = var.hosts
  ssh   = var.login

  step "record" {
    file {
      path    = "/srv/site.record"
      content = var.text
    }
  }
}
`,
  };
};

interface Steps {
  /** Expression: what each host is to serve, by its name. */
  readonly greeting: string;
  /** Expression of a list. */
  readonly pages: string;
  readonly validate: string | undefined;
}

const steps = ({ greeting, pages, validate }: Steps): string => `
  step "site" {
    directory {
      path = "/srv/site"
      mode = "0750"
    }
  }

  step "pages" {
    for_each = toset(${pages})
    file {
      path    = "/srv/site/\${each.key}"
      content = "page \${each.key}\\n"
    }
  }

  step "config" {
    file {
      path    = "/etc/lab-web/config"
      content = sensitive("\${${greeting}[host.name]}\\n")
      mode    = "0640"
      ${validate === undefined ? "" : `validate = ${JSON.stringify(validate)}`}
    }
    notify = [handler.restart]
  }

  step "note" {
    file {
      path    = "/srv/note"
      content = "kept on \${host.name}: \${${greeting}[host.name]}\\n"
    }
  }

  handler "restart" {
    service {
      name   = "lab-web"
      action = "restart"
    }
  }`;
