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
  "A command that runs once, and again whenever its settings or `triggers` change. With `creates` or `unless` it also runs again when its result is gone. Removing it does nothing on the host.",
  {
    ...commandSettings(),
    triggers: stepTriggers,
    creates: string({
      optional: true,
      occupies: () => ({ what: "anything", followsLinks: true }),
      hostEffect: false,
      describe:
        "Absolute path of something that the command creates. If it exists the command is not run; if it is missing the plan shows that the command will run, and afterwards it must exist.",
      check: (path, show) =>
        path.startsWith("/") ? undefined : `must be an absolute path${show(`, not "${path}"`)}`,
    }),
    unless: guard(
      "Script for `/bin/sh` that tells whether everything is done already: with status 0 the command is not run. Every plan runs it once the command is in the state, and every apply before the command, so it must change nothing; after the command it must give status 0.",
    ),
    only_if: guard(
      "Script for `/bin/sh` that tells whether the command can run now: with a status other than 0 it is not run, until a later apply gets status 0. Each plan may run it, so it must change nothing.",
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
        "Standard output of the last run, at most the last 256 KiB; null if it has not run, or if `sensitive` is set.",
    }),
    stderr: string({
      computed: true,
      follows: whatIsRun,
      describe: "Standard error of the last run, like `stdout`.",
    }),
    exit_code: number({
      computed: true,
      describe: "Exit status of the last run, 128 + N for signal N; null if it has not run.",
    }),
    ran: bool({
      computed: true,
      describe: "Whether it has run; false if `creates`, `unless` or `only_if` prevented that.",
    }),
  },
);
