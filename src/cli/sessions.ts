/**
 * @module A command's connections to hosts, the provider that uses them, and what ^C does to both: opened together, and
 * closed whatever happens.
 */
import { createProvider, type Provider } from "../core/index.ts";
import type { Diagnostic } from "../diagnostics/diagnostic.ts";
import { createSessionPool, type SessionPool, type SessionPoolOptions } from "../ssh/index.ts";
import { sshWarnings } from "./configuration/ssh-warnings.ts";
import { type Interrupts, listenForInterrupts } from "./terminal/interrupts.ts";
import type { Terminal } from "./terminal/terminal.ts";

export interface Sessions {
  readonly sessions: SessionPool;
  readonly provider: Provider;
  readonly interrupts: Interrupts;
  /** Aborted by the second ^C. */
  readonly hurry: AbortSignal;
}

export interface SessionsUse {
  readonly terminal: Terminal;
  /** Gets the problems found in the settings of ssh. */
  report(diagnostics: readonly Diagnostic[]): void;
  /** Further options of the sessions: secrets that were asked for, and where events go. */
  readonly pool?: SessionPoolOptions;
}

export async function withSessions<T>(
  { terminal, report, pool = {} }: SessionsUse,
  act: (open: Sessions) => Promise<T>,
): Promise<T> {
  const sessions = createSessionPool({ ...sshWarnings(report), ...pool });
  const provider = createProvider({ sessions });
  const hurry = new AbortController();
  const interrupts = listenForInterrupts(terminal, async () => {
    hurry.abort();
    provider.stop();
    await sessions.close();
  });
  // Nothing was begun on any host: there is nothing to wait for.
  interrupts.signal.addEventListener("abort", () => {
    if (interrupts.phase() === "reading") void sessions.close();
  });
  try {
    return await act({ sessions, provider, interrupts, hurry: hurry.signal });
  } finally {
    interrupts.close();
    await provider.close();
    await sessions.close();
  }
}
