/**
 * @module `conn3x state …`: the commands that look at the state or change it by itself.
 */
import { type Command, command } from "../command.ts";
import { engine, flag, lockOptions, state, stateEngine } from "../command-line/shared-options.ts";
import { namesInstance } from "./instance-name.ts";

const dryRun = flag("dry-run", "Only say what would be done");

const changing = engine("Have this engine do it, wherever it has the state");

const address = {
  name: "ADDRESS",
  describe:
    'An instance (conn3x_file.web__config["web1"]), or a resource or module, which stands for all of its instances',
  ...namesInstance,
};

export const stateCommands: readonly Command[] = [
  command({
    name: "state list",
    summary: "List what the state holds",
    args: [{ ...address, many: true }],
    options: [state, stateEngine],
    load: async () => (await import("../commands/state-list.ts")).runStateList,
  }),
  command({
    name: "state show",
    summary: "Show instances of the state",
    args: [{ ...address, required: true, many: true }],
    options: [state, stateEngine],
    load: async () => (await import("../commands/state-show.ts")).runStateShow,
  }),
  command({
    name: "state rm",
    summary: "Forget instances",
    describe:
      "What they stand for stays on the hosts. Where they are still configured, the next plan creates them again.",
    args: [{ ...address, required: true, many: true }],
    options: [state, changing, ...lockOptions, dryRun],
    load: async () => (await import("../commands/state-rm.ts")).runStateRm,
  }),
  command({
    name: "state mv",
    summary: "Give instances another address",
    describe: "For steps that were renamed without a moved block.",
    args: [
      { ...address, name: "SOURCE", required: true },
      { ...address, name: "DESTINATION", describe: "The new address, of the same type", required: true },
    ],
    options: [state, changing, ...lockOptions, dryRun],
    load: async () => (await import("../commands/state-mv.ts")).runStateMv,
  }),
  command({
    name: "state pull",
    summary: "Print the state as it is stored",
    options: [state, stateEngine],
    load: async () => (await import("../commands/state-pull.ts")).runStatePull,
  }),
  command({
    name: "state push",
    summary: "Put a state file in place of the stored state",
    describe: "Refuses a state of another lineage, or an older one, unless -force is given.",
    args: [{ name: "PATH", describe: "File to take it from; - is standard input", required: true }],
    options: [state, changing, ...lockOptions, flag("force", "Also another state's, or an older one")],
    load: async () => (await import("../commands/state-push.ts")).runStatePush,
  }),
];
