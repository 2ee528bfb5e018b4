/**
 * @module How a host is reached, apart from what is said there: a transport makes connections, a connection opens
 * channels, a channel runs one command line with three byte streams.
 *
 * Everything above (bootstrap, fact shell, runs, file writes) speaks to these interfaces only, and
 * `transport-contract.ts` holds what each implementation must do.
 */
import type { HostError } from "../host-error.ts";
import type { Login } from "../login/login.ts";

/** What a person should know about a login that is none the less tried: whole sentences. */
export interface LoginWarning {
  /** Something in an `ssh_config` file that is not honoured, or algorithms that are weak. */
  readonly about: "ssh_config" | "algorithms";
  readonly text: string;
}

/** How bytes reach a host: `ssh2`, OpenSSH's `ssh`, or none for this machine. */
export interface Transport {
  /**
   * Connects and logs in, within the login's `connectTimeout`.
   * @param signal gives up early; the promise then rejects with code `closed`
   * @throws HostError `unreachable`, `login_refused`, `login_settings`, `host_key_changed`, `host_key_unknown`, `closed`
   */
  connect(login: Login, signal: AbortSignal): Promise<Connection>;
}

/** One logged-in connection. */
export interface Connection {
  /**
   * Runs `command` with the login shell on a channel of its own.
   * @param terminal whether it gets a terminal that changes no byte and repeats none; all output is then `stdout`, and
   *   {@link Channel.end} cannot be seen by the command
   * @throws ChannelRefused when the host allows no further channel
   * @throws HostError with code `lost` when the connection was lost, `closed` after {@link end}
   */
  open(command: string, events: ChannelEvents, terminal?: boolean): Promise<Channel>;
  /** Settles once, when the connection has ended: with the reason, or with `undefined` after {@link end}. */
  readonly ended: Promise<HostError | undefined>;
  /** Ends the connection; resolves when it is closed, within a second or so whatever the host does. */
  end(): Promise<void>;
}

/** The events of a channel. None comes before {@link Connection.open} has resolved, or after `closed`. */
export interface ChannelEvents {
  stdout(chunk: Buffer): void;
  stderr(chunk: Buffer): void;
  /** The command ended: its status, or 128 + N for signal N. Output may still follow. */
  exit(status: number): void;
  /**
   * The host closed the channel, all output delivered before; or the connection was lost, and output with it.
   * @param lost why the connection ended, with code `lost` or `closed`; `undefined` when it stands
   */
  closed(lost: HostError | undefined): void;
}

export interface Channel {
  /** Queues bytes for the command's standard input. */
  write(data: Buffer): void;
  /**
   * Resolves when more can be written without piling up here, or when nothing can be written any more. (Optional: a
   * channel without it takes everything at once.)
   */
  drained?(): Promise<void>;
  /** End of file on the command's standard input, after what was written. */
  end(): void;
  /** Closes the channel at once; `closed` is not reported any more. */
  close(): void;
}

/** The host refused a further channel on this connection (`MaxSessions`). */
export class ChannelRefused extends Error {
  override readonly name = "ChannelRefused";
}
