/**
 * @module The connection of a session: opened when first needed, reopened after it was lost, closed on demand.
 */
import { needsDialogue } from "../auth/become-dialogue.ts";
import { type HostError, TerminalWanted } from "../host-error.ts";
import type { Login } from "../login/login.ts";
import type { ReadingTime } from "../reading-time.ts";
import type { Channels } from "../shell/channels.ts";
import { createChannels } from "../shell/channels.ts";
import type { FactRequest, FactShell } from "../shell/fact-shell.ts";
import { openFactShell } from "../shell/fact-shell.ts";
import type { Transport } from "./transport.ts";

export interface Link {
  /** @throws HostError as `Transport.connect` */
  channels(): Promise<Channels>;
  /** @throws HostError as {@link channels} and `openFactShell` */
  facts(): Promise<FactShell>;
  /** Whether shells on this host have a terminal. */
  terminal(): boolean;
  /** From now on they have. */
  giveTerminal(): void;
  /** Ends the connection and forgets what failed; whatever waits fails. The next call connects anew. */
  end(): Promise<void>;
}

/** Milliseconds for which what failed is not tried again: a plan asks about many steps, one after another. */
const failureMemory = 30_000;

/** One connection, standing or being made. */
interface Line {
  readonly channels: Promise<Channels>;
  facts: Promise<FactShell> | undefined;
  /** Gives up connecting. */
  readonly stop: AbortController;
}

export interface LinkEvents {
  /** A channel was opened. */
  channel(): void;
  /** A fact shell took requests and surely did not begin them. */
  unstarted(requests: readonly FactRequest[]): void;
  /** The host sends what nobody asked for: it is not to be asked again. */
  flooded(error: HostError): void;
}

/** @param time that the host has for what is read in its fact shells */
export function createLink(login: Login, transport: Transport, time: ReadingTime, events: LinkEvents): Link {
  let line: Line | undefined;
  // doas reads passwords from a terminal only.
  let terminal = needsDialogue(login, false) && login.becomeMethod === "doas";

  const connect = (): Line => {
    const stop = new AbortController();
    const another = () => transport.connect(login, stop.signal);
    const forget = (): void => {
      if (line === mine) line = undefined;
    };
    const channels = another().then((connection) => {
      connection.ended.then((error) => {
        forget();
        if (error?.code === "too_much") events.flooded(error);
      });
      return createChannels(login, connection, another, events.channel);
    });
    channels.catch(() => setTimeout(forget, failureMemory).unref());
    const mine: Line = { channels, facts: undefined, stop };
    return mine;
  };

  const openFacts = async (on: Line): Promise<FactShell> => {
    const { openPermanent } = await on.channels;
    try {
      return await openFactShell(openPermanent, login, terminal, time, {
        flooded: events.flooded,
        over(unstarted, terminalWanted) {
          on.facts = undefined;
          terminal ||= terminalWanted === true;
          if (unstarted.length > 0) events.unstarted(unstarted);
        },
      });
    } catch (error) {
      if (!(error instanceof TerminalWanted) || terminal) throw error;
      terminal = true;
      return openFacts(on);
    }
  };

  return {
    channels() {
      line ??= connect();
      return line.channels;
    },
    facts() {
      line ??= connect();
      const on = line;
      if (on.facts) return on.facts;
      const facts = openFacts(on);
      facts.catch(() =>
        setTimeout(() => {
          if (on.facts === facts) on.facts = undefined;
        }, failureMemory).unref(),
      );
      on.facts = facts;
      return facts;
    },
    terminal: () => terminal,
    giveTerminal() {
      terminal = true;
    },
    async end() {
      const old = line;
      line = undefined;
      if (!old) return;
      old.stop.abort();
      old.facts?.then((shell) => shell.close(), ignore);
      const connections = await old.channels.then(
        (channels) => channels.connections(),
        () => [],
      );
      await Promise.all(connections.map((connection) => connection.end()));
    },
  };
}

const ignore = (): void => {};
