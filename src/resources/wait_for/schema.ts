/**
 * @module Settings of `conn3x_wait_for`.
 */
import { number, oneOf, string } from "../../schema/schema.ts";
import { hostResource } from "../settings.ts";
import { stepTriggers } from "../triggers.ts";

const seconds = (standard: number, describe: string) =>
  number({
    optional: true,
    hostEffect: false,
    describe: `${describe} Default ${standard}.`,
    check: (value) => (value > 0 ? undefined : "must be more than 0: it is a number of seconds"),
  });

/** Seconds. */
export const standard = { timeout: 300, interval: 1 };

export const waitForSchema = hostResource(
  "Waits until something on the host is as wanted, when it is created and again whenever what is waited for or `triggers` change. It changes nothing there, and is not looked at in between.",
  {
    port: number({
      optional: true,
      oneOf: "what",
      describe:
        "A TCP port that something on the host listens on, whatever the address. Exactly one of `port`, `path` and `command` is needed.",
      check: (port) =>
        Number.isInteger(port) && port >= 1 && port <= 65535
          ? undefined
          : `must be a whole number from 1 to 65535, not ${port}`,
    }),
    path: string({
      optional: true,
      oneOf: "what",
      describe: "Absolute path of something that exists.",
      check: (path) => (path.startsWith("/") ? undefined : `must be an absolute path, not "${path}"`),
    }),
    command: string({
      optional: true,
      oneOf: "what",
      describe: "Text for the host's `/bin/sh` that ends with status 0. It is run again and again.",
      check: (text) => (text.trim() === "" ? "must not be empty" : undefined),
    }),
    state: oneOf(["present", "absent"], {
      optional: true,
      describe:
        "`present` (default), or `absent`: nothing listens, nothing exists, the command ends with another status.",
    }),
    triggers: stepTriggers,
    timeout: seconds(standard.timeout, "Seconds after which the step fails."),
    interval: seconds(standard.interval, "Seconds between two looks."),
  },
);
