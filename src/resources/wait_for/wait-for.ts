/**
 * @module `conn3x_wait_for`: waits until something on a host is as wanted.
 */
import { type Diagnostic, errorDiagnostic } from "../../diagnostics/diagnostic.ts";
import { type Script, script } from "../../script/script.ts";
import { at } from "../../values/path.ts";
import type { PlainObject } from "../../values/plain.ts";
import { Unknown } from "../../values/value.ts";
import type { StepKind } from "../kind.ts";
import { nothingToRead } from "../nothing-to-read.ts";
import type { Operation, Question } from "../operation.ts";
import { runsWhenChanged } from "../run-condition.ts";
import { answers, noClient, standardStatuses } from "./http.ts";
import { standard, waitForSchema } from "./schema.ts";

const condition = runsWhenChanged(waitForSchema, []);

export const waitForKind: StepKind<null, null> = {
  role: "step",
  name: "wait_for",
  type: "conn3x_wait_for",
  schema: waitForSchema,
  id: { from: ["port", "path", "command", "http"], of: describe },
  check: checkWaitFor,
  facts: nothingToRead,
  observe: (_, object) => object,
  operate: (want, _, prior) => (condition.hasToRun(want, prior) ? [wait(want)] : []),
  remove: () => [],
};

function checkWaitFor(config: PlainObject): readonly Diagnostic[] {
  const { port, path, command, http } = config;
  if (port === null && path === null && command === null && http === null) {
    const detail = "Set one of port, path, command and http.";
    return [errorDiagnostic("Nothing to wait for", detail, { attribute: at("port") })];
  }
  const idle = ["http_status", "http_from"].find(
    (name) => config[name] !== null && !(config[name] instanceof Unknown),
  );
  if (http !== null || idle === undefined) return [];
  return [
    errorDiagnostic("No URL to wait for", `${idle} says how http is asked: set that, too.`, {
      attribute: at(idle),
    }),
  ];
}

function describe({ port, path, http }: PlainObject): string {
  if (typeof port === "number") return `TCP port ${port}`;
  if (typeof http === "string") return withoutLogin(http);
  return typeof path === "string" ? path : "command";
}

function wait(want: PlainObject): Operation {
  return {
    do: "wait",
    question: question(want),
    interval: seconds(want.interval, standard.interval),
    timeout: seconds(want.timeout, standard.timeout),
    purpose: purpose(want, want.state === "absent"),
    ...(typeof want.http === "string" ? { hopeless: noClient } : {}),
  };
}

/** Messages and the id are shown: what logs in there is not. */
const withoutLogin = (url: string): string => url.replace(/\/\/[^/@]*@/, "//").replace(/\?.*/, "?…");

const statusesOf = ({ http_status: statuses }: PlainObject): readonly number[] =>
  Array.isArray(statuses) ? statuses.map(Number) : standardStatuses;

function purpose(want: PlainObject, absent: boolean): string {
  const { port, path, http } = want;
  if (typeof http === "string") {
    const word = absent ? "not to answer" : "to answer";
    return `${withoutLogin(http)} ${word} with status ${statusesOf(want).join(" or ")}`;
  }
  if (typeof port === "number") return `TCP port ${port} to be ${absent ? "closed" : "open"}`;
  if (typeof path === "string") return `${path} to ${absent ? "vanish" : "exist"}`;
  return `the command to ${absent ? "fail" : "succeed"}`;
}

const seconds = (value: unknown, fallback: number): number => (typeof value === "number" ? value : fallback);

/** Status 0 when it is as wanted. The user's command has a subshell: its failure does not end the script. */
function question(want: PlainObject): Question {
  const { command, path, port, state } = want;
  if (typeof command === "string") {
    return { ask: "command", script: state === "absent" ? `! (\n${command}\n)` : command };
  }
  if (typeof want.http === "string") return urlQuestion(want, want.http);
  const test = typeof path === "string" ? exists(path) : listens(Number(port));
  return { ask: "script", script: state === "absent" ? script`! { ${test}; }` : test };
}

function urlQuestion(want: PlainObject, url: string): Question {
  const statuses = statusesOf(want);
  const wanted = want.state !== "absent";
  return want.http_from === "controller"
    ? { ask: "url", url, statuses, wanted }
    : { ask: "slow", script: answers(url, statuses, wanted), timeout: 30 };
}

const exists = (path: string): Script => script`[ -e ${path} ] || [ -L ${path} ]`;

/** proc(5): local address, remote address, state 0A (listening). Elsewhere from netstat. */
const listens = (port: number): Script => script`if [ -r /proc/net/tcp ]; then
  cat /proc/net/tcp /proc/net/tcp6 2>/dev/null | grep -q ${`^ *[0-9]*: [0-9A-F]*:${hexadecimal(port)} [0-9A-F]*:0000 0A `}
else netstat -an | grep -q ${`^tcp.*[.:]${port} .*LISTEN`}; fi`;

const hexadecimal = (port: number): string => port.toString(16).toUpperCase().padStart(4, "0");
