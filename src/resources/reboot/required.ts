/**
 * @module Whether a host says that it needs a reboot.
 */
import { raw } from "../../script/script.ts";

/** Prints `required` or `unneeded`: by the file that Debian's packages make, or the tool of RPM hosts. */
export const rebootRequired =
  raw(`if [ -e /run/reboot-required ] || [ -e /var/run/reboot-required ]; then echo required
elif command -v needs-restarting >/dev/null 2>&1 && ! needs-restarting -r >/dev/null 2>&1; then echo required
else echo unneeded; fi`);
