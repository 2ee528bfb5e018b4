/**
 * @module The operations on a service, and why they may be impossible.
 */
import { type Diagnostic, errorDiagnostic } from "../../diagnostics/diagnostic.ts";
import type { Script } from "../../script/script.ts";
import { at } from "../../values/path.ts";
import type { PlainObject } from "../../values/plain.ts";
import type { Found } from "../kind.ts";
import type { Operation } from "../operation.ts";
import type { InitSystem, ServiceFacts } from "./init-system.ts";
import { initSystems } from "./init-systems.ts";
import { runningService } from "./name.ts";

/** Why what is wanted cannot be had: said while planning, and again by an apply that finds it so. */
interface Obstacle {
  readonly attribute: string;
  readonly summary: string;
  readonly detail: string;
}

export const noSuchService = (name: string): string =>
  `There is no service ${name} on the host. Look for its name with \`systemctl list-unit-files\`, or install what brings it in an earlier step.`;

function obstacle(want: PlainObject, facts: ServiceFacts): Obstacle | undefined {
  const name = String(want.name);
  if (!facts.exists && (want.running === true || want.enabled === true)) {
    return {
      attribute: "name",
      summary: "No such service",
      detail: noSuchService(name),
    };
  }
  const staysMasked = want.masked === true || (facts.masked && want.masked !== false);
  if (staysMasked && (want.running === true || want.enabled === true)) {
    return {
      attribute: want.running === true ? "running" : "enabled",
      summary: "Service is masked",
      detail: `${name} is masked on the host: it can be neither started nor enabled. Set masked = false, or leave the others out.`,
    };
  }
  const starts = want.running === true && !facts.running;
  const enables = want.enabled === true && !facts.enabled;
  if (facts.maskedUntilBoot === true && (starts || enables)) {
    return {
      attribute: starts ? "running" : "enabled",
      summary: "Service is masked until the next boot",
      detail: `${name} is masked on the host until that boots again: it can be neither started nor enabled. Run \`systemctl unmask --runtime ${name}\` there, or leave these settings out.`,
    };
  }
  if (enables && !facts.canEnable) {
    return {
      attribute: "enabled",
      summary: "Service cannot be enabled",
      detail: `${name} cannot be started at boot by itself: ${whyNotEnabled(facts)}. Leave enabled out.`,
    };
  }
  if (want.masked === true && systemOf(facts).mask === undefined) {
    return {
      attribute: "masked",
      summary: "Services cannot be masked here",
      detail: `The host's services are started by ${facts.init}, which knows no masking. Use enabled = false.`,
    };
  }
  return undefined;
}

/** By systemd's word for how the unit's file is installed (systemctl(1), "is-enabled"). */
function whyNotEnabled({ fileState, also = [] }: ServiceFacts): string {
  switch (fileState) {
    case "static":
      return "it has no [Install] section that says when; something else starts it when it is needed";
    case "indirect":
      return also.length === 0
        ? "its [Install] section has no more than `Also=`; enable the unit that is named there"
        : `its [Install] section only names what is enabled with it; enable ${also.join(" and ")} instead`;
    case "generated":
      return "a generator made it, from a file of another kind, which says when it starts";
    case "transient":
      return "it was made by a running program, and is gone when it stops";
    case "alias":
      return "it is another name of a unit; enable that one";
    default:
      return "it has no [Install] section that says when, or something else starts it when it is needed";
  }
}

export function checkServicePlan(want: PlainObject, found: Found<ServiceFacts>): readonly Diagnostic[] {
  if (found.state !== "present") return [];
  const problem = obstacle(want, found.facts);
  if (problem === undefined) return [];
  return [errorDiagnostic(problem.summary, problem.detail, { attribute: at(problem.attribute) })];
}

const systemOf = ({ init }: ServiceFacts): InitSystem => initSystems.find(({ name }) => name === init)!;

export function operateService(
  want: PlainObject,
  found: Found<ServiceFacts>,
  prior?: PlainObject,
): readonly Operation[] {
  const name = String(want.name);
  if (found.state !== "present") {
    const why = found.state === "absent" ? "cannot be seen" : found.why;
    return [{ do: "refuse", summary: "Cannot manage the service", detail: `${name} ${why}.` }];
  }
  const { facts } = found;
  const problem = obstacle(want, facts);
  if (problem !== undefined) return [{ do: "refuse", summary: problem.summary, detail: problem.detail }];
  const system = systemOf(facts);
  const operations: Operation[] = [];
  const differs = (setting: "running" | "enabled" | "masked") =>
    want[setting] !== null && want[setting] !== facts[setting];
  const add = (verb: string, make: ((unit: string) => Script) | undefined) => {
    if (make !== undefined) operations.push(operation(verb, name, make(name)));
  };
  if (differs("masked") && want.masked === false) add("unmask", system.unmask);
  if (differs("enabled")) {
    if (want.enabled === true) add("enable", system.enable);
    else add("disable", system.disable);
  }
  // What was started once has done its work; what is starting is waited for by starting it.
  const isDone = facts.idle === true && prior?.running === true;
  if (want.running === true && ((differs("running") && !isDone) || facts.starting === true)) {
    add("start", system.start);
  } else if (want.running === false && differs("running")) add("stop", system.stop);
  if (differs("masked") && want.masked === true) add("mask", system.mask);
  return operations;
}

/** One that is starting may have read already what was changed meanwhile. */
export function startsService(want: PlainObject, found: Found<ServiceFacts>): string | undefined {
  if (found.state !== "present" || found.facts.running || found.facts.starting) return undefined;
  return want.running === true ? runningService(String(want.name)) : undefined;
}

const operation = (verb: string, name: string, script: Script): Operation => ({
  do: "script",
  script,
  purpose: `${verb} the service ${name}`,
  own: true,
  work: `service ${name}`,
  advice: `On the host, look at \`systemctl status ${name}\` and \`journalctl -u ${name}\`; without systemd, at its own log.`,
});

/** The settings that a service is to have when it is removed. */
export const stoppedService = (prior: PlainObject): PlainObject => ({
  ...prior,
  running: false,
  enabled: false,
  masked: null,
});

/** Only when asked to with `on_remove`: then it is stopped and starts no more. */
export function removeService(prior: PlainObject, found: Found<ServiceFacts>): readonly Operation[] {
  if (found.state !== "present" || !found.facts.exists) return [];
  return operateService(stoppedService(prior), found);
}
