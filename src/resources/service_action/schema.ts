/**
 * @module Settings of `conn3x_service_action`.
 */
import { oneOf } from "../../schema/schema.ts";
import { serviceName } from "../service/name.ts";
import { hostResource } from "../settings.ts";
import { actionTriggers } from "../triggers.ts";

export const serviceActionSchema = hostResource(
  "Restarts or reloads a service when it is created, and again whenever `triggers` change. What handlers of circuits compile to. It fails where systemd tells that the service failed within a second of it. Nothing is read from the host, and removing it does nothing there.",
  {
    name: serviceName({ hostEffect: false, more: "Changing it alone runs nothing." }),
    action: oneOf(["restart", "reload"], {
      required: true,
      hostEffect: false,
      describe:
        "`restart`, or `reload`, which does nothing for a service that is not running: it reads its configuration when it starts; nor for one that the same run has restarted, with nothing else done on the host since. With systemd neither does anything to a service that a step of the same run has started from nothing, with nothing else done on the host since, but look whether it stays up: it has read everything. A service that the host does not have is an error. A socket is restarted together with its service where that runs, and a service with its sockets where their files changed. Changing it alone runs nothing.",
    }),
    triggers: actionTriggers,
  },
);
