/**
 * @module `conn3x_reboot`: reboots a host and waits for it.
 *
 * Only another boot id proves another boot (random(4)): neither clocks nor connections that break do.
 */
import { raw, script } from "../../script/script.ts";
import type { PlainObject } from "../../values/plain.ts";
import { AnswerError, type Closer, type Found, type StepKind } from "../kind.ts";
import type { CommandAnswer, Operation } from "../operation.ts";
import { runsWhenChanged } from "../run-condition.ts";
import { rebootRequired } from "./required.ts";
import { rebootSchema, standardTimeout } from "./schema.ts";

/** Undefined until it is to be acted. */
interface BootFacts {
  readonly bootId?: string;
  readonly isRoot?: boolean;
  readonly isRequired?: boolean;
}

const condition = runsWhenChanged(rebootSchema, ["boot_id"]);

export const rebootKind: StepKind<BootFacts, null> = {
  role: "step",
  name: "reboot",
  type: "conn3x_reboot",
  schema: rebootSchema,
  id: { from: [], of: () => "reboot" },
  // A refresh asks nothing: that a host was rebooted by somebody else is no drift.
  facts: {
    subject: () => null,
    ask: () => raw(""),
    parse: (_, subjects) => subjects.map(() => ({ state: "present", facts: {} })),
  },
  closer: bootFacts(),
  observe: (_, object) => object,
  plan: condition.plan,
  operate: operateReboot,
  outcome: (_, answers, prior) => ({
    attributes: { boot_id: bootIdOf(answers.at(-1)) ?? prior?.boot_id ?? null },
    changed: true,
  }),
  remove: () => [],
};

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

const bootIdOf = (answer: CommandAnswer | undefined): string | undefined => {
  const id = answer?.stdout.toString("utf8").trim();
  return id !== undefined && uuid.test(id) ? id : undefined;
};

function bootFacts(): Closer<BootFacts> {
  return {
    ask: (_, __, look) =>
      look === "act"
        ? {
            ask: "script",
            script: script`cat /proc/sys/kernel/random/boot_id
id -u
${rebootRequired}`,
          }
        : undefined,
    parse({ stdout }) {
      const [bootId, uid, need] = stdout.toString("utf8").split("\n");
      if (!uuid.test(bootId ?? ""))
        throw new AnswerError("has no boot id that could tell one boot from another");
      return { bootId: bootId!, isRoot: uid === "0", isRequired: need === "required" };
    },
  };
}

function operateReboot(
  want: PlainObject,
  found: Found<BootFacts>,
  prior?: PlainObject,
): readonly Operation[] {
  if (!condition.hasToRun(want, prior)) return [];
  if (found.state !== "present") {
    return [refuse(`the host ${found.state === "absent" ? "cannot be seen" : found.why}.`)];
  }
  const { bootId, isRoot, isRequired } = found.facts;
  if (want.only_if_required === true && isRequired === false) return [];
  if (isRoot !== true) return [refuse("only root can reboot it: set become in the ssh block.")];
  const timeout = typeof want.timeout === "number" ? want.timeout : standardTimeout;
  return [begin, comeBack(bootId!, timeout)];
}

const refuse = (why: string): Operation => ({
  do: "refuse",
  summary: "Cannot reboot the host",
  detail: `It was not rebooted: ${why}`,
});

/**
 * systemd takes the order and answers, or says why it does not. Elsewhere a process that outlives our shell gives it, so
 * that the answer comes before the host goes.
 */
const begin: Operation = {
  do: "script",
  script: script`if [ -d /run/systemd/system ]; then systemctl reboot
else setsid sh -c 'sleep 1; reboot || shutdown -r now' </dev/null >/dev/null 2>&1 & fi`,
  purpose: "reboot the host",
  own: true,
  timeout: 60,
  endsConnection: true,
};

/** A host that still shuts down answers with the old id; one that still boots may not permit logins yet (nologin(5)). */
const comeBack = (before: string, timeout: number): Operation => ({
  do: "wait",
  question: {
    ask: "script",
    script: script`b=$(cat /proc/sys/kernel/random/boot_id) || exit 1
if [ "$b" = ${before} ]; then echo 'it still runs as before' >&2; exit 1; fi
if [ -e /run/nologin ]; then echo 'it does not permit logins yet' >&2; exit 1; fi
echo "$b"`,
  },
  interval: 1,
  timeout,
  purpose: "the host to come back from its reboot",
  advice:
    "Look at its console. (A container may have the boot id of the host it runs on, which its own reboot does not change.)",
  reconnect: true,
});
