/**
 * @module A throw-away SSH host inside this process, for `conn3x demo` and for tests that need no root.
 *
 * Commands are run by this machine's `/bin/sh` as the current user, with HOME and the working directory in a temporary
 * directory; nothing keeps them from leaving it. Services are managed by a small stand-in for `systemctl` that comes
 * first on the host's PATH and keeps its state under that directory.
 */
import { rmSync } from "node:fs";
import { mkdir, mkdtemp, realpath, rm, writeFile } from "node:fs/promises";
import type { AddressInfo, Server, Socket } from "node:net";
import { tmpdir, userInfo } from "node:os";
import { join } from "node:path";
import type { AuthContext, Connection, ParsedKey, ServerConfig } from "ssh2";
import ssh2 from "ssh2";
import type { Login } from "../../ssh/index.ts";
import type { CommandSettings, Commands } from "./commands.ts";
import { createCommands } from "./commands.ts";
import { generateKeyPair } from "./key-pair.ts";
import { systemctlScript } from "./systemctl.ts";

export interface DemoHostOptions {
  /** How many channels one connection may have, as sshd's `MaxSessions`; 10. */
  readonly maxSessions?: number;
  /** What runs the command of a request, as a login shell would: called with `-c COMMAND`. `/bin/sh`. */
  readonly loginShell?: string;
  /** Variables of every command, besides HOME, PATH and USER. */
  readonly environment?: Readonly<Record<string, string>>;
  /** Units that `systemctl` knows from the start, each with a unit file: `web.service`. */
  readonly units?: readonly string[];
  /** A password that logs in, besides the key. */
  readonly password?: string;
}

export interface DemoHost {
  readonly address: "127.0.0.1";
  readonly port: number;
  readonly user: string;
  /** `ssh-ed25519 AAAA…` */
  readonly hostKey: string;
  /** The key that logs in, in OpenSSH's format. */
  readonly privateKey: string;
  /** The temporary directory: the host's HOME, and where all that belongs to it lies. Absolute, no symbolic links. */
  readonly root: string;
  /** Settings that reach the host, for `resolveLogin`. */
  readonly login: Partial<Login> & { readonly address: string };
  /** Connections that are open now. */
  connections(): number;
  /** Drops every connection at once, as a crash of the host would. */
  drop(): void;
  /** Ends connections and commands and removes the directory. */
  close(): Promise<void>;
}

/**
 * Starts a host on a free port of 127.0.0.1.
 * @throws Error when the temporary directory or the port cannot be had
 */
export async function startDemoHost(options: DemoHostOptions = {}): Promise<DemoHost> {
  const root = await realpath(await mkdtemp(join(tmpdir(), "conn3x-demo-")));
  removeAtExit(root);
  const user = userInfo().username;
  const hostKey = generateKeyPair();
  const userKey = generateKeyPair();
  await furnish(root, options.units ?? []);
  const commands = createCommands({
    directory: root,
    shell: options.loginShell ?? "/bin/sh",
    environment: {
      ...options.environment,
      HOME: root,
      USER: user,
      LOGNAME: user,
      PATH: `${join(root, "bin")}:/usr/local/bin:/usr/bin:/bin`,
      CONN3X_DEMO_ROOT: root,
    },
  } satisfies CommandSettings);
  const sockets = new Set<Socket>();
  const server = createServer({ hostKeys: [hostKey.private] }, userKey.public, options, commands);
  // The listening socket of `ssh2` is a plain `net.Server` inside; its own events hand out no socket.
  const tcp = (server as unknown as { _srv: Server })._srv;
  tcp.on("connection", (socket: Socket) => {
    // As sshd does: an answer in several small pieces would wait for acknowledgements.
    socket.setNoDelay(true);
    sockets.add(socket);
    socket.on("close", () => sockets.delete(socket));
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(0, "127.0.0.1", resolve);
  });
  const { port } = server.address() as AddressInfo;
  const drop = (): void => {
    for (const socket of sockets) socket.destroy();
  };
  return {
    address: "127.0.0.1",
    port,
    user,
    hostKey: hostKey.public,
    privateKey: userKey.private,
    root,
    login: {
      address: "127.0.0.1",
      port,
      user,
      hostKey: hostKey.public,
      privateKey: userKey.private,
      agent: false,
      // Whatever this machine's user has set up for other hosts.
      sshConfigFile: "none",
    },
    connections: () => sockets.size,
    drop,
    async close() {
      await new Promise<void>((done) => {
        server.close(() => done());
        drop();
      });
      await commands.end();
      await rm(root, { recursive: true, force: true });
      roots.delete(root);
      if (roots.size === 0) process.off("exit", removeAll);
    },
  };
}

/** Directories of hosts that have not been closed. */
const roots = new Set<string>();

/** For a process that ends without closing its hosts. */
function removeAtExit(root: string): void {
  if (roots.size === 0) process.once("exit", removeAll);
  roots.add(root);
}

function removeAll(): void {
  for (const root of roots) rmSync(root, { recursive: true, force: true });
}

/** Directories and the stand-in tools. */
async function furnish(root: string, units: readonly string[]): Promise<void> {
  const unitDirectory = join(root, "etc/systemd/system");
  await Promise.all([mkdir(join(root, "bin")), mkdir(unitDirectory, { recursive: true })]);
  await writeFile(join(root, "bin/systemctl"), systemctlScript, { mode: 0o755 });
  await Promise.all(
    units.map((unit) =>
      writeFile(join(unitDirectory, unit), `[Unit]\nDescription=${unit} of the demo host\n`),
    ),
  );
}

/** One user, who logs in with the key or the password, and may run commands. */
function createServer(
  config: ServerConfig,
  userKey: string,
  options: DemoHostOptions,
  commands: Commands,
): ssh2.Server {
  const key = ssh2.utils.parseKey(userKey);
  if (key instanceof Error) throw key;
  return new ssh2.Server(config, (client) => {
    client.on("error", () => {});
    client.on("authentication", (attempt) => {
      if (mayLogIn(attempt, key, options.password)) attempt.accept();
      else attempt.reject(options.password === undefined ? ["publickey"] : ["publickey", "password"]);
    });
    serveCommands(client, options.maxSessions ?? 10, commands);
  });
}

function mayLogIn(attempt: AuthContext, key: ParsedKey, password: string | undefined): boolean {
  if (attempt.method === "password") return password !== undefined && attempt.password === password;
  if (attempt.method !== "publickey" || !attempt.key.data.equals(key.getPublicSSH())) return false;
  // Without a signature the client asks whether the key would do.
  return !attempt.signature || key.verify(attempt.blob!, attempt.signature, attempt.hashAlgo) === true;
}

function serveCommands(client: Connection, maxSessions: number, commands: Commands): void {
  let open = 0;
  client.on("session", (accept, reject) => {
    if (open >= maxSessions) return reject();
    open++;
    const session = accept();
    session.on("exec", (acceptExec, _reject, { command }) => {
      const channel = acceptExec();
      channel.once("close", () => open--);
      commands.run(command, channel, (onSignal) => {
        session.on("signal", (acceptSignal, _r, { name }) => {
          acceptSignal?.();
          onSignal(name);
        });
      });
    });
  });
}
