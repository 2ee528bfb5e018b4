/**
 * @module `conn3x_service_action`: what a handler with a `service` block runs (C6–C10).
 */
import { type Diagnostic, errorDiagnostic, warningDiagnostic } from "../../diagnostics/diagnostic.ts";
import { at } from "../../values/path.ts";
import type { PlainObject } from "../../values/plain.ts";
import { type ActionKind, type Found, type HostLook, hostLook } from "../kind.ts";
import type { Operation } from "../operation.ts";
import { serviceFacts } from "../service/facts.ts";
import type { ServiceFacts } from "../service/init-system.ts";
import { initSystems, withInitSystem } from "../service/init-systems.ts";
import { runningService } from "../service/name.ts";
import { noSuchService } from "../service/operate.ts";
import { runAgainOnTriggers } from "../triggers.ts";
import { serviceActionSchema } from "./schema.ts";

export const serviceActionKind: ActionKind = {
  role: "action",
  name: "service",
  type: "conn3x_service_action",
  schema: serviceActionSchema,
  id: { from: ["name"], of: (object) => String(object.name) },
  title: ({ name, action }) => `${name} ${action === "reload" ? "reload" : "restart"}`,
  plan: runAgainOnTriggers,
  renewal: ({ name, action }) => ({
    what: runningService(String(name)),
    wholly: action !== "reload",
  }),
  planCheck: checkReload,
  run: runAction,
};

/** A restart is possible of whatever there is. What is not running is not reloaded, and is no trouble. */
function checkReload({ name, action }: PlainObject): HostLook | undefined {
  if (action !== "reload" || typeof name !== "string") return undefined;
  const about = "conn3x_service";
  const means = (found: Found<ServiceFacts>): readonly Diagnostic[] => {
    if (found.state !== "present") return [];
    const { exists, running, canReload } = found.facts;
    if (!exists) return [errorDiagnostic("No such service", noSuchService(name), { attribute: at("name") })];
    return running && canReload === false ? [cannotReload(name)] : [];
  };
  return hostLook({ type: about, facts: serviceFacts }, { object: { name }, about, means });
}

const cannotReload = (name: string): Diagnostic =>
  warningDiagnostic(
    "Service cannot be reloaded",
    `${name} runs on the host and knows no reload: its unit has no ExecReload=. Unless this run changes that, reloading it will fail. Use the action restart.`,
    { attribute: at("action") },
  );

/** The init system is found out by the script itself: an action asks nothing before it acts. */
function runAction(want: PlainObject, isFresh = false): readonly Operation[] {
  const unit = String(want.name);
  const action = want.action === "reload" ? "reload" : "restart";
  const scripts = initSystems.map((init) => [
    init.name,
    ((isFresh ? init.settle : undefined) ?? init[action])(unit),
  ]);
  return [
    {
      do: "script",
      script: withInitSystem(Object.fromEntries(scripts)),
      purpose: `${action} the service ${unit}`,
      own: true,
      work: `service ${unit}`,
      advice: `On the host, look at \`systemctl status ${unit}\` and \`journalctl -u ${unit}\`; without systemd, at its own log.`,
    },
  ];
}
