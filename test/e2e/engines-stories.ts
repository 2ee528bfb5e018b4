/**
 * @module Short stories for `engines-equal.test.ts`: what the circuit holds, what befalls the hosts, and what is asked for.
 * They are lived on three hosts that have nothing in `/srv/case`.
 */

/** What the circuit holds, what befalls the hosts before, and what is then asked for. */
export interface Scene {
  /** Steps and handlers of the circuit `web`, perhaps with more behind its end. `WEB1` is the address of a host. */
  readonly steps: string;
  /** Run on each host as root. */
  readonly before?: string;
  /** Hosts that do not answer while it lasts. */
  readonly down?: readonly string[];
  /** Default: an apply. */
  readonly command?: readonly string[];
  /** Whether what is said is another thing with each engine, on purpose. */
  readonly saysOtherwise?: boolean;
  /** Settings of the circuit from here on. */
  readonly circuit?: string;
}

export interface Story {
  readonly name: string;
  readonly scenes: readonly Scene[];
  /** Settings of the circuit. */
  readonly circuit?: string;
  /** Other files of the configuration, by name. */
  readonly files?: Readonly<Record<string, string>>;
  /** What is on the hosts in the end of a scene, seen from outside, besides what is in `/srv/case`. */
  readonly look?: string;
  /** How many hosts there are; two, if nothing is said. */
  readonly hosts?: number;
  /** Makes a host as it was. */
  readonly clear?: string;
}

const planned = ["plan", "-detailed-exitcode", "-format=resources", "-expand"] as const;

const step = (name: string, kind: string, settings: string, more = "") => `
  step "${name}" {
    ${kind} {
      ${settings}
    }
    ${more}
  }
`;

const file = (name: string, path: string, content: string, more = "") =>
  step(name, "file", `path    = "/srv/case/${path}"\n      content = "${content}"`, more);

const handled = (run: string, content: string) => `
${file("config", "config", content, "notify = [handler.reload]")}
  handler "reload" {
    command {
      run = "${run}"
    }
  }
`;

interface HostWishes {
  readonly path?: string;
  readonly version?: string;
  readonly text?: string;
  readonly enabled?: boolean;
}

/** A host with an object of every kind that leaves something there. */
const wholeHost = ({ path = "a", version = "1.0", text = "one", enabled = true }: HostWishes) => `
${step("package", "package", `name    = "conn3x-demo"\n      version = "${version}"`, 'on_remove = "delete"')}
${step("directory", "directory", `path = "/srv/case/${path}/dir"\n      mode = "0750"`)}
${step(
  "config",
  "file",
  `path    = "/etc/lab-web/config"
      content = templatefile("\${path.module}/config.tftpl", { text = "${text}", host = host.name })
      mode    = "0640"
      owner   = "www-data"
      validate = "test -s %s"`,
  "notify = [handler.restart, handler.note]",
)}
${step("asset", "file", `path   = "/srv/case/${path}/asset"\n      source = "\${path.module}/asset"`)}
${step("secret", "file", `path = "/srv/case/${path}/secret"\n      secret_content = var.token\n      mode = "0600"`)}
${step("link", "link", `path   = "/srv/case/${path}/link"\n      target = "${text}"`)}
${step("line", "line", `path   = "/srv/case/${path}/conf"\n      regexp = "^Port "\n      line   = "Port ${text}"\n      create = true`)}
${step(
  "pages",
  "file",
  `path    = "/srv/case/${path}/\${each.key}"\n      content = "\${each.value} of \${host.name} ${text}"`,
  'for_each = { x = "X", y = "Y" }\n    notify = [handler.note]',
)}
${step("made", "command", `run     = "echo made >>/srv/case/made"\n      creates = "/srv/case/made"`)}
${step("follow", "command", `run      = "echo ran >>/srv/case/follow"\n      triggers = { config = step.config.revision, x = step.pages["x"].revision, y = step.pages["y"].revision }`)}
${step("facts", "file", `path    = "/srv/case/${path}/facts"\n      content = host.facts.os.family`, 'when = host.facts.os.family == "debian"')}
${step("service", "service", `name    = "lab-web"\n      running = true\n      enabled = ${enabled}`)}
${step("wait", "wait_for", `path    = "/srv/case/${path}/x"\n      timeout = 5`)}
  handler "restart" {
    service {
      name   = "lab-web"
      action = "restart"
    }
  }
  handler "note" {
    command {
      run = "echo noted >>/srv/case/notes"
    }
  }
}
variable "token" {
  type      = string
  sensitive = true
  default   = "t0ps3cret"
}
output "follow" {
  value = { for name, one in conn3x_command.web__follow : name => one.exit_code }
}
check "of_hosts" {
  assert {
    condition     = length(conn3x_file.web__config) == 7
    error_message = "There are not seven."
  }
`;

/** Settings that belong to somebody else, and steps that are not for every host. */
const shared = ({ mode = "0640", text = "one", canary = true, again = "a" } = {}) => `
${step("ignored", "file", `path    = "/srv/case/ignored"\n      content = "ours"\n      mode    = "${mode}"`, 'drift {\n      ignore = ["content"]\n    }')}
${step("warned", "file", `path    = "/srv/case/warned"\n      content = "${text}"`, 'drift {\n      mode = "warn"\n    }')}
${step("unseen", "file", 'path    = "/srv/case/unseen"\n      content = "x"', 'drift {\n      mode = "disabled"\n    }')}
${step("once", "command", `run      = "echo once ${again} >>/srv/case/once"`, "run_once = true\n    notify = [handler.told]")}
${step("elsewhere", "command", `run      = "echo ${again} >>/srv/case/on-\${host.name}"`, 'run_on = "web2"')}
${step("canary", "file", `path    = "/srv/case/canary"\n      content = "\${host.name}"`, `when = host.name == "${canary ? "web1" : "web2"}"\n    notify = [handler.told]`)}
  handler "told" {
    command {
      run = "echo told >>/srv/case/told"
    }
  }
`;

const conditions = (limit: number, must = "true") => `
${file("a", "a", "a")}
${step(
  "limited",
  "file",
  `path    = "/srv/case/limited"\n      content = "${limit}"`,
  `lifecycle {
      precondition {
        condition     = var.limit <= 100
        error_message = "${limit} is too much."
      }
      postcondition {
        condition     = self.owner == "root" && ${must}
        error_message = "It is not as it must be."
      }
    }`,
)}
${file("after", "after", "after")}
}
variable "limit" {
  default = ${limit}
}
check "wise" {
  assert {
    condition     = var.limit < 50
    error_message = "${limit} is much."
  }
`;

export const stories: readonly Story[] = [
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
      { steps: `${file("a", "a", "new")}${file("b", "b", "b")}`, command: planned },
    ],
  },
  {
    name: "a failing step where failures stop everything",
    circuit: 'on_failure = "stop"',
    scenes: [
      {
        before: "mkdir -p /srv/case; hostname | grep -q web1 && touch /srv/case/refuse; true",
        steps: `${step("check", "command", 'run = "test ! -e /srv/case/refuse"')}${file("a", "a", "a")}`,
      },
      {
        before: "rm -f /srv/case/refuse",
        steps: `${step("check", "command", 'run = "test ! -e /srv/case/refuse"')}${file("a", "a", "a")}`,
      },
    ],
  },
  {
    name: "a handler that failed runs in the next apply",
    scenes: [
      { steps: handled("echo one >>/srv/case/runs", "one") },
      { steps: handled("echo two >>/srv/case/runs; false", "two") },
      { steps: handled("echo two >>/srv/case/runs; false", "two"), command: planned },
      { steps: handled("echo three >>/srv/case/runs", "two") },
    ],
  },
  {
    name: "what another address holds is not deleted",
    scenes: [
      { steps: file("old", "a", "a") },
      { steps: file("young", "a", "a") },
      {
        steps: file("young", "a", "a"),
        command: ["destroy", "-auto-approve", "-format=resources", "-expand"],
      },
    ],
  },
  {
    name: "what is to be kept stays, and is counted",
    scenes: [
      {
        before: "mkdir -p /srv/case; printf mine >/srv/case/mine",
        steps: `${file("mine", "mine", "mine")}${file("ours", "ours", "ours")}${file("kept", "kept", "kept", 'on_remove = "keep"')}`,
      },
      { steps: `${file("mine", "moved", "mine")}${file("ours", "ours", "ours")}` },
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
      {
        steps: `${file("a3", "a", "a")}${file("c", "d", "c", "lifecycle {\n      create_before_destroy = true\n    }")}`,
        circuit: "moved {\n    from = step.a2\n    to   = step.a3\n  }",
      },
      {
        steps: `${file("a3", "e", "e")}${file("c", "f", "f", "lifecycle {\n      create_before_destroy = true\n    }")}`,
      },
    ],
  },
  {
    name: "a whole host",
    files: { "config.tftpl": "text = ${text}\nhost = ${host}\n", asset: "asset\n" },
    clear:
      "systemctl disable -q --now lab-web; apt-get -y -q purge conn3x-demo conn3x-lib; rm -rf /etc/lab-web/config /run/lab-web/log",
    look: "dpkg-query -W -f '${Package} ${Version} ${db:Status-Abbrev}\\n' conn3x-demo; systemctl is-active lab-web; systemctl is-enabled lab-web; cut -d' ' -f1 /run/lab-web/log | sort | uniq -c; cat /etc/lab-web/config",
    scenes: [
      { steps: wholeHost({}) },
      { steps: wholeHost({}) },
      {
        before:
          "cd /srv/case/a; chmod 700 dir; echo x >>/etc/lab-web/config; echo x >asset; echo x >secret; ln -sfn x link; sed -i s/one/x/ conf; rm x y; systemctl stop lab-web; apt-get -y -q remove conn3x-demo",
        steps: wholeHost({}),
      },
      { steps: wholeHost({ version: "2.0", text: "two", enabled: false }) },
      { steps: wholeHost({ version: "2.0", text: "two", enabled: false, path: "b" }) },
      {
        steps: wholeHost({ version: "2.0", text: "two", enabled: false, path: "b" }),
        command: ["destroy", "-auto-approve", "-format=resources", "-expand"],
      },
    ],
  },
  {
    name: "what belongs to others, and is not for every host",
    scenes: [
      { steps: shared() },
      {
        before: "cd /srv/case; echo theirs >ignored; echo theirs >warned; echo theirs >unseen",
        steps: shared(),
        command: planned,
      },
      { steps: shared({ mode: "0600" }) },
      { steps: shared({ mode: "0600", text: "two", again: "b" }) },
      { steps: shared({ mode: "0600", text: "two", again: "b", canary: false }) },
    ],
  },
  {
    name: "conditions that do not hold",
    circuit: 'on_failure = "stop"',
    scenes: [
      { steps: conditions(60) },
      { steps: conditions(200), saysOtherwise: true },
      { steps: conditions(70, 'self.mode == "0600"'), saysOtherwise: true },
      { steps: conditions(40) },
    ],
  },
  {
    name: "one of three hosts is away",
    hosts: 3,
    circuit: 'on_failure = "stop"',
    scenes: [
      { steps: handled("echo one >>/srv/case/runs", "one"), down: ["web3"] },
      { steps: handled("echo one >>/srv/case/runs", "one") },
      { steps: handled("echo two >>/srv/case/runs", "two"), down: ["web2"] },
      { steps: handled("echo two >>/srv/case/runs", "two") },
    ],
  },
];
