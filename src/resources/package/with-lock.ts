/**
 * @module Running a package manager's tool from our own shell, which catches what it prints: a lost connection, and with it a
 * closed stream, cannot end it half-way. While another process holds the manager's lock it is tried again.
 */
import { lines, raw, type Script, script } from "../../script/script.ts";
import type { Patience } from "./manager.ts";

/** How a tool says what became of it: patterns of `case` for `STATUS OUTPUT` of a run. */
export interface Lock {
  /** Of one that found the lock held. */
  readonly locked: Script;
  /** Of one that did what it was to do. Default: with status 0. */
  readonly fine?: Script;
  /** A command that leaves of the output what tells of a failure; where nothing is left, all of it is shown. */
  readonly telling?: Script;
}

/** Shell text after which `c3x_try COMMAND…` does so. */
export function withLock(
  { lockTimeout }: Patience,
  { locked, fine = raw("'0 '*"), telling }: Lock,
  ...body: readonly Script[]
): Script {
  return lines([
    script`if [ "$(id -u)" != 0 ]; then echo 'only root can change packages: set become in the ssh block' >&2; exit 1; fi
c3x_deadline=$(($(date +%s) + ${lockTimeout}))
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
    ${telling === undefined ? raw("") : script`printf '%s\n' "$c3x_out" | ${telling} >&2 ||`}
      printf '%s\n' "$c3x_out" >&2
    return "$c3x_status"
  done
}`,
    ...body,
  ]);
}

/** Ends the script where one of the files was written within so many seconds. @param files shell patterns */
export const unlessYounger = (age: number, files: Script): Script => script`for f in ${files}; do
  if [ -e "$f" ] && [ $(($(date +%s) - $(stat -c %Y "$f"))) -lt ${age} ]; then exit 0; fi
done`;
