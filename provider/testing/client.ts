/**
 * @module The other side of the protocol for tests: starts a provider process as go-plugin does, and calls it.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { X509Certificate } from "node:crypto";
import { Client, credentials, type ServiceError } from "@grpc/grpc-js";
import { type Certificate, selfSignedCertificate } from "../certificate.ts";
import { magicCookie } from "../handshake.ts";
import type { Rpc } from "../rpc/rpc.ts";

export interface StartedProvider {
  readonly process: ChildProcess;
  readonly socketPath: string;
  /** All of the process's first line. */
  readonly line: string;
  readonly stderr: () => string;
  /** Milliseconds from the start to the line. */
  readonly startup: number;
  readonly client: ProviderClient;
  /** Settles with the exit status, or the signal that ended it. */
  readonly exited: Promise<number | NodeJS.Signals>;
}

export interface ProviderClient {
  call<Request, Response>(rpc: Rpc<Request, Response>, request: Request): Promise<Response>;
  /** @returns the response's bytes */
  raw(path: string, request?: Buffer): Promise<Buffer>;
  readonly grpc: Client;
  close(): void;
}

export interface StartOptions {
  readonly environment?: NodeJS.ProcessEnv;
  /** Without mutual TLS, as an old client. */
  readonly plain?: boolean;
  /** The certificate that is shown, when it is another one than the announced. */
  readonly impostor?: boolean;
}

/** @throws Error with stderr when the process ends before its first line */
export async function startProvider(program: string, options: StartOptions = {}): Promise<StartedProvider> {
  const announced = selfSignedCertificate();
  const start = performance.now();
  const child = spawn(process.execPath, [program], {
    env: {
      ...process.env,
      [magicCookie.name]: magicCookie.value,
      PLUGIN_PROTOCOL_VERSIONS: "5,6",
      ...(options.plain ? {} : { PLUGIN_CLIENT_CERT: announced.certificatePem }),
      ...options.environment,
    },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let stderr = "";
  child.stderr.on("data", (chunk) => {
    stderr += chunk;
  });
  const exited = new Promise<number | NodeJS.Signals>((resolve) => {
    child.on("close", (status, signal) => resolve(status ?? signal ?? "SIGKILL"));
  });
  const line = await firstLine(child);
  const startup = performance.now() - start;
  if (line === undefined) {
    await exited;
    throw new Error(`no first line; stderr:\n${stderr}`);
  }
  const [, , , socketPath = "", , encoded = ""] = line.split("|");
  const server = options.plain ? undefined : new X509Certificate(Buffer.from(encoded, "base64"));
  const identity = options.impostor ? selfSignedCertificate() : announced;
  return {
    process: child,
    socketPath,
    line,
    stderr: () => stderr,
    startup,
    client: connectProvider(socketPath, server, identity),
    exited,
  };
}

function firstLine({ stdout }: ChildProcess): Promise<string | undefined> {
  return new Promise((resolve) => {
    let text = "";
    stdout?.on("data", (chunk) => {
      text += chunk;
      if (text.includes("\n")) resolve(text.slice(0, text.indexOf("\n")));
    });
    stdout?.on("close", () => resolve(undefined));
  });
}

/** @param server the certificate to expect; without it no TLS is used */
export function connectProvider(
  socketPath: string,
  server?: X509Certificate,
  identity?: Certificate,
): ProviderClient {
  const channel =
    server === undefined || identity === undefined
      ? credentials.createInsecure()
      : credentials.createSsl(
          Buffer.from(server.toString()),
          Buffer.from(identity.privateKeyPem),
          Buffer.from(identity.certificatePem),
        );
  const grpc = new Client(`unix:${socketPath}`, channel, {
    "grpc.ssl_target_name_override": "localhost",
    "grpc.max_receive_message_length": -1,
    "grpc.max_send_message_length": -1,
  });
  const raw = (path: string, request: Buffer = Buffer.alloc(0)): Promise<Buffer> =>
    new Promise((resolve, reject) => {
      const asItIs = (bytes: Buffer) => bytes;
      const answered = (error: ServiceError | null, response?: Buffer) =>
        response === undefined ? reject(error) : resolve(response);
      grpc.makeUnaryRequest(path, asItIs, asItIs, request, { deadline: Date.now() + 20_000 }, answered);
    });
  return {
    call: async (rpc, request) =>
      rpc.response.decode(await raw(`/tfplugin6.Provider/${rpc.name}`, rpc.request.encode(request))),
    raw,
    grpc,
    close: () => grpc.close(),
  };
}
