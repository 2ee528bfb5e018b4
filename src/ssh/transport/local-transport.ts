/**
 * @module This machine as a host, without SSH: every channel is a process.
 */

import { userInfo } from "node:os";
import { startProgram } from "../../programs/start.ts";
import { deferred } from "../deferred.ts";
import { HostError } from "../host-error.ts";
import type { Login } from "../login/login.ts";
import { type ProcessChannel, processChannel, startedProcess } from "./process-channel.ts";
import type { Connection, Transport } from "./transport.ts";

export function createLocalTransport(): Transport {
  return {
    async connect(login, signal) {
      // Whoever gives up in the same turn is heard.
      await new Promise((next) => setImmediate(next));
      if (signal.aborted) throw closed(login);
      const { username, shell, homedir } = userInfo();
      if (login.user !== username && !login.defaulted?.includes("user")) {
        throw new HostError(
          "login_settings",
          login.host,
          `transport "local" works as ${username}, not as ${login.user}`,
          "Leave user out, and set become and become_user to work as another user.",
        );
      }
      return localConnection(login, shell ?? "/bin/sh", homedir);
    },
  };
}

function localConnection(login: Login, shell: string, home: string): Connection {
  const ended = deferred<undefined>();
  const channels = new Set<ProcessChannel>();
  let over = false;
  return {
    ended: ended.promise,
    async open(command, events, terminal) {
      if (over) throw closed(login);
      if (terminal) {
        const message = `${login.becomeMethod} wants a terminal, which transport "local" has not`;
        throw new HostError(
          "become_refused",
          login.host,
          message,
          "Allow it without one, or run as that user.",
        );
      }
      // A group of its own, as sshd gives: the command's signals to its group do not reach us.
      const child = startProgram(shell, ["-c", command], { cwd: home, detached: true, stdio: "pipe" });
      await startedProcess(child, login.host, `the shell ${shell} in ${home}`);
      const channel = processChannel(
        child,
        {
          ...events,
          closed(lost) {
            channels.delete(channel);
            events.closed(lost);
          },
        },
        async () => undefined,
      );
      channels.add(channel);
      return channel;
    },
    async end() {
      if (over) return;
      over = true;
      for (const channel of channels) channel.lose(closed(login));
      ended.resolve(undefined);
    },
  };
}

function closed(login: Login): HostError {
  return new HostError("closed", login.host, `the connection to ${login.host} was closed`);
}
