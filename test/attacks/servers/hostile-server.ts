/**
 * @module An SSH server on loopback that lets everybody in and then does what an attacker wants. Each attacker is a file
 * beside this one.
 */
import { spawn } from "node:child_process";
import type { AddressInfo, Server, Socket } from "node:net";
import { createServer } from "node:net";
import type { AuthContext, Connection, ServerChannel } from "ssh2";
import ssh2 from "ssh2";
import { generateKeyPair } from "../../../src/demo/host/key-pair.ts";
import type { Login } from "../../../src/ssh/login/login.ts";
import { resolveLogin } from "../../../src/ssh/login/resolve-login.ts";

/** The connection of one victim, after the exchange of keys. */
export interface Victim {
  readonly client: Connection;
  readonly socket: Socket;
  /**
   * Sends one packet, encrypted and otherwise as it is: a message number and whatever follows (RFC 4253, 6).
   * @returns false when the victim is slower than that, and the packet waits here
   */
  send(packet: Buffer): boolean;
  /** Resolves when what was sent has gone; at once when nothing waits. */
  drained(): Promise<void>;
  /** Whether nothing can be sent any more. */
  gone(): boolean;
}

export interface Attacker {
  /** What it does, in words that follow "a server that". */
  readonly does: string;
  /** Takes over as soon as a connection is there: nothing of SSH happens by itself. */
  connected?(socket: Socket): void;
  /** Takes over before anybody is let in. */
  authenticating?(victim: Victim, attempt: AuthContext): void;
  /** What the victim logs in with, besides a key. */
  readonly password?: string;
  /** Called when a command was asked for, before the victim hears that it runs. @param id the victim's number */
  requested?(victim: Victim, id: number): void;
  /** The size of packets that it asks for, in bytes. Default: as any server does. */
  readonly packetSize?: number;
  /** Whether it may answer some requests after all. */
  readonly mayAnswer?: boolean;
  /** What is sent in the place of each packet, once the victim is in. */
  mutate?(payload: Buffer): readonly Buffer[];
  /** Called for a connection to somewhere else, which the victim wants to go through this server. */
  forwarding?(victim: Victim, channel: Channel): void;
  /** Called instead of running a command. */
  command?(victim: Victim, channel: Channel, command: string): void;
}

/** A channel of a victim. */
export interface Channel {
  readonly stream: ServerChannel;
  /** The victim's number for it. */
  readonly id: number;
}

export interface HostileServer {
  readonly login: Login;
  close(): Promise<void>;
}

/** What is in an `ssh2` server's connection, and not in its types. */
interface Inner {
  readonly _sock: Socket;
  readonly _protocol: {
    channelOpenConfirm(remote: number, local: number, window: number, packetSize: number): void;
    readonly _cipher: { encrypt(packet: Buffer): void };
    /** Set while keys are exchanged. */
    readonly _kexinit?: unknown;
    readonly _packetRW: {
      readonly write: {
        readonly allocStart: number;
        alloc(size: number): Buffer;
        finalize(p: Buffer): Buffer;
      };
    };
  };
}

interface ChannelInfo {
  readonly outgoing: { readonly id: number };
}

function victimOf(client: Connection): Victim {
  const { _sock: socket, _protocol: protocol } = client as unknown as Inner;
  const gone = (): boolean => socket.destroyed || !socket.writable;
  return {
    client,
    socket,
    gone,
    send(packet) {
      if (gone()) return false;
      const { write } = protocol._packetRW;
      const buffer = write.alloc(packet.length);
      packet.copy(buffer, write.allocStart);
      protocol._cipher.encrypt(write.finalize(buffer));
      return !socket.writableNeedDrain;
    },
    drained: () =>
      new Promise((resolve) => {
        if (gone() || !socket.writableNeedDrain) return void setImmediate(resolve);
        const done = (): void => {
          socket.off("drain", done).off("close", done);
          resolve();
        };
        socket.on("drain", done).on("close", done);
      }),
  };
}

/** Sends packets as long as there is somebody to take them. @param make called for each */
export async function sendWithoutEnd(victim: Victim, make: () => Buffer): Promise<void> {
  while (!victim.gone()) {
    for (let i = 0; i < 64 && victim.send(make()); i++);
    await victim.drained();
  }
}

/** Starts it on a free port of 127.0.0.1. */
export async function startHostileServer(attacker: Attacker): Promise<HostileServer> {
  const hostKey = generateKeyPair();
  const sockets = new Set<Socket>();
  const ssh = new ssh2.Server({ hostKeys: [hostKey.private] }, (client) => {
    client.on("error", () => {});
    const victim = victimOf(client);
    client.on("authentication", (attempt) => {
      if (attacker.authenticating) attacker.authenticating(victim, attempt);
      else attempt.accept();
    });
    if (attacker.packetSize !== undefined) askForPackets(client, attacker.packetSize);
    if (attacker.mutate) client.on("ready", () => sendMutated(client, attacker.mutate!));
    if (attacker.forwarding)
      client.on("tcpip", (accept) => {
        const stream = accept();
        stream.on("error", () => {});
        attacker.forwarding!(victim, { stream, id: (stream as unknown as ChannelInfo).outgoing.id });
      });
    serveSessions(attacker, victim);
  });
  const tcp: Server = attacker.connected
    ? createServer((socket) => {
        socket.on("error", () => {});
        attacker.connected!(socket);
      })
    : (ssh as unknown as { _srv: Server })._srv;
  tcp.on("connection", (socket: Socket) => {
    sockets.add(socket);
    socket.on("error", () => {});
    socket.on("close", () => sockets.delete(socket));
  });
  await new Promise<void>((resolve) => tcp.listen(0, "127.0.0.1", resolve));
  return {
    login: resolveLogin({
      address: "127.0.0.1",
      port: (tcp.address() as AddressInfo).port,
      host: "hostile",
      user: "anybody",
      hostKey: hostKey.public,
      privateKey: generateKeyPair().private,
      agent: false,
      password: attacker.password,
      sshConfigFile: "none",
      connectTimeout: 3,
    }),
    close: () =>
      new Promise((resolve) => {
        tcp.close(() => resolve());
        for (const socket of sockets) socket.destroy();
      }),
  };
}

function sendMutated(client: Connection, mutate: (payload: Buffer) => readonly Buffer[]): void {
  const { _protocol: protocol } = client as unknown as Inner;
  const { _cipher: cipher } = protocol;
  const encrypt = cipher.encrypt.bind(cipher);
  cipher.encrypt = (whole) => {
    // RFC 4253, 6: length, length of the padding, payload, padding.
    const size = whole.readUInt32BE(0) - whole[4]! - 1;
    for (const payload of mutate(Buffer.from(whole.subarray(5, 5 + size)))) {
      if (payload.length === 0) continue;
      const { write } = protocol._packetRW;
      const buffer = write.alloc(payload.length);
      if (protocol._kexinit !== undefined) return encrypt(whole);
      payload.copy(buffer, write.allocStart);
      encrypt(write.finalize(buffer));
    }
  };
}

function askForPackets(client: Connection, size: number): void {
  const { _protocol: protocol } = client as unknown as Inner;
  const confirm = protocol.channelOpenConfirm.bind(protocol);
  protocol.channelOpenConfirm = (remote, local, window) => confirm(remote, local, window, size);
}

function serveSessions(attacker: Attacker, victim: Victim): void {
  victim.client.on("session", (accept) => {
    const session = accept();
    session.on("exec", (acceptExec, _reject, { command }) => {
      attacker.requested?.(victim, (session as unknown as { _chanInfo: ChannelInfo })._chanInfo.outgoing.id);
      const stream = acceptExec();
      stream.on("error", () => {});
      stream.stderr.on("error", () => {});
      const channel = { stream, id: (stream as unknown as ChannelInfo).outgoing.id };
      if (attacker.command) attacker.command(victim, channel, command);
      else runHonestly(channel, command);
    });
  });
}

/** Runs a command of the victim's as a server should: an attacker may come in later. */
export function runHonestly({ stream }: Channel, command: string): void {
  const child = spawn("/bin/sh", ["-c", command], { stdio: "pipe" });
  child.stdin.on("error", () => {});
  stream.on("data", (chunk: Buffer) => child.stdin.write(chunk));
  stream.on("end", () => child.stdin.end());
  stream.on("close", () => child.kill("SIGKILL"));
  child.stdout.on("data", (chunk: Buffer) => stream.writable && stream.write(chunk));
  child.stderr.on("data", (chunk: Buffer) => stream.stderr.writable && stream.stderr.write(chunk));
  child.on("close", (code) => {
    if (!stream.writable) return;
    stream.exit(code ?? 255);
    stream.end();
  });
}

/** Comes as far as a shell that runs and has set itself up. @param then called with what its marks start with */
export function asFarAsShell({ stream }: Channel, command: string, then: (token: string) => void): void {
  let heard = "";
  let isUp = false;
  stream.write(`${/READY-[0-9a-f]+/.exec(command)?.[0]}\n`);
  stream.on("data", (chunk: Buffer) => {
    if (isUp) return;
    heard += chunk.toString("latin1");
    const token = /echo (conn3x-[0-9a-f]+)-s;/.exec(heard)?.[1];
    if (token === undefined) return;
    isUp = true;
    stream.write(`${token}-s\n`);
    stream.stderr.write(`${token}-s\n`);
    setImmediate(then, token);
  });
}
