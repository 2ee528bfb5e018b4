/**
 * @module For tests: what every transport must do, run against each of them.
 */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { HostError } from "../host-error.ts";
import type { Login } from "../login/login.ts";
import type { Channel, ChannelEvents, Connection, Transport } from "../transport/transport.ts";

/** A host that the transport reaches, with `/bin/sh` as login shell. */
export interface ContractHost {
  readonly transport: Transport;
  readonly login: Login;
  close(): Promise<void>;
}

/** What a transport over other programs cannot see. */
export interface ContractLimits {
  /** The end of a command while its children hold its streams; it is reported when they let go. */
  readonly exitWithStreams?: true;
  /** Signals that end a command; they are reported as 255. */
  readonly signals?: false;
}

/** All events of a channel, in order. */
interface Reported {
  readonly stdout: string;
  readonly stderr: string;
  readonly events: readonly string[];
  readonly lost: HostError | undefined;
}

/** Opens a channel, hands it to `use`, and waits for its end. */
async function report(
  connection: Connection,
  command: string,
  use: (channel: Channel) => void = (c) => c.end(),
): Promise<Reported> {
  let stdout = "";
  let stderr = "";
  const events: string[] = [];
  return new Promise((resolve, reject) => {
    const on: ChannelEvents = {
      stdout(chunk) {
        events.push("stdout");
        stdout += chunk.toString("latin1");
      },
      stderr(chunk) {
        events.push("stderr");
        stderr += chunk.toString("latin1");
      },
      exit: (status) => events.push(`exit ${status}`),
      closed(lost) {
        events.push("closed");
        // Anything reported later would show in the events.
        setTimeout(() => resolve({ stdout, stderr, events, lost }), 50);
      },
    };
    connection.open(command, on).then((channel) => {
      if (events.length > 0) reject(new Error("an event came before the channel"));
      use(channel);
    }, reject);
  });
}

/**
 * @param name of the transport
 * @param start makes a host of its own for these tests
 */
export function transportContract(
  name: string,
  start: () => Promise<ContractHost>,
  limits: ContractLimits = {},
): void {
  describe(`the ${name} transport`, () => {
    let host: ContractHost;
    let connection: Connection;
    const connect = (signal = new AbortController().signal): Promise<Connection> =>
      host.transport.connect(host.login, signal);
    beforeAll(async () => {
      host = await start();
      connection = await connect();
    });
    afterAll(async () => {
      await connection.end();
      await host.close();
    });

    it("carries input, both streams and the status, byte by byte", async () => {
      const reported = await report(connection, "cat; printf '\\377\\000' >&2; exit 7", (channel) => {
        channel.write(Buffer.from("a\0b"));
        channel.write(Buffer.from("\xff", "latin1"));
        channel.end();
      });
      expect(reported).toMatchObject({ stdout: "a\0b\xff", stderr: "\xff\0", lost: undefined });
      expect(reported.events.filter((event) => event === "exit 7")).toHaveLength(1);
      expect(reported.events.at(-1)).toBe("closed");
    });

    it("tells everything of a command that is over at once", async () => {
      for (let i = 0; i < 20; i++) {
        expect(await report(connection, "echo out; echo err >&2; exit 3")).toMatchObject({
          stdout: "out\n",
          stderr: "err\n",
        });
      }
      expect((await report(connection, "exit 0")).events).toEqual(["exit 0", "closed"]);
    });

    it("tells a signal as 128 and its number", async () => {
      expect((await report(connection, "kill -TERM $$")).events).toEqual([
        limits.signals === false ? "exit 255" : "exit 143",
        "closed",
      ]);
    });

    it("tells the end of a command before that of its children", async () => {
      const reported = await report(connection, "(sleep 0.4; echo late) & exit 0");
      expect(reported.events).toEqual(
        limits.exitWithStreams ? ["stdout", "exit 0", "closed"] : ["exit 0", "stdout", "closed"],
      );
    });

    it("carries much in both directions", async () => {
      const reported = await report(
        connection,
        "{ head -c 5000000 /dev/zero | tr '\\0' z; } >&2 & cat; wait",
        (channel) => {
          for (let i = 0; i < 50; i++) channel.write(Buffer.alloc(100_000, 97 + (i % 26)));
          channel.end();
        },
      );
      expect([reported.stdout.length, reported.stderr.length]).toEqual([5_000_000, 5_000_000]);
      const sent = Array.from({ length: 50 }, (_, i) =>
        String.fromCharCode(97 + (i % 26)).repeat(100_000),
      ).join("");
      expect(reported.stdout === sent).toBe(true);
      expect(reported.stderr === "z".repeat(5_000_000)).toBe(true);
    });

    it("has channels side by side", async () => {
      const all = await Promise.all([1, 2, 3, 4, 5].map((i) => report(connection, `sleep 0.1; echo ${i}`)));
      expect(all.map(({ stdout }) => stdout)).toEqual(["1\n", "2\n", "3\n", "4\n", "5\n"]);
    });

    it("tells nothing more of a channel that was closed from here", async () => {
      const reported: string[] = [];
      const channel = await connection.open("echo first; sleep 0.2; echo second; exit 4", {
        stdout: () => reported.push("stdout"),
        stderr: () => reported.push("stderr"),
        exit: () => reported.push("exit"),
        closed: () => reported.push("closed"),
      });
      await expect.poll(() => reported).toEqual(["stdout"]);
      channel.close();
      channel.write(Buffer.from("nobody reads this"));
      channel.end();
      channel.close();
      await new Promise((later) => setTimeout(later, 400));
      expect(reported).toEqual(["stdout"]);
    });

    it("ends, and says so to whatever is open", async () => {
      const own = await connect();
      const open = report(own, "sleep 5", () => void own.end());
      expect((await open).lost).toMatchObject({ code: "closed" });
      expect(await own.ended).toBeUndefined();
      await own.end();
      await expect(report(own, "true")).rejects.toMatchObject({ code: "closed" });
    });

    it("gives up connecting when told to", async () => {
      const stop = new AbortController();
      const work = connect(stop.signal);
      stop.abort();
      await expect(work).rejects.toMatchObject({ code: "closed", started: false });
      await expect(connect(stop.signal)).rejects.toMatchObject({ code: "closed" });
    });
  });
}
