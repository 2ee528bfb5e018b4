/**
 * @module What the calls of one configured provider share.
 */
import { defect } from "../diagnostics/defect.ts";
import type { Diagnostic } from "../diagnostics/diagnostic.ts";
import { errorDiagnostic } from "../diagnostics/diagnostic.ts";
import type { NoLogin } from "../login/index.ts";
import type { Kind } from "../resources/kind.ts";
import { HostError, type Session, type SessionPool } from "../ssh/index.ts";
import { at } from "../values/path.ts";
import type { Value } from "../values/value.ts";
import type { FirstWrites } from "./apply/first-writes.ts";
import type { Renewals } from "./apply/renewals.ts";
import type { RunObjects } from "./apply/run-objects.ts";
import type { Turns } from "./apply/turns.ts";
import { configuredLogin, type ProviderLogins } from "./hosts/configured-login.ts";
import { hostError } from "./hosts/host-diagnostics.ts";
import type { PlannedChanges } from "./plan/planned-changes.ts";
import type { FactReader } from "./read/fact-reader.ts";
import type { KnownNames } from "./read/known-names.ts";
import type { Machines } from "./read/machines.ts";
import type { SlowHashes } from "./stored/slow-hash.ts";

export interface Context {
  readonly kinds: ReadonlyMap<string, Kind>;
  readonly sessions: SessionPool;
  readonly facts: FactReader;
  readonly names: KnownNames;
  /** Which hosts are the same machine. */
  readonly machines: Machines;
  /** Serialises work that must not run at the same time on a host. */
  readonly turns: Turns;
  /** Hosts that failed while planning: they are not tried again for every instance. */
  readonly down: Set<Session>;
  /** Sessions in which becoming another user was tried, with or without success. */
  readonly entered: Set<Session>;
  /** What this run plans to change, by host. */
  readonly plannedChanges: PlannedChanges;
  readonly objects: RunObjects;
  readonly writes: FirstWrites;
  readonly renewals: Renewals;
  /** Hashes of secrets that are not stored. */
  readonly hashes: SlowHashes;
  /** Aborted when the run is asked to end. */
  readonly stopping: AbortSignal;
  /** 16 hexadecimal characters. */
  readonly mint: () => string;
  /** How the provider is configured now. */
  readonly configured: { now: Configured };
}

/** What the provider's configuration says. */
export interface Configured extends ProviderLogins {
  /** Sessions by `ssh` block: each block is used several times in a run. */
  readonly sessions: WeakMap<Value, Session>;
}

export const configuredWith = (
  sshDefaults: Value | undefined,
  circuitLogins: Value | undefined,
): Configured => ({ sshDefaults, circuitLogins, sessions: new WeakMap() });

/** An expected failure: it ends the work on one instance, and its diagnostic is reported as it is. */
export class Failure extends Error {
  constructor(readonly diagnostic: Diagnostic) {
    super(diagnostic.summary);
  }
}

/** @throws Failure when the host's address is not known */
export function sessionFor(context: Context, block: Value | undefined): Session {
  const { sessions } = context.configured.now;
  const known = block && sessions.get(block);
  if (known !== undefined) return known;
  const session = sessionAt(context, block);
  if (block !== undefined) sessions.set(block, session);
  return session;
}

function sessionAt({ configured, sessions }: Context, block: Value | undefined): Session {
  const login = configuredLogin(configured.now, block);
  if ("problem" in login) throw noSession(login);
  return sessions.session(login);
}

/** Thrown when the login is only known after apply, which is no failure of a plan. */
export class NotKnownYet extends Failure {}

function noSession({ problem, unknown }: NoLogin): Failure {
  const diagnostic = errorDiagnostic("Host cannot be reached", problem, { attribute: at("ssh", "address") });
  return unknown ? new NotKnownYet(diagnostic) : new Failure(diagnostic);
}

/**
 * The diagnostic for something thrown: expected failures as they are, anything else as a defect of Conn3x.
 */
export function diagnosticOf(error: unknown): Diagnostic {
  if (error instanceof Failure) return error.diagnostic;
  if (error instanceof HostError) return hostError(error);
  return defect(error);
}
