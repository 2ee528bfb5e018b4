/**
 * @module Settings of `conn3x_service_action`.
 */
import { dynamic, oneOf, string } from "../../schema/schema.ts";
import { hostResource } from "../settings.ts";

export const serviceActionSchema = hostResource(
  "Restarts or reloads a service when it is created, and again whenever `triggers` change. What handlers of circuits compile to. Nothing is read from the host, and removing it does nothing there.",
  {
    name: string({
      required: true,
      hostEffect: false,
      describe: "Name of the unit. Changing it alone runs nothing.",
      check: (name) =>
        /^[A-Za-z0-9:_.@\\][A-Za-z0-9:_.@\\-]*$/.test(name)
          ? undefined
          : `must be the name of a unit such as "nginx" or "nginx.service", not "${name}"`,
    }),
    action: oneOf(["restart", "reload"], {
      required: true,
      hostEffect: false,
      describe:
        "`restart`, or `reload`, which does nothing for a unit that is not running: it reads its configuration when it starts. Changing it alone runs nothing.",
    }),
    triggers: dynamic({
      optional: true,
      describe:
        "A list with an entry for each step that notifies: its revision on the same host, or a map of its instances' revisions. The action runs again when it changes.",
    }),
  },
);
