/**
 * @module Allocates the few channels that a host allows on one connection (sshd_config(5), MaxSessions).
 */
import { setTimeout as sleep } from "node:timers/promises";
import { HostError } from "../host-error.ts";
import type { Login } from "../login/login.ts";
import type { Channel, ChannelEvents, Connection } from "../transport/transport.ts";
import { ChannelRefused } from "../transport/transport.ts";
import type { OpenChannel } from "./shell.ts";

/** The channels of one login. */
export interface Channels {
  /** For the fact shell: kept open. */
  readonly openPermanent: OpenChannel;
  /** For one command: waits while as many are open as the host allows. */
  readonly openTemporary: OpenChannel;
  /** Every connection that is open. */
  connections(): readonly Connection[];
}

/** What sshd allows by default; a refusal lowers it. */
const defaultLimit = 10;

/** How often, and after how many milliseconds, a channel is asked for again where none is open. */
const attempts = 20;
const pause = 50;

type Kind = "permanent" | "temporary";

interface Link {
  readonly connection: Connection;
  /** Whether it ever had a channel. */
  used: boolean;
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
  const links: Link[] = [{ connection: first, used: false, limit: defaultLimit, permanent: 0, temporary: 0 }];
  let waiting: (() => void)[] = [];
  let connecting: Promise<void> | undefined;

  const release = (link: Link, kind: Kind): void => {
    link[kind]--;
    const turns = waiting;
    waiting = [];
    for (const turn of turns) turn();
  };

  const openOn = async (
    link: Link,
    kind: Kind,
    ...[command, events, terminal]: Parameters<OpenChannel>
  ): Promise<Channel> => {
    link[kind]++;
    let held = true;
    const free = (): void => {
      if (held) release(link, kind);
      held = false;
    };
    try {
      const freeing: ChannelEvents = {
        ...events,
        closed(lost) {
          free();
          events.closed(lost);
        },
      };
      const channel = await link.connection.open(command, freeing, terminal);
      link.used = true;
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
      throw error;
    }
  };

  const another = (): Promise<void> => {
    connecting ??= connectAnother()
      .then((connection) => {
        links.push({ connection, used: false, limit: defaultLimit, permanent: 0, temporary: 0 });
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

  const open = async (kind: Kind, ...request: Parameters<OpenChannel>): Promise<Channel> => {
    for (let patience = attempts; ; ) {
      const link = links.find((one) => one.permanent + one.temporary < one.limit);
      if (!link) {
        // A command ends some time; a fact shell should not have to wait for that.
        const soon = kind === "temporary" && links.some((one) => one.temporary > 0);
        await (soon ? new Promise<void>((turn) => waiting.push(turn)) : another());
        continue;
      }
      try {
        return await openOn(link, kind, ...request);
      } catch (error) {
        if (!(error instanceof ChannelRefused)) throw error;
        link.limit = Math.max(1, Math.min(link.limit, link.permanent + link.temporary));
        if (link.permanent + link.temporary > 0) continue;
        // Nothing of ours is open: the host may still be busy closing what was.
        if (!link.used || patience-- === 0) throw none(error);
        await sleep(pause);
      }
    }
  };

  return {
    openPermanent: (...request) => open("permanent", ...request),
    openTemporary: (...request) => open("temporary", ...request),
    connections: () => links.map((link) => link.connection),
  };
}
