/**
 * @module What starts and stops services on a host: found out by the host itself, one file for each.
 */
import { raw, type Script, script } from "../../script/script.ts";
import { dispatch } from "../dispatch.ts";
import { openrc } from "./openrc.ts";
import { systemd } from "./systemd.ts";
import { sysv } from "./sysv.ts";

export type InitName = "systemd" | "openrc" | "sysv";

/** What is known of a service. */
export interface ServiceFacts {
  readonly init: InitName;
  readonly exists: boolean;
  readonly running: boolean;
  readonly enabled: boolean;
  readonly masked: boolean;
  /** Whether it can be enabled at all; false for a unit without an `[Install]` section. */
  readonly canEnable: boolean;
}

/** Scripts that do one thing with one service each; a status other than 0 is a failure. */
export interface InitSystem {
  readonly name: InitName;
  /** Prints what {@link parse} reads, about all of them at once. */
  readonly ask: (units: readonly string[]) => Script;
  /**
   * @param answer what `ask` printed
   * @returns one for each unit, in their order
   * @throws AnswerError
   */
  readonly parse: (answer: string, units: readonly string[]) => readonly ServiceFacts[];
  readonly start: (unit: string) => Script;
  readonly stop: (unit: string) => Script;
  readonly restart: (unit: string) => Script;
  /** Does nothing for a service that is not running: it reads its configuration when it starts. */
  readonly reload: (unit: string) => Script;
  readonly enable: (unit: string) => Script;
  readonly disable: (unit: string) => Script;
  /** Absent where services cannot be masked. */
  readonly mask?: (unit: string) => Script;
  readonly unmask?: (unit: string) => Script;
}

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
