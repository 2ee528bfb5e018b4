/**
 * @module The commands there are, in the order of the help. Nothing of a command is loaded before it is called.
 */
import type { Command, CommandGroup } from "./command.ts";
import type { CommandSet } from "./command-line.ts";
import { duration, type OptionSpec, oneOf, positiveInteger } from "./option.ts";

const json: OptionSpec = { kind: "flag", name: "json", initial: false, describe: "Print JSON" };

/** What every command takes; `-chdir` also stands before the command, as for OpenTofu. */
const globalOptions: readonly OptionSpec[] = [
  { kind: "value", name: "chdir", value: "DIR", describe: "Work in this directory" },
  { kind: "flag", name: "no-color", initial: false, describe: "Print plain text" },
];

const variableOptions: readonly OptionSpec[] = [
  { kind: "list", name: "var", value: "NAME=VALUE", describe: "Set an input variable; may be given again" },
  {
    kind: "list",
    name: "var-file",
    value: "FILE",
    describe: "Set the variables in a file; may be given again",
  },
];

/** Of plan, apply and destroy. */
const runOptions: readonly OptionSpec[] = [
  ...variableOptions,
  {
    kind: "flag",
    name: "refresh",
    initial: true,
    describe: "Do not read the hosts: plan from what is stored",
  },
  { kind: "value", name: "state", value: "PATH", describe: "State file (default terraform.tfstate)" },
  {
    kind: "value",
    name: "lock-timeout",
    value: "DURATION",
    check: duration,
    describe: "How long to wait for the state's lock (default 0s)",
  },
  {
    kind: "value",
    name: "parallelism",
    value: "N",
    check: positiveInteger,
    describe: "Instances acted on at once (default 64)",
  },
  {
    kind: "value",
    name: "engine",
    value: "tofu|terraform|PATH",
    describe:
      "Plan and apply with this engine, Conn3x's provider attached (or CONN3X_ENGINE; default embedded)",
  },
  { kind: "flag", name: "expand", initial: false, describe: "Show equal changes of each host by themselves" },
];

const approval: readonly OptionSpec[] = [
  { kind: "flag", name: "auto-approve", initial: false, describe: "Do not ask before acting" },
  { kind: "flag", name: "input", initial: true, describe: "Never ask for anything" },
];

const commands: readonly Command[] = [
  {
    name: "validate",
    summary: "Check the configuration: everything that can be known without a host",
    options: [...variableOptions, json],
    load: async () => (await import("./commands/validate.ts")).runValidate,
  },
  {
    name: "compile",
    summary: "Compile circuits into files for OpenTofu and Terraform",
    options: [
      {
        kind: "flag",
        name: "check",
        initial: false,
        describe: "Write nothing; fail when an output is not up to date",
      },
      {
        kind: "value",
        name: "format",
        value: "hcl|json",
        check: oneOf("hcl", "json"),
        describe: "Form of the outputs (default hcl)",
      },
      {
        kind: "value",
        name: "out",
        value: "DIR",
        describe: "Directory of the outputs (default: beside the circuits)",
      },
    ],
    load: async () => (await import("./commands/compile.ts")).runCompile,
  },
  {
    name: "plan",
    summary: "Show what an apply would do",
    options: [
      ...runOptions,
      { kind: "flag", name: "destroy", initial: false, describe: "Plan to destroy everything" },
      {
        kind: "flag",
        name: "detailed-exitcode",
        initial: false,
        describe: "Exit with 2 when there are changes",
      },
    ],
    load: async () => (await import("./commands/plan.ts")).runPlan,
  },
  {
    name: "apply",
    summary: "Make the hosts as configured",
    options: [...runOptions, ...approval],
    load: async () => (await import("./commands/apply.ts")).runApply,
  },
  {
    name: "destroy",
    summary: "Remove everything that the state knows",
    options: [...runOptions, ...approval],
    load: async () => (await import("./commands/destroy.ts")).runDestroy,
  },
  {
    name: "show",
    summary: "Show the state",
    options: [
      { kind: "value", name: "state", value: "PATH", describe: "State file (default terraform.tfstate)" },
    ],
    load: async () => (await import("./commands/show.ts")).runShow,
  },
  {
    name: "demo",
    summary: "See the main job on a throw-away host: nothing needed, nothing left behind",
    options: [],
    load: async () => (await import("./commands/demo.ts")).runDemo,
  },
  {
    name: "version",
    summary: "Show the version",
    options: [json],
    load: async () => (await import("./commands/version.ts")).runVersion,
  },
];

const groups: readonly CommandGroup[] = [];

/** Everything that `conn3x` can be asked to do. */
export const commandSet: CommandSet = { commands, groups, globals: globalOptions };
