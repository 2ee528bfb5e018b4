/**
 * @module Settings of `conn3x_reboot`.
 */
import { bool, number, string } from "../../schema/schema.ts";
import { hostResource } from "../settings.ts";
import { stepTriggers } from "../triggers.ts";

/** Seconds. */
export const standardTimeout = 600;

export const rebootSchema = hostResource(
  "Reboots the host when it is created and again whenever `triggers` change, and waits until commands work again. Needs root, so `become`.",
  {
    triggers: stepTriggers,
    only_if_required: bool({
      optional: true,
      hostEffect: false,
      describe:
        "Whether it only reboots when the host itself reports that it needs to: `/run/reboot-required` of Debian, `needs-restarting` of RPM hosts. Default false.",
    }),
    timeout: number({
      optional: true,
      hostEffect: false,
      describe: `Seconds after which the step fails if the host is not back. Default ${standardTimeout}.`,
      check: (value) => (value > 0 ? undefined : "must be more than 0: it is a number of seconds"),
    }),
    boot_id: string({
      computed: true,
      describe: "The kernel's boot id after the last reboot; null if there was none.",
    }),
  },
);
