/**
 * @module All init systems, and the script that finds out which of them a host has.
 */
import { raw, type Script, script } from "../../script/script.ts";
import { dispatch } from "../dispatch.ts";
import type { InitSystem } from "./init-system.ts";
import { openrc } from "./openrc.ts";
import { systemd } from "./systemd.ts";
import { sysv } from "./sysv.ts";

export const initSystems: readonly InitSystem[] = [systemd, openrc, sysv];

/**
 * `c3x_init` prints one word. `systemctl` may be installed where it manages nothing (a container): it then says `offline`. OpenRC leaves its state
 * in `/run/openrc`.
 */
export const detect = raw(`c3x_init() {
  if [ -d /run/systemd/system ]; then echo systemd
  elif [ -d /run/openrc ]; then echo openrc
  else
    case $(systemctl is-system-running 2>/dev/null) in
      '' | offline) if [ -d /etc/init.d ]; then echo sysv; else echo none; fi ;;
      *) echo systemd ;;
    esac
  fi
}`);

/** A script that does what its host's init system needs. */
export function withInitSystem(scripts: Readonly<Record<string, Script>>): Script {
  return script`${detect}
${dispatch(raw("$(c3x_init)"), Object.entries(scripts), noneKnown)}`;
}

const noneKnown = raw(
  "echo 'the host has no service manager that Conn3x knows: systemd, OpenRC, SysV init' >&2; exit 1",
);
