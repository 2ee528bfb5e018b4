/**
 * @module Settings of `conn3x_command`.
 */
import { bool, number, string } from "../../schema/schema.ts";
import { badRegexp } from "../regexp.ts";
import { hostResource } from "../settings.ts";
import { stepTriggers } from "../triggers.ts";
import { commandSettings } from "./settings.ts";

const guard = (describe: string) => string({ optional: true, hostEffect: false, describe });

/** A command may print any of these, without the settings that are masked in what it prints. */
const whatIsRun = ["run", "script", "interpreter", "environment", "cwd", "user"];

export const commandSchema = hostResource(
  "A command that is run once, and again whenever what is run or `triggers` change. With `creates` or `unless` it is also run again when what it made is gone. Removing it does nothing on the host.",
  {
    ...commandSettings(),
    triggers: stepTriggers,
    creates: string({
      optional: true,
      occupies: () => ({ what: "anything", followsLinks: true }),
      hostEffect: false,
      describe:
        "Absolute path of what it makes. Where that exists the command is never run; where it is missing a plan shows that it will be, and after running it must be there.",
      check: (path, tell) =>
        path.startsWith("/") ? undefined : `must be an absolute path${tell(`, not "${path}"`)}`,
    }),
    unless: guard(
      "Text for `/bin/sh` that tells whether all is done already: status 0 means yes, and the command is not run. Each plan runs it, so it must change nothing; after the command it must hold.",
    ),
    only_if: guard(
      "Text for `/bin/sh` that tells whether the command can be run now: with another status than 0 it is not, until a later apply finds it so. Each plan may run it, so it must change nothing.",
    ),
    changed_when: string({
      optional: true,
      hostEffect: false,
      describe:
        "A regular expression (RE2's, as in the language's `regex`): an update whose standard output does not match keeps its `revision`, and so runs no handler. (OpenTofu and Terraform run a handler that the plan said will run.) Unset: each run is a change.",
      check: badRegexp,
    }),
    stdout: string({
      computed: true,
      follows: whatIsRun,
      describe:
        "What its last run printed, at most the last 256 KiB; null when it has not been run, or `sensitive` is set.",
    }),
    stderr: string({ computed: true, follows: whatIsRun, describe: "As `stdout`, of standard error." }),
    exit_code: number({
      computed: true,
      describe: "Exit status of its last run, 128 + N for signal N; null when it has not been run.",
    }),
    ran: bool({
      computed: true,
      describe: "Whether it has been run; false where `creates`, `unless` or `only_if` kept it from that.",
    }),
  },
);
