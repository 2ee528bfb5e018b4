/**
 * @module All commands in the order of the help. The code of a command is loaded when it is called.
 */
import { type Command, type CommandGroup, command } from "./command.ts";
import type { CommandSet } from "./command-line/command-line.ts";
import { oneOf } from "./command-line/option.ts";
import {
  approval,
  askBecomePass,
  engine,
  flag,
  globalOptions,
  hostLogOptions,
  input,
  json,
  limit,
  lockOptions,
  parallelism,
  planModes,
  runOptions,
  selectionOptions,
  sessionOptions,
  shownPlanOptions,
  state,
  stateEngine,
  variableOptions,
} from "./command-line/shared-options.ts";
import { namesInstance } from "./state/instance-name.ts";
import { stateCommands } from "./state/state-commands.ts";

/** The commands that work on a configuration without asking any host. */
const configurationCommands: readonly Command[] = [
  command({
    name: "init",
    summary: "Check that everything is ready, or write a configuration to start from",
    describe:
      "Downloads nothing. It has to be run where the configuration has a backend block with http or pg: it looks whether the state can be read there and remembers the settings in .conn3x, for all other commands. Run it again with -migrate-state or -reconfigure when the block was changed.",
    options: [
      flag("example", "Write main.circuit.hcl, a circuit to start from"),
      {
        kind: "list",
        name: "backend-config",
        value: "NAME=VALUE|FILE",
        describe:
          "A setting of the backend that is not in its block, or a file with such; may be given again",
      },
      flag("migrate-state", "Copy the state to where the configuration has it now"),
      flag("reconfigure", "Go on with the state that is where the configuration has it now"),
      ...lockOptions,
      engine("Prepare this engine as well: its init is run"),
      input,
    ],
    load: async () => (await import("./commands/init.ts")).runInit,
  }),
  command({
    name: "validate",
    summary: "Check the configuration, as far as that is possible without a host",
    options: [...variableOptions, engine("Have this engine check the values, other providers' too"), json],
    load: async () => (await import("./commands/validate.ts")).runValidate,
  }),
  command({
    name: "fmt",
    summary: "Rewrite configuration files in their canonical form",
    describe:
      "Formats *.circuit.hcl, *.tf, *.tofu, *.tfvars and tests as OpenTofu does. With -check it exits with 3 when a file is not formatted.",
    args: [
      { name: "TARGET", describe: "Files and directories, or - for standard input (default .)", many: true },
    ],
    options: [
      flag("check", "Write nothing; exit with 3 when something is not formatted"),
      flag("diff", "Show what changes"),
      flag("list", "Do not list the files that change", true),
      flag("recursive", "Directories below, too"),
      flag("write", "Write nothing", true),
    ],
    isWithoutConfiguration: true,
    load: async () => (await import("./commands/fmt.ts")).runFmt,
  }),
  command({
    name: "compile",
    summary: "Compile circuits into files for OpenTofu and Terraform",
    options: [
      flag("check", "Write nothing; fail when an output is not up to date"),
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
  }),
];

/** The commands that read hosts, or act on them. */
const hostCommands: readonly Command[] = [
  command({
    name: "plan",
    summary: "Show what an apply would do",
    options: [
      ...runOptions,
      ...planModes,
      flag(
        "detailed-exitcode",
        "Exit with 2 when there are changes, with 3 when there are none in what could be read of the hosts",
      ),
      {
        kind: "value",
        name: "out",
        value: "FILE",
        describe: "Save the plan, for conn3x apply FILE; sensitive values are in it",
      },
      {
        kind: "value",
        name: "plan-json",
        value: "FILE",
        describe: "Also write the plan to a file, in the form of tofu show -json PLANFILE",
      },
    ],
    load: async () => (await import("./commands/plan.ts")).runPlan,
  }),
  command({
    name: "apply",
    summary: "Apply the configuration to the hosts",
    describe:
      "Shows the plan and asks; only yes counts. Without a terminal the answer is read from standard input.",
    args: [
      {
        name: "PLANFILE",
        describe: "A plan that plan -out saved: it is applied as it was made, and nothing is asked",
      },
    ],
    options: [...runOptions, ...planModes, approval],
    load: async () => (await import("./commands/apply.ts")).runApply,
  }),
  command({
    name: "destroy",
    summary: "Remove everything that the state knows",
    describe: 'What existed before Conn3x is kept, and so is what on_remove = "keep" says.',
    options: [...runOptions, approval],
    load: async () => (await import("./commands/destroy.ts")).runDestroy,
  }),
  command({
    name: "drift",
    summary: "Show what changed on the hosts since the last apply",
    describe:
      "Only reads: nothing is written anywhere, and no lock is taken. Exits with 0 when nothing changed, with 2 when something did, " +
      "with 3 when nothing was found in what could be read, and with 1 after an error.",
    options: [
      ...variableOptions,
      ...selectionOptions,
      state,
      engine("Read with this engine"),
      askBecomePass,
      ...hostLogOptions,
      json,
    ],
    load: async () => (await import("./commands/drift.ts")).runDrift,
  }),
  command({
    name: "refresh",
    summary: "Update the state from the hosts",
    describe: "The same as apply -refresh-only -auto-approve: nothing is done on any host.",
    options: sessionOptions,
    load: async () => (await import("./commands/refresh.ts")).runRefresh,
  }),
  command({
    name: "run",
    summary: "Run a command on the hosts of the circuits",
    describe:
      "The words after -- are joined with spaces and given to the shell of each host, as the user that steps act as. " +
      "Exits with 1 when the command failed on a host.",
    args: [{ name: "COMMAND", describe: "What to run, after --", required: true, many: true }],
    options: [
      ...variableOptions,
      {
        kind: "list",
        name: "circuit",
        value: "NAME",
        describe: "Only hosts of this circuit; may be given again",
      },
      limit,
      parallelism("Hosts worked on"),
      askBecomePass,
      ...hostLogOptions,
      json,
    ],
    load: async () => (await import("./commands/run.ts")).runRun,
  }),
];

/** The commands that work on what is stored. */
const storedCommands: readonly Command[] = [
  command({
    name: "show",
    summary: "Show the state, or a saved plan",
    args: [{ name: "PLANFILE", describe: "A plan that plan -out saved; without it the state is shown" }],
    options: [
      state,
      stateEngine,
      ...shownPlanOptions,
      flag("json", "Print JSON in the form of tofu show -json; sensitive values are in it"),
    ],
    load: async () => (await import("./commands/show.ts")).runShow,
  }),
  command({
    name: "output",
    summary: "Show the outputs of the last apply",
    args: [{ name: "NAME", describe: "One output, even a sensitive one; without it all that are not" }],
    options: [
      state,
      stateEngine,
      flag("json", "Print JSON; sensitive values are in it"),
      flag("raw", "Print a text, number or boolean as it is, without a line end"),
    ],
    load: async () => (await import("./commands/output.ts")).runOutput,
  }),
  command({
    name: "import",
    summary: "Take an existing object on a host into the state",
    describe:
      "What it is to be must be configured. Nothing is done on the host; the next plan says what it would change. An import block does the same with a plan.",
    args: [
      {
        name: "ADDRESS",
        describe: 'Where it goes: conn3x_file.web__config["web1"]',
        required: true,
        ...namesInstance,
      },
      {
        name: "ID",
        describe:
          "What it is: CIRCUIT/HOST:IDENTITY, such as web/web1:/etc/motd or web/web1:nginx, or ssh://USER@ADDRESS:PORT/IDENTITY. IDENTITY is a path, or the name of a package or service",
        required: true,
      },
    ],
    options: [
      ...variableOptions,
      state,
      input,
      ...lockOptions,
      engine("Import with this engine, Conn3x's provider attached"),
      askBecomePass,
      ...hostLogOptions,
    ],
    load: async () => (await import("./commands/import.ts")).runImport,
  }),
  ...stateCommands,
  command({
    name: "force-unlock",
    summary: "Remove a lock that a run has left on the state",
    describe:
      "A lock of a run that was killed on this machine is taken over by itself where the state is in a file, and in PostgreSQL it goes with the run. What is left is another machine's lock, or one at an HTTP server. The message that the state is locked names the id. Never end the lock of a run that goes on.",
    args: [{ name: "LOCK_ID", describe: "As that message says it", required: true }],
    options: [
      state,
      engine("Have this engine end it, wherever it has the state"),
      flag("force", "Do not ask"),
    ],
    load: async () => (await import("./commands/force-unlock.ts")).runForceUnlock,
  }),
  command({
    name: "console",
    summary: "Evaluate expressions, with the stored resources",
    describe: "Reads an expression a line. On a terminal, exit ends it.",
    options: [...variableOptions, state, engine("Have this engine's own console evaluate them")],
    load: async () => (await import("./commands/console.ts")).runConsole,
  }),
  command({
    name: "graph",
    summary: "Print the dependencies of resources for Graphviz",
    options: [],
    load: async () => (await import("./commands/graph.ts")).runGraph,
  }),
];

const otherCommands: readonly Command[] = [
  command({
    name: "demo",
    summary: "Show plan, apply, drift and destroy on a throw-away host; leaves nothing behind",
    options: [],
    isWithoutConfiguration: true,
    load: async () => (await import("./commands/demo.ts")).runDemo,
  }),
  command({
    name: "completion",
    summary: "Print a completion script for a shell",
    describe:
      "bash: source <(conn3x completion bash). zsh: source <(conn3x completion zsh), after compinit. fish: conn3x completion fish | source.",
    args: [{ name: "SHELL", describe: "bash, zsh or fish", required: true }],
    options: [],
    isWithoutConfiguration: true,
    load: async () => (await import("./commands/completion.ts")).runCompletion,
  }),
  command({
    name: "version",
    summary: "Show the version",
    options: [json],
    isWithoutConfiguration: true,
    load: async () => (await import("./commands/version.ts")).runVersion,
  }),
];

const groups: readonly CommandGroup[] = [
  { name: "state", summary: "Show or change the state without the hosts" },
];

/** Everything that `conn3x` can be asked to do. */
export const commandSet: CommandSet = {
  commands: [...configurationCommands, ...hostCommands, ...storedCommands, ...otherCommands],
  groups,
  globals: globalOptions,
};
