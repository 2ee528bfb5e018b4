/**
 * @module Notices hosts that are one machine under several addresses: what is done for each is then done twice there, and a
 * service is restarted once for each.
 */
import { type Diagnostic, warningDiagnostic } from "../diagnostics/diagnostic.ts";
import { script } from "../script/script.ts";
import type { Session } from "../ssh/session.ts";
import { hostOf } from "./host-of.ts";

export interface Machines {
  /**
   * Asks the host together with whatever else is asked in this turn of the event loop; once for each session.
   *
   * @returns a warning, once, when another address was found to lead to the same machine before
   */
  meet(session: Session): Promise<Diagnostic | undefined>;
}

/**
 * Clones of one image share its machine-id(5), and containers their kernel's boot: only together with the network they
 * are in (namespaces(7)) do they tell machines apart.
 */
const identify = script`{ read -r m </etc/machine-id; read -r b </proc/sys/kernel/random/boot_id; } 2>/dev/null
n=$(readlink /proc/self/ns/net) && [ -n "$b" ] && echo "machine $m $b $n"`;

export function createMachines(): Machines {
  const met = new Set<Session>();
  /** By what identifies a machine: the host that it was first met as. */
  const known = new Map<string, Session>();
  return {
    async meet(session) {
      if (met.has(session) || session.login.transport === "local") return undefined;
      met.add(session);
      await new Promise<void>((resolve) => setImmediate(resolve));
      const machine = await session.ask(identify).then(
        ({ stdout }) => /^machine .*$/m.exec(stdout.toString("utf8"))?.[0],
        () => undefined,
      );
      if (machine === undefined) return undefined;
      const first = known.get(machine);
      if (first === undefined) known.set(machine, session);
      return first === undefined || isOneAddress(first, session) ? undefined : sameMachine(first, session);
    },
  };
}

/** Whoever logs in. Forwarded ports of one's own machine lead to whatever was meant by them. */
const isOneAddress = (a: Session, b: Session): boolean =>
  hostOf(a) === hostOf(b) || (isLoopback(a.login.address) && isLoopback(b.login.address));

const isLoopback = (address: string): boolean =>
  address === "localhost" || address === "::1" || /^127\.\d+\.\d+\.\d+$/.test(address);

const sameMachine = (a: Session, b: Session): Diagnostic =>
  warningDiagnostic(
    "Two hosts are one machine",
    `${hostOf(a)} and ${hostOf(b)} lead to the same machine. What is planned for both is done twice there: steps may undo each other's work, and handlers run once for each. Give it one name and one address.`,
  );
