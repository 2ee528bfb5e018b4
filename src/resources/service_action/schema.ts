/**
 * @module Settings of `conn3x_service_action`.
 */
import { oneOf } from "../../schema/schema.ts";
import { serviceName } from "../service/name.ts";
import { hostResource } from "../settings.ts";
import { actionTriggers } from "../triggers.ts";

export const serviceActionSchema = hostResource(
  "Restarts or reloads a service when it is created, and again whenever `triggers` change. Handlers of circuits compile to it. It fails if systemd reports within a second that the service failed. Nothing is read from the host, but for a plan that reloads: it warns of a service that knows no reload. Removing it does nothing there.",
  {
    name: serviceName({ hostEffect: false, more: "Changing it alone runs nothing." }),
    action: oneOf(["restart", "reload"], {
      required: true,
      hostEffect: false,
      describe:
        "`restart` or `reload`. `reload` does nothing for a service that is not running, because it reads its configuration when it starts, and for one that the same run has restarted if nothing else was done on the host since. With systemd, if a step of the same run has just started the service and nothing else was done on the host since, both only check that it stays up. A service that the host does not have is an error. A socket is restarted together with its service if that runs, and a service with its sockets if their files changed. Changing this setting alone runs nothing.",
    }),
    triggers: actionTriggers,
  },
);
