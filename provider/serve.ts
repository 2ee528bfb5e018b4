/**
 * @module Serves the plugin protocol on a unix socket, to OpenTofu that started this process as well as to one that
 * has the address to attach to.
 *
 * Every connection gets a provider of its own: an attached OpenTofu opens one for each provider configuration (alias),
 * and what one is configured with must never reach the resources of another.
 */

import { createServer, type Socket } from "node:net";
import { Server, ServerCredentials, type sendUnaryData } from "@grpc/grpc-js";
import type { Provider } from "../src/core/index.ts";
import { systemErrorText } from "../src/diagnostics/system-error.ts";
import type { Certificate } from "./certificate.ts";
import { createFaults, type Faults } from "./faults.ts";
import { method } from "./grpc-method.ts";
import type { Log } from "./log.ts";
import { addPluginServices } from "./plugin-services.ts";
import { providerCalls } from "./rpc/all.ts";
import { answer, type Context } from "./rpc/rpc.ts";
import { tellingDefects } from "./told-defects.ts";

export interface ServeOptions {
  /** Called on a connection's first call that needs one; closed when the connection ends. */
  readonly openProvider: () => Provider | Promise<Provider>;
  /** In a directory that nobody else may enter. */
  readonly socketPath: string;
  /** Both sides prove who they are. Without it whoever can open the socket is served. */
  readonly tls?: { readonly certificate: Certificate; readonly clientCertificatePem: string };
  readonly log: Log;
  readonly faults?: Faults;
  /** The client asked the process to end. An attached one does not. */
  readonly onShutdown?: () => void;
}

export interface Serving {
  /** Ends what is in flight, then all connections and their providers, and stops listening. */
  close(): Promise<void>;
}

/** Milliseconds that a connection gets to send the answers it still has. */
const closingTime = 500;

/** @throws Error when the socket cannot be made or TLS does not take the certificates */
export async function serve(options: ServeOptions): Promise<Serving> {
  const credentials = serverCredentials(options.tls);
  const connections = new Set<Connection>();
  const listener = createServer((socket) => {
    const connection = openConnection(socket, credentials, options);
    connections.add(connection);
    socket.on("close", () => {
      connections.delete(connection);
      void connection.close();
    });
  });
  await new Promise<void>((resolve, reject) => {
    listener.once("error", reject);
    listener.listen(options.socketPath, resolve);
  });
  return {
    close: async () => {
      const closed = new Promise((resolve) => listener.close(resolve));
      await Promise.all([...connections].map((connection) => connection.close()));
      await closed;
    },
  };
}

function serverCredentials(tls: ServeOptions["tls"]): ServerCredentials {
  if (tls === undefined) return ServerCredentials.createInsecure();
  const { certificate, clientCertificatePem } = tls;
  return ServerCredentials.createSsl(
    Buffer.from(clientCertificatePem),
    [
      {
        cert_chain: Buffer.from(certificate.certificatePem),
        private_key: Buffer.from(certificate.privateKeyPem),
      },
    ],
    true,
  );
}

interface Connection {
  /** May be called twice. */
  close(): Promise<void>;
}

function openConnection(socket: Socket, credentials: ServerCredentials, options: ServeOptions): Connection {
  const { log, faults = createFaults(), onShutdown = () => undefined } = options;
  let context: Promise<Context> | undefined;
  const open = (): Promise<Context> => {
    context ??= Promise.resolve(options.openProvider()).then((provider) => ({
      provider: tellingDefects(provider, log),
      log,
    }));
    return context;
  };
  // No limits: the other side is the program that runs us, and a plan of large files is large.
  const server = new Server({ "grpc.max_receive_message_length": -1, "grpc.max_send_message_length": -1 });
  addProviderService(server, (call, request) => answer(call, request, open, { log, faults }));
  const services = addPluginServices(server, onShutdown);
  socket.on("error", (error) => log("debug", "the connection broke", { error: systemErrorText(error) }));
  const injector = server.createConnectionInjector(credentials);
  injector.injectConnection(socket);

  let closing: Promise<void> | undefined;
  const close = async (): Promise<void> => {
    services.endStreams();
    const provider = (await context?.catch(() => undefined))?.provider;
    provider?.stop();
    await shutDown(server);
    socket.destroy();
    await provider?.close();
  };
  return {
    close: () => {
      closing ??= close();
      return closing;
    },
  };
}

function addProviderService(
  server: Server,
  respond: (call: (typeof providerCalls)[number], request: Buffer) => Promise<Buffer>,
): void {
  for (const call of providerCalls) {
    server.addService(
      { [call.name]: method("tfplugin6.Provider", call.name) },
      {
        [call.name]: ({ request }: { request: Buffer }, reply: sendUnaryData<Buffer>) => {
          void respond(call, request).then((response) => reply(null, response));
        },
      },
    );
  }
}

function shutDown(server: Server): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => {
      server.forceShutdown();
      resolve();
    }, closingTime);
    server.tryShutdown(() => {
      clearTimeout(timer);
      resolve();
    });
  });
}
