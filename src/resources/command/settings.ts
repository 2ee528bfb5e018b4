/**
 * @module Settings of everything that runs what the user wrote: the command of a step and that of a handler.
 */
import {
  type AttributeSchema,
  bool,
  number,
  numberList,
  type Show,
  string,
  stringList,
  stringMap,
} from "../../schema/schema.ts";

import { simplePath } from "../paths/settings.ts";

/** Names as POSIX has them: what a shell can export. */
const badNames = (environment: { readonly [name: string]: unknown }, show: Show): string | undefined => {
  const bad = Object.keys(environment).find((name) => !/^[A-Za-z_][A-Za-z0-9_]*$/.test(name));
  return bad === undefined
    ? undefined
    : `has ${show(`"${bad}", which is `) || "what is "}no name of a variable: letters, digits and underscores, not starting with a digit`;
};

const notEmpty = (text: string): string | undefined => (text.trim() === "" ? "must not be empty" : undefined);

/**
 * @param flags of each setting that says what is run: those of a handler's command have no effect of their own
 */
export const commandSettings = (
  flags: { readonly hostEffect?: false } = {},
): Readonly<Record<string, AttributeSchema>> => ({
  run: string({
    ...flags,
    optional: true,
    oneOf: "text",
    describe:
      "Script for the host's `/bin/sh`, of one or more lines. Exactly one of `run` and `script` is needed.",
    check: notEmpty,
  }),
  script: string({
    ...flags,
    optional: true,
    oneOf: "text",
    describe:
      'Text for `interpreter`, which reads it from standard input: nothing is written to the host. `file("setup.sh")` takes it from a local file.',
    check: notEmpty,
  }),
  interpreter: stringList({
    standard: ["/bin/sh"],
    ...flags,
    optional: true,
    describe:
      'Program that `script` is for, with its arguments, such as `["bash", "-eu"]` or `["python3", "-"]`. Default `["/bin/sh"]`.',
    check: (words) => (words.length === 0 || words[0] === "" ? "must name a program" : undefined),
  }),
  environment: stringMap({
    ...flags,
    optional: true,
    describe: "Variables in addition to those of the host. One with a null value is left out.",
    check: badNames,
  }),
  secret_environment: stringMap({
    ...flags,
    optional: true,
    sensitive: true,
    describe: "As `environment`, for secrets: the values are masked wherever output is shown or stored.",
    check: badNames,
  }),
  cwd: string({
    equivalent: (a, b) => simplePath(a) === simplePath(b),
    ...flags,
    optional: true,
    describe: "Working directory. Default: the home directory of the user that it runs as.",
    check: (path, show) =>
      path.startsWith("/") ? undefined : `must be an absolute path${show(`, not "${path}"`)}`,
  }),
  user: string({
    ...flags,
    optional: true,
    describe: "User that it runs as, if not the acting user; this needs root, so `become`.",
    check: (name, show) =>
      /^[A-Za-z_][A-Za-z0-9_.-]*\$?$/.test(name)
        ? undefined
        : `must be the name of a user${show(`, not "${name}"`)}`,
  }),
  stdin: string({
    ...flags,
    optional: true,
    anyCharacter: true,
    sensitive: true,
    describe: "Its standard input. Default: empty. Masked wherever output is shown or stored.",
  }),
  sensitive: bool({
    optional: true,
    hostEffect: false,
    describe: "Whether its output is secret: it is then neither shown nor stored. Default false.",
  }),
  success_codes: numberList({
    optional: true,
    hostEffect: false,
    describe: "Exit statuses that mean success. Default `[0]`.",
    check: (codes) =>
      codes.length > 0 && codes.every((code) => Number.isInteger(code) && code >= 0 && code <= 255)
        ? undefined
        : "must be whole numbers from 0 to 255",
  }),
  timeout: number({
    optional: true,
    hostEffect: false,
    describe:
      "Seconds after which it is killed with all of its children, and fails. Default: `command_timeout` of the `ssh` block.",
    check: (seconds) => (seconds > 0 ? undefined : "must be more than 0: it is a number of seconds"),
  }),
});
