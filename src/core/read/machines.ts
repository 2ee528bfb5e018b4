/**
 * @module Which machine a host is. Notices hosts that are one machine under several addresses: what is done for each is
 * then done twice there, and a service is restarted once for each. Also notices a machine that has replaced an earlier one.
 */
import { createHmac } from "node:crypto";
import { type Diagnostic, warningDiagnostic } from "../../diagnostics/diagnostic.ts";
import { hostOf } from "../../login/index.ts";
import { script } from "../../script/script.ts";
import type { Session } from "../../ssh/index.ts";

export interface Machines {
  /**
   * Asks the host together with whatever else is asked in this turn of the event loop; once for each session.
   *
   * @returns a warning, once, when another address was found to lead to the same machine before
   */
  meet(session: Session): Promise<Diagnostic | undefined>;
  /**
   * Distinguishes the machine from another one at its address: one that was installed anew has another. Asked likewise.
   *
   * @returns a keyed hash of its machine-id(5), which must not be given away as it is; undefined where it has none
   */
  idOf(session: Session): Promise<string | undefined>;
}

/**
 * Clones of one image share its machine-id(5), and containers their kernel's boot: only together with the network they
 * are in (namespaces(7)) do they distinguish machines.
 */
const identify = script`{ read -r m </etc/machine-id; read -r b </proc/sys/kernel/random/boot_id; } 2>/dev/null
n=$(readlink /proc/self/ns/net); echo "machine $m,$b,$n"`;

interface Identity {
  /** Hash of `/etc/machine-id`; undefined where there is none, or none yet. */
  readonly machine: string | undefined;
  /** Distinguishes it from its clones; undefined where the host does not say. */
  readonly running: string | undefined;
}

export function createMachines(): Machines {
  const met = new Set<Session>();
  const asked = new Map<Session, Promise<Identity | undefined>>();
  /** By what identifies a machine: the host that it was first met as. */
  const known = new Map<string, Session>();
  const identityOf = (session: Session): Promise<Identity | undefined> => {
    const before = asked.get(session);
    if (before !== undefined) return before;
    const identity = ask(session);
    asked.set(session, identity);
    // Who did not answer is asked again.
    void identity.then((found) => found ?? asked.delete(session));
    return identity;
  };
  return {
    async meet(session) {
      if (met.has(session) || session.login.transport === "local") return undefined;
      met.add(session);
      const { machine = "", running } = (await identityOf(session)) ?? {};
      if (running === undefined) return undefined;
      const key = `${machine} ${running}`;
      const first = known.get(key);
      if (first === undefined) known.set(key, session);
      return first === undefined || isOneAddress(first, session) ? undefined : sameMachine(first, session);
    },
    idOf: async (session) => (await identityOf(session))?.machine,
  };
}

async function ask(session: Session): Promise<Identity | undefined> {
  await new Promise<void>((resolve) => setImmediate(resolve));
  try {
    const { stdout } = await session.ask(identify, { purpose: "tell machines apart" });
    const found = /^machine (.*),(.*),(.*)$/m.exec(stdout.toString("utf8"));
    const [, machine = "", boot = "", network = ""] = found ?? [];
    return {
      machine: /^[\da-f]{32}$/.test(machine) ? hashOf(machine) : undefined,
      running: boot === "" || network === "" ? undefined : `${boot} ${network}`,
    };
  } catch {
    return undefined;
  }
}

/** As machine-id(5) asks: "hashed with a cryptographic, keyed hash function, using a fixed, application-specific key". */
const hashOf = (machine: string): string =>
  createHmac("sha256", "conn3x machine").update(machine).digest("hex").slice(0, 32);

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
