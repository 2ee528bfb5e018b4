/**
 * @module Our `/bin/sh` at the other end of a channel, whatever start-up files, login shells, forced commands and sudo do
 * before it.
 *
 * Nothing but the bootstrap line is sent before the random READY line has come back.
 */
import { randomBytes } from "node:crypto";
import { HostError } from "../host-error.ts";
import type { Login } from "../login/login.ts";
import type { Channel, ChannelEvents } from "../transport/transport.ts";
import { createShellEntry } from "./shell-entry.ts";
import type { ShellEvents, Stream } from "./shell-events.ts";
import type { Environment } from "./shell-lines.ts";
import { isPlainUser, prologue } from "./shell-lines.ts";

export interface Shell {
  /** What the shell's marks start with. */
  readonly token: string;
  /**
   * Settles when the first line was executed: rejects with `become_refused` or `no_shell` when something else than our
   * shell is there, with `lost` when the connection ended. Requests may be written before it settles.
   */
  readonly up: Promise<void>;
  write(data: string | Buffer): void;
  /** Resolves when more can be written without piling up here. */
  drained(): Promise<void>;
  /** End of file on the shell's standard input. */
  end(): void;
  close(): void;
  /** Bytes of a stream since its last mark. */
  rest(stream: Stream): Buffer;
  /** When bytes last came, by `performance.now()`. */
  lastHeard(): number;
  /** How many bytes have come. */
  received(): number;
}

/** How to open a channel for a command line. */
export type OpenChannel = (command: string, events: ChannelEvents, terminal?: boolean) => Promise<Channel>;

/** What kind of shell is wanted. */
export interface ShellSettings {
  readonly environment: Environment;
  /** Whether it has a terminal, on which both of its streams are one. */
  readonly terminal: boolean;
}

/**
 * Resolves when READY has come. The line that sets the shell up travels with the first {@link Shell.write}, which is
 * expected at once.
 * @throws HostError with code `no_shell` when READY does not come within the login's `connectTimeout`, with
 *   `become_refused` where a password is asked for and not accepted, and as `open`
 */
export async function openShell(
  open: OpenChannel,
  login: Login,
  { environment, terminal }: ShellSettings,
  events: ShellEvents,
): Promise<Shell> {
  if (login.become && !isPlainUser(login.becomeUser)) {
    const message = `${JSON.stringify(login.becomeUser)} cannot be used as become_user`;
    throw new HostError("login_settings", login.host, message, "Give the plain name of a user.");
  }
  const nonce = `READY-${randomBytes(8).toString("hex")}`;
  const token = `conn3x-${randomBytes(12).toString("hex")}`;
  const entry = createShellEntry({ login, environment, terminal, nonce, token }, events);
  const channel = await open(entry.bootstrap, entry.channelEvents, terminal);
  entry.attach(channel);
  await entry.ready;
  let before = prologue(token, environment);
  return {
    token,
    up: entry.up,
    write(data) {
      if (before === "" && Buffer.isBuffer(data)) return channel.write(data);
      channel.write(Buffer.concat([Buffer.from(before), Buffer.from(data as string)]));
      before = "";
    },
    drained: async () => channel.drained?.(),
    end: () => channel.end(),
    close() {
      entry.leave();
      channel.close();
    },
    rest: entry.rest,
    lastHeard: entry.lastHeard,
    received: entry.received,
  };
}
