/**
 * @module A server on the loopback that keeps a state as OpenTofu's backend `http` wants it: for tests.
 */
import { createHash } from "node:crypto";
import { createServer, type IncomingMessage, type RequestListener } from "node:http";
import { createServer as createTlsServer, type ServerOptions } from "node:https";
import type { AddressInfo } from "node:net";

export interface SeenRequest {
  readonly method: string;
  /** With its query. */
  readonly path: string;
  readonly headers: IncomingMessage["headers"];
  readonly body: string;
}

export interface HttpStateServer {
  /** `http://127.0.0.1:PORT/state`, or `https://…` */
  readonly address: string;
  readonly seen: SeenRequest[];
  state: string | undefined;
  /** Description of the lock, as it was given. */
  lock: string | undefined;
  /** Asked first: an answer of its own, or undefined for the usual one. */
  answer: ((request: SeenRequest) => Answer | undefined) | undefined;
  /** Lines of a `backend "http"` block. */
  readonly settings: string;
  close(): Promise<void>;
}

export interface Answer {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  /** Close the connection instead. */
  readonly breaks?: true;
  /** Never answer. */
  readonly silent?: true;
}

/** @param tls keys and certificates; none: it speaks without */
export async function startHttpStateServer(tls?: ServerOptions): Promise<HttpStateServer> {
  const listener: RequestListener = async (request, response) => {
    const parts: Buffer[] = [];
    for await (const part of request) parts.push(part);
    const { method = "", url = "", headers } = request;
    const seen = { method, path: url, headers, body: Buffer.concat(parts).toString("utf8") };
    kept.seen.push(seen);
    const { breaks, silent, status = 200, ...answer } = kept.answer?.(seen) ?? usual(kept, seen);
    if (breaks) request.socket.destroy();
    else if (!silent) response.writeHead(status, answer.headers).end(answer.body);
  };
  const server = tls === undefined ? createServer(listener) : createTlsServer(tls, listener);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = `${tls === undefined ? "http" : "https"}://127.0.0.1:${(server.address() as AddressInfo).port}/state`;
  const kept: HttpStateServer = {
    address,
    seen: [],
    state: undefined,
    lock: undefined,
    answer: undefined,
    settings: `address = "${address}"\nlock_address = "${address}"\nunlock_address = "${address}"`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
  return kept;
}

function usual(kept: HttpStateServer, { method, path, headers, body }: SeenRequest): Answer {
  const sum = headers["content-md5"];
  if (body !== "" && sum !== createHash("md5").update(body).digest("base64")) return { status: 400 };
  const id = new URL(path, kept.address).searchParams.get("ID");
  const holder = kept.lock === undefined ? undefined : (JSON.parse(kept.lock) as { ID: string }).ID;
  const held = (status: number): Answer => ({ status, body: kept.lock ?? "" });
  switch (method) {
    case "GET":
      return kept.state === undefined ? { status: 404 } : { body: kept.state };
    case "POST":
      if (holder !== undefined && id !== holder) return held(409);
      kept.state = body;
      return {};
    case "LOCK":
      if (kept.lock !== undefined) return held(423);
      kept.lock = body;
      return {};
    case "UNLOCK":
      // Engines that end a lock by force name none: whatever it is, it goes.
      if (body !== "" && holder !== (JSON.parse(body) as { ID: string }).ID) return held(409);
      kept.lock = undefined;
      return {};
    default:
      return { status: 405 };
  }
}
