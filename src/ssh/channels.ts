/**
 * @module Shares out the few channels that a host allows on one connection (sshd_config(5), MaxSessions).
 */
import { HostError } from "./host-error.ts";
import type { Login } from "./login.ts";
import type { OpenChannel } from "./shell.ts";
import type { Channel, ChannelEvents, Connection } from "./transport.ts";
import { ChannelRefused } from "./transport.ts";

/** The channels of one login. */
export interface Channels {
  /** For the fact shell: on the first connection, kept open. */
  readonly openPermanent: OpenChannel;
  /** For one command: waits while as many are open as the host allows. */
  readonly openTemporary: OpenChannel;
  /** Every connection that is open. */
  connections(): readonly Connection[];
}

/** What sshd allows by default; a refusal lowers it. */
const DEFAULT_LIMIT = 10;

interface Link {
  readonly connection: Connection;
  limit: number;
  permanent: number;
  temporary: number;
}

/**
 * @param first the login's connection
 * @param connectAnother opens one more to the same host, for one that allows the fact shell's channel and no other
 * @param onOpened called for every channel, for the counters
 */
export function createChannels(
  login: Login,
  first: Connection,
  connectAnother: () => Promise<Connection>,
  onOpened: () => void,
): Channels {
  const links: Link[] = [{ connection: first, limit: DEFAULT_LIMIT, permanent: 0, temporary: 0 }];
  let waiting: (() => void)[] = [];
  let connecting: Promise<void> | undefined;

  const release = (link: Link, kind: "permanent" | "temporary"): void => {
    link[kind]--;
    const turns = waiting;
    waiting = [];
    for (const turn of turns) turn();
  };

  const openOn = async (
    link: Link,
    kind: "permanent" | "temporary",
    command: string,
    events: ChannelEvents,
  ): Promise<Channel> => {
    link[kind]++;
    let held = true;
    const free = (): void => {
      if (held) release(link, kind);
      held = false;
    };
    try {
      const channel = await link.connection.open(command, {
        ...events,
        closed(lost) {
          free();
          events.closed(lost);
        },
      });
      onOpened();
      return {
        ...channel,
        close() {
          channel.close();
          free();
        },
      };
    } catch (error) {
      free();
      if (error instanceof ChannelRefused) link.limit = Math.min(link.limit, link.permanent + link.temporary);
      throw error;
    }
  };

  const another = (): Promise<void> => {
    connecting ??= connectAnother()
      .then((connection) => {
        links.push({ connection, limit: DEFAULT_LIMIT, permanent: 0, temporary: 0 });
        connection.ended.then(() =>
          links.splice(
            links.findIndex((link) => link.connection === connection),
            1,
          ),
        );
      })
      .finally(() => {
        connecting = undefined;
      });
    return connecting;
  };

  const none = (cause: Error): HostError =>
    new HostError(
      "no_shell",
      login.host,
      `${login.host} allows no command on its connections: ${cause.message}`,
      "MaxSessions of its sshd must be at least 1.",
      false,
      { cause },
    );

  return {
    async openPermanent(command, events) {
      try {
        return await openOn(links[0]!, "permanent", command, events);
      } catch (error) {
        throw error instanceof ChannelRefused ? none(error) : error;
      }
    },
    async openTemporary(command, events) {
      for (;;) {
        const link = links.find((one) => one.permanent + one.temporary < one.limit);
        if (!link) {
          if (links.some((one) => one.temporary > 0)) await new Promise<void>((turn) => waiting.push(turn));
          else await another();
          continue;
        }
        try {
          return await openOn(link, "temporary", command, events);
        } catch (error) {
          if (!(error instanceof ChannelRefused)) throw error;
          if (link.limit === 0) throw none(error);
        }
      }
    },
    connections: () => links.map((link) => link.connection),
  };
}
