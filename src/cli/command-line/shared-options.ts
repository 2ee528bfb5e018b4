/**
 * @module Options that several commands take.
 */
import { wrongLimit } from "../../engine/index.ts";
import { planFormats } from "../render/plan.ts";
import { namesInstance } from "../state/instance-name.ts";
import {
  duration,
  type FlagSpec,
  type ListSpec,
  type OptionSpec,
  positiveInteger,
  type ValueSpec,
} from "./option.ts";

export const flag = <const Name extends string>(
  name: Name,
  describe: string,
  initial = false,
): FlagSpec<Name> => ({
  kind: "flag",
  name,
  initial,
  describe,
});

export const json = flag("json", "Print JSON");

/** Options of every command. `-chdir` may also be before the command, as in OpenTofu. */
export const globalOptions = [
  { kind: "value", name: "chdir", value: "DIR", describe: "Work in this directory" },
  flag("no-color", "Print plain text"),
] as const satisfies readonly OptionSpec[];

export const variableOptions = [
  { kind: "list", name: "var", value: "NAME=VALUE", describe: "Set an input variable; may be given again" },
  {
    kind: "list",
    name: "var-file",
    value: "FILE",
    describe: "Set the variables in a file; may be given again",
  },
] as const satisfies readonly OptionSpec[];

export const state: ValueSpec<"state"> = {
  kind: "value",
  name: "state",
  value: "PATH",
  describe: "State file (default: where the configuration has the state, else terraform.tfstate)",
};

/** Options of commands that write the state. */
export const lockOptions = [
  {
    kind: "flag",
    name: "lock",
    initial: true,
    describe: "Lock the state",
    hidden: true,
    check: (value) =>
      value
        ? undefined
        : "The state is always locked: two runs would undo each other's work. -lock-timeout=5m waits for another run, and conn3x drift looks at the hosts without a lock.",
  },
  {
    kind: "value",
    name: "lock-timeout",
    value: "DURATION",
    check: duration,
    describe: "How long to wait for the state's lock (default 0s)",
  },
] as const satisfies readonly OptionSpec[];

export const input = flag("input", "Never ask for anything", true);

export const parallelism = (what: string): ValueSpec<"parallelism"> => ({
  kind: "value",
  name: "parallelism",
  value: "N",
  check: positiveInteger,
  describe: `${what} at once (default 64)`,
});

/** @param does what it is for */
export const engine = (does: string): ValueSpec<"engine"> => ({
  kind: "value",
  name: "engine",
  value: "tofu|terraform|PATH",
  describe: `${does} (or CONN3X_ENGINE; default embedded)`,
});

/** Option of commands that only read the state. */
export const stateEngine = engine("Ask this engine for the state, wherever it has it");

/** Option of every command that logs in to hosts. */
export const askBecomePass = flag(
  "ask-become-pass",
  "Ask once, on the terminal, for the password that sudo, doas or su wants (also -K)",
);

/** Further options of every command that logs in to hosts. */
export const hostLogOptions = [
  flag(
    "no-exec",
    "Start no program on this machine: a host with a proxy_command, or a transport other than ssh2, is an error",
  ),
  flag("v", "Tell on standard error what each host is asked and answers, secrets masked"),
  {
    kind: "value",
    name: "log",
    value: "DIR",
    describe: "Write what each host is asked and answers into a file of its own, secrets masked",
  },
] as const satisfies readonly OptionSpec[];

/** How a plan is shown. */
const planFormat: ValueSpec<"format"> = {
  kind: "value",
  name: "format",
  value: "circuits|resources|markdown",
  check: (value) =>
    (planFormats as readonly string[]).includes(value)
      ? undefined
      : `must be ${planFormats.slice(0, -1).join(", ")} or ${planFormats.at(-1)}`,
  describe:
    "Show what changes as steps of circuits (default), as the resources that they compile to, or as Markdown for a comment",
};

/** Options that `show` has, too. */
export const shownPlanOptions = [
  planFormat,
  flag("expand", "Show equal changes of each host by themselves"),
  flag(
    "show-replace-steps",
    "Show replacements step by step: what is created, changed and deleted, in which order",
  ),
] as const satisfies readonly OptionSpec[];

/** Options that `refresh` has, too. */
export const sessionOptions = [
  askBecomePass,
  ...hostLogOptions,
  ...variableOptions,
  state,
  input,
  ...lockOptions,
  parallelism("Instances acted on"),
  engine("Plan and apply with this engine, Conn3x's provider attached"),
  ...shownPlanOptions,
  flag("compact-warnings", "Of warnings show only what happened and where"),
  flag("json", "Print lines of JSON, as OpenTofu's machine-readable UI"),
] as const satisfies readonly OptionSpec[];

/** An option of every command that is about hosts. */
export const limit: ListSpec<"limit"> = {
  kind: "list",
  name: "limit",
  value: "PATTERN",
  check: wrongLimit,
  describe:
    "Only hosts whose names fit (web*, db?, web[1-3]), or but for !PATTERN, or also fit &PATTERN; may be given again, or several with commas",
};

/** What a command is about, where that is not everything. */
export const selectionOptions = [
  {
    kind: "list",
    name: "target",
    value: "ADDRESS",
    describe: "Only this resource or instance, with what it depends on; may be given again",
    ...namesInstance,
  },
  {
    kind: "list",
    name: "circuit",
    value: "NAME",
    describe: "Only this circuit, with what it depends on; may be given again",
  },
  {
    kind: "list",
    name: "step",
    value: "NAME",
    describe: "Only steps and handlers of this name, with what they depend on; may be given again",
  },
  limit,
] as const satisfies readonly OptionSpec[];

/** Options of plan, apply and destroy. */
export const runOptions = [
  ...sessionOptions,
  ...selectionOptions,
  flag("refresh", "Do not read the hosts: plan from what is stored", true),
  {
    kind: "list",
    name: "replace",
    value: "ADDRESS",
    describe: "Replace this instance whatever it is like; may be given again",
    ...namesInstance,
  },
] as const satisfies readonly OptionSpec[];

export const planModes = [
  flag("destroy", "Plan to destroy everything"),
  flag("refresh-only", "Only take into the state what the hosts have"),
] as const satisfies readonly OptionSpec[];

export const approval = flag("auto-approve", "Do not ask before acting");

export type GlobalOption = (typeof globalOptions)[number];
export type StateOption = typeof state;
export type InputOption = typeof input;
export type LockOption = (typeof lockOptions)[number];
export type EngineOption = typeof stateEngine;
/** The options of every command that logs in to hosts. */
export type LoginOption = typeof askBecomePass | HostLogOption;
export type HostLogOption = (typeof hostLogOptions)[number];
export type SessionOption = (typeof sessionOptions)[number];
export type ShownPlanOption = (typeof shownPlanOptions)[number];
export type SelectionOption = (typeof selectionOptions)[number];
export type RunOption = (typeof runOptions)[number];
export type PlanModeOption = (typeof planModes)[number];
