/**
 * @module A transport that reports its connections and channels as events.
 */
import { unexpectedLocation } from "../../diagnostics/unexpected-error.ts";
import { HostError } from "../host-error.ts";
import { ChannelRefused, type Connection, type Transport } from "../transport/transport.ts";
import { logNameOf, type ReportHostEvent } from "./host-event.ts";

export const tracedTransport = (transport: Transport, report: ReportHostEvent): Transport => ({
  async connect(login, signal) {
    const { address, port, user, become, becomeUser, becomeMethod } = login;
    const host = logNameOf(login);
    const began = performance.now();
    const becomes = become ? { becomes: `${becomeUser} with ${becomeMethod}` } : {};
    report({ host, kind: "connecting", address, port, user, ...becomes });
    try {
      const connection = await transport.connect(login, signal);
      report({ host, kind: "connected", milliseconds: performance.now() - began });
      connection.ended.then((error) =>
        report({ host, kind: "disconnected", ...(error && { error: error.message }) }),
      );
      return traced(connection, host, report);
    } catch (error) {
      const milliseconds = performance.now() - began;
      report({ host, kind: "not_connected", milliseconds, error: inWords(error) });
      throw error;
    }
  },
});

const traced = (connection: Connection, host: string, report: ReportHostEvent): Connection => ({
  ...connection,
  async open(command, events, terminal) {
    const began = performance.now();
    const opened = (error?: string): void =>
      report({
        host,
        kind: "channel",
        command,
        milliseconds: performance.now() - began,
        ...(error === undefined ? {} : { error }),
      });
    try {
      const channel = await connection.open(command, events, terminal);
      opened();
      return channel;
    } catch (error) {
      opened(inWords(error));
      throw error;
    }
  },
});

/** An error as text for a person, with what to do about it. */
export function inWords(error: unknown): string {
  if (error instanceof ChannelRefused) return error.message;
  if (!(error instanceof HostError)) return unexpectedLocation(error);
  return error.advice === "" ? error.message : `${error.message}\n${error.advice}`;
}
