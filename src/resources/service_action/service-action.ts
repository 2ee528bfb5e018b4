/**
 * @module `conn3x_service_action`: what a handler with a `service` block runs (C6–C10).
 */
import type { PlainObject } from "../../values/plain.ts";
import type { ActionKind } from "../kind.ts";
import type { Operation } from "../operation.ts";
import { initSystems, withInitSystem } from "../service/init-systems.ts";
import { runningService } from "../service/name.ts";
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
  run: runAction,
};

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
