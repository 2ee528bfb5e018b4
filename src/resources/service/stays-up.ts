/**
 * @module Whether a service that was just acted on is still there a moment later, where a status says so: 0 means that it
 * runs. (systemd reports more, and has a check of its own.)
 */
import { type Script, script } from "../../script/script.ts";

/** Seconds for a service to die in that cannot read its configuration. */
const moment = 1;

/**
 * @param status command whose status is that of the service
 * @param isTold shell condition: whether `status` can be relied on
 */
export const stillRuns = (unit: string, status: Script, isTold: Script): Script => script`if ${isTold}; then
  sleep ${moment}
  c3x_said=$(${status} </dev/null 2>&1) || {
    printf '%s\n' ${`${unit} does not run any more ${moment} second after:`} "$c3x_said" >&2
    exit 1
  }
fi`;
