/**
 * @module Running a package manager's tool from our own shell, which catches what it prints: a lost connection, and with it a
 * closed stream, cannot end it half-way. While another process holds the manager's lock it is tried again.
 */
import { raw, type Script, script } from "../../script/script.ts";
import type { Lock, Patience } from "./manager.ts";

/** Shell text that ends the script where it is not root's. */
export const onlyRoot: Script = raw(
  `if [ "$(id -u)" != 0 ]; then echo 'only root can change packages: set become in the ssh block' >&2; exit 1; fi`,
);

/** Shell text after which `c3x_try COMMAND…` does so, with what it printed in `$c3x_out`. */
export const tryWithLock = (
  { lockTimeout }: Patience,
  { locked, fine = raw("'0 '*"), reporting }: Lock,
): Script => script`c3x_deadline=$(($(date +%s) + ${lockTimeout}))
c3x_tell() {
  ${reporting === undefined ? raw("") : script`printf '%s\n' "$1" | ${reporting} >&2 ||`}
    printf '%s\n' "$1" >&2
}
c3x_try() {
  while :; do
    c3x_out=$("$@" </dev/null 2>&1)
    c3x_status=$?
    case "$c3x_status $c3x_out" in
      ${fine}) return 0 ;;
      ${locked})
        if [ "$(date +%s)" -lt "$c3x_deadline" ]; then sleep 1; continue; fi
        echo 'another process works on packages' >&2 ;;
    esac
    c3x_tell "$c3x_out"
    return "$c3x_status"
  done
}`;
