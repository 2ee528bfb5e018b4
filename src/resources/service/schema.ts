/**
 * @module Settings of `conn3x_service`.
 */
import { bool } from "../../schema/schema.ts";
import { hostResource, onRemoveUnused } from "../settings.ts";
import { serviceName } from "./name.ts";

export const serviceSchema = hostResource(
  "Whether a service runs, and whether it starts at boot, with the host's systemd, OpenRC or SysV init. A unit of `Type=oneshot` that has run and succeeded counts as running.",
  {
    name: serviceName({ identity: true }),
    running: bool({
      optional: true,
      computed: true,
      observed: true,
      describe: "Whether it runs. Unset: left as it is.",
    }),
    enabled: bool({
      optional: true,
      computed: true,
      observed: true,
      describe: "Whether it starts at boot. Unset: left as it is.",
    }),
    masked: bool({
      optional: true,
      computed: true,
      observed: true,
      describe:
        "Whether it is masked, so that nothing can start it; only with systemd. Unset: left as it is.",
    }),
    on_remove: onRemoveUnused("it is stopped and disabled"),
  },
);
