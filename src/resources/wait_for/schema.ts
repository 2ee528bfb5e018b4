/**
 * @module Settings of `conn3x_wait_for`.
 */
import { number, numberList, oneOf, type Show, string } from "../../schema/schema.ts";
import { sameNames } from "../package/names.ts";
import { simplePath } from "../paths/settings.ts";
import { hostResource } from "../settings.ts";
import { stepTriggers } from "../triggers.ts";
import { standardStatuses } from "./http.ts";

const seconds = (standard: number, describe: string) =>
  number({
    optional: true,
    hostEffect: false,
    describe: `${describe} Default ${standard}.`,
    check: (value) => (value > 0 ? undefined : "must be more than 0: it is a number of seconds"),
  });

/** Seconds. */
export const standard = { timeout: 300, interval: 1 };

/** Characters that no URL has as they are, and that curl's configuration has a meaning for. */
function badUrl(url: string, show: Show): string | undefined {
  if (!/^https?:\/\/[^/]/.test(url)) return `must start with http:// or https://${show(`, not "${url}"`)}`;
  return /[\s"\\\p{Cc}]/u.test(url)
    ? "must have white space, quotes and backslashes as %20, %22 and %5C"
    : undefined;
}

/** By the rules for URLs: the case of the host, the port that is the default anyway, dots in the path. */
const sameUrl = (a: string, b: string): boolean =>
  URL.canParse(a) && URL.canParse(b) && new URL(a).href === new URL(b).href;

export const waitForSchema = hostResource(
  "Waits for something on the host: when it is created, and again whenever its settings or `triggers` change. It changes nothing there, and nothing is read in between.",
  {
    port: number({
      optional: true,
      oneOf: "what",
      describe:
        "A TCP port that something on the host listens on, whatever the address. Exactly one of `port`, `path`, `command` and `http` is needed.",
      check: (port, show) =>
        Number.isInteger(port) && port >= 1 && port <= 65535
          ? undefined
          : `must be a whole number from 1 to 65535${show(`, not ${port}`)}`,
    }),
    path: string({
      optional: true,
      oneOf: "what",
      equivalent: (a, b) => simplePath(a) === simplePath(b),
      describe: "Absolute path of something that exists.",
      check: (path, show) =>
        path.startsWith("/") ? undefined : `must be an absolute path${show(`, not "${path}"`)}`,
    }),
    command: string({
      optional: true,
      oneOf: "what",
      describe: "A script for the host's `/bin/sh` that is run repeatedly until it ends with status 0.",
      check: (text) => (text.trim() === "" ? "must not be empty" : undefined),
    }),
    http: string({
      optional: true,
      oneOf: "what",
      equivalent: sameUrl,
      describe:
        "A URL that answers with one of `http_status`: `http://localhost:8080/health`. The content does not matter; redirections are not followed, certificates are checked. On a host that only has busybox's wget, the URL is visible in the process list during the request.",
      check: badUrl,
    }),
    http_status: numberList({
      standard: standardStatuses,
      equivalent: (a, b) => sameNames(a.map(String), b.map(String)),
      optional: true,
      describe: `Statuses that count as an answer. Default \`[${standardStatuses.join(", ")}]\`.`,
      check: (statuses) =>
        statuses.length > 0 && statuses.every((one) => Number.isInteger(one) && one >= 100 && one <= 599)
          ? undefined
          : "must be whole numbers from 100 to 599",
    }),
    http_from: oneOf(["host", "controller"], {
      standard: "host",
      optional: true,
      describe:
        "Where the request is made: on the `host` (default), with its curl or wget, or on the `controller`, where Conn3x runs.",
    }),
    state: oneOf(["present", "absent"], {
      standard: "present",
      optional: true,
      describe:
        "`present` (default), or `absent`: nothing listens, nothing exists, the command ends with another status, the URL answers otherwise.",
    }),
    triggers: stepTriggers,
    timeout: seconds(standard.timeout, "Seconds after which the step fails."),
    interval: seconds(standard.interval, "Seconds between two looks."),
  },
);
