/**
 * @module What happens between us and hosts, as one stream of events, for whoever wants to follow it (`-log`, `-v`).
 */
import type { Login } from "../login/login.ts";

/** One event on a host or on its jump path. Nothing secret is in it. */
export type HostEvent = { readonly host: string } & (
  | {
      readonly kind: "connecting";
      readonly address: string;
      readonly port: number;
      readonly user: string;
      /** `root with sudo` */
      readonly becomes?: string;
    }
  | { readonly kind: "connected"; readonly milliseconds: number }
  | { readonly kind: "not_connected"; readonly milliseconds: number; readonly error: string }
  /** The connection ended; without `error` it was ended from here. */
  | { readonly kind: "disconnected"; readonly error?: string }
  /** A step of logging in, in words: a host key, an offer, another attempt. */
  | { readonly kind: "login"; readonly text: string }
  | {
      readonly kind: "channel";
      readonly command: string;
      readonly milliseconds: number;
      readonly error?: string;
    }
  | ({ readonly kind: "asked" } & Asked)
  | ({ readonly kind: "answered" } & Answered)
);

/** A question, or something to be done. */
export interface Asked {
  /** Counts requests of the host. */
  readonly id: number;
  readonly request: RequestKind;
  /** What it is for: `look at conn3x_file`. */
  readonly purpose?: string;
  readonly text: string;
}

/** What came of the request with the same `id`. */
export interface Answered {
  readonly id: number;
  readonly request: RequestKind;
  readonly milliseconds: number;
  /** Exit status. */
  readonly status?: number;
  readonly stdout?: string;
  readonly stderr?: string;
  /** Why there is no answer. */
  readonly error?: string;
}

/** `facts`: in the shell that answers our own scripts; `script` and `command`: ours and the user's, each on a channel. */
export type RequestKind = "facts" | "script" | "command" | "file";

/** What its host is called in events. */
export const logNameOf = ({ logName, host }: Pick<Login, "host" | "logName">): string => logName ?? host;

export type ReportHostEvent = (event: HostEvent) => void;

/** For whoever follows what happens. */
export interface Tracing {
  readonly report: ReportHostEvent;
  /** What the host of a login is to be called, where that is known. */
  readonly nameOf?: (login: Login) => string | undefined;
  /** Whether the user's own commands and what they answer are left out: nobody knows what in them is secret. */
  readonly hidesCommands?: boolean;
}

/** The event with every text of it changed. */
export function mapTexts(event: HostEvent, change: (text: string) => string): HostEvent {
  const entries = Object.entries(event).map(([name, value]) =>
    typeof value === "string" && !["kind", "request", "host"].includes(name)
      ? [name, change(value)]
      : [name, value],
  );
  return Object.fromEntries(entries) as HostEvent;
}
