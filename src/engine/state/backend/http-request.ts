/**
 * @module One request to a state server, repeated after temporary failures, as OpenTofu does
 * (no answer, 429, 5xx but 501; `Retry-After`).
 */
import { type ClientRequest, request as httpRequest, type IncomingMessage } from "node:http";
import { request as httpsRequest } from "node:https";
import { setTimeout as delay } from "node:timers/promises";
import { connectionProblem } from "./connection-problem.ts";
import { basicLogin, type HttpTransport } from "./http-settings.ts";

export interface HttpRequest {
  /** Everything but `GET` may carry the state, and goes to no other server than the one of `url`. */
  readonly method: string;
  readonly url: URL;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: Uint8Array;
}

export interface HttpAnswer {
  readonly status: number;
  readonly headers: IncomingMessage["headers"];
  readonly body: Buffer;
}

/** Redirections that are followed. */
const mostRedirections = 5;

/** Longer answers are refused: no state comes near the first, nor what is said of a lock near the second. Bytes. */
const longestState = 256 * 2 ** 20;
const longestWord = 2 ** 20;

/** How long a server may ask to be left alone for another try to be worth it. Seconds. */
const longestPause = 60;

/** @throws Error whose message is the end of a sentence: `it refuses connections` */
export async function sendRequest(request: HttpRequest, transport: HttpTransport): Promise<HttpAnswer> {
  const deadline = Date.now() + transport.total;
  for (let failures = 0; ; failures += 1) {
    let wait = Math.min(transport.retryWait.shortest * 2 ** failures, transport.retryWait.longest);
    const isLast = () => failures >= transport.retries || Date.now() + wait >= deadline;
    try {
      const answer = await redirected(request, transport, deadline);
      if (!mayPass(answer.status)) return answer;
      wait = (pauseIn(answer) ?? wait / 1000) * 1000;
      if (isLast() || wait > longestPause * 1000) return answer;
    } catch (error) {
      if (isFinal(error) || isLast()) throw new Error(connectionProblem(error), { cause: error });
    }
    await delay(wait);
  }
}

const mayPass = (status: number): boolean => status === 429 || (status >= 500 && status !== 501);

/** What another try would not change: certificates, and addresses that lead nowhere. */
const isFinal = (error: unknown): boolean =>
  /CERT|TLS|SSL|EPROTO|UNABLE_TO_|ALTNAME|SELF_SIGNED|ENOTFOUND|TOO_MANY|TOO_LONG|ERR_INVALID/.test(
    String((error as NodeJS.ErrnoException).code),
  );

/** How long the server asks to be left alone, in seconds (RFC 9110, `Retry-After`; as a date it is passed over). */
export function pauseIn({ headers }: Pick<HttpAnswer, "headers">): number | undefined {
  const seconds = Number(headers["retry-after"]);
  return Number.isFinite(seconds) && seconds >= 0 ? seconds : undefined;
}

/**
 * Follows redirections: those that keep the method, and others of what only reads; none from TLS to what is not. What
 * writes stays on its server: the state goes where the configuration says.
 */
async function redirected(
  request: HttpRequest,
  transport: HttpTransport,
  deadline: number,
): Promise<HttpAnswer> {
  let { url } = request;
  for (let count = 0; ; count += 1) {
    const answer = await sendOnce({ ...request, url }, withoutSecrets(transport, request.url, url), deadline);
    const { location } = answer.headers;
    const follows = answer.status === 307 || answer.status === 308 || request.method === "GET";
    if (answer.status < 301 || answer.status > 308 || answer.status === 304) return answer;
    if (location === undefined || !follows || !URL.canParse(location, url.href)) return answer;
    const isSame = new URL(location, url).origin === request.url.origin;
    if (request.method !== "GET" && !isSame) return answer;
    if (count === mostRedirections)
      throw Object.assign(new Error("it redirects for ever"), { code: "TOO_MANY" });
    const next = new URL(location, url);
    if (url.protocol === "https:" && next.protocol !== "https:")
      throw Object.assign(new Error(`it redirects to a ${next.protocol} address, which is not encrypted`), {
        code: "ERR_INVALID_REDIRECT",
      });
    url = next;
  }
}

/** Credentials for this server are not sent to another one. */
const withoutSecrets = (transport: HttpTransport, from: URL, to: URL): HttpTransport =>
  from.origin === to.origin
    ? transport
    : { ...transport, headers: {}, certificate: undefined, privateKey: undefined };

function sendOnce(
  { method, url, headers, body }: HttpRequest,
  transport: HttpTransport,
  deadline: number,
): Promise<HttpAnswer> {
  const { timeout } = transport;
  return new Promise((resolve, reject) => {
    // A server that says something now and then is never silent.
    const timer = setTimeout(() => fail("timed out", "ETIMEDOUT"), Math.max(0, deadline - Date.now()));
    const options = {
      method,
      // Each by itself: a connection that is kept would keep the process.
      agent: false,
      headers: {
        ...(hasLogin(transport) ? {} : loginIn(url)),
        ...transport.headers,
        ...headers,
        ...(body === undefined ? {} : { "Content-Length": String(body.length) }),
      },
      timeout,
    } as const;
    const target = new URL(url);
    // Given in a header.
    target.username = "";
    target.password = "";
    const sent: ClientRequest =
      target.protocol === "https:"
        ? httpsRequest(target, {
            ...options,
            rejectUnauthorized: !transport.skipCertVerification,
            ca: transport.ca,
            cert: transport.certificate,
            key: transport.privateKey,
          })
        : httpRequest(target, options);
    const longest = method === "GET" ? longestState : longestWord;
    const fail = (message: string, code: string): void => {
      reject(Object.assign(new Error(message), { code }));
      sent.destroy();
    };
    sent.on("response", (answer) => {
      const parts: Buffer[] = [];
      let length = 0;
      answer.on("data", (part: Buffer) => {
        length += part.length;
        if (length <= longest) parts.push(part);
        else fail(`its answer is longer than ${longest / 2 ** 20} MiB`, "TOO_LONG");
      });
      answer.on("error", reject);
      answer.on("end", () =>
        resolve({ status: answer.statusCode ?? 0, headers: answer.headers, body: Buffer.concat(parts) }),
      );
    });
    sent.on("timeout", () => fail("timed out", "ETIMEDOUT"));
    sent.on("error", reject);
    sent.on("close", () => clearTimeout(timer));
    sent.end(body);
  });
}

const hasLogin = ({ headers }: HttpTransport): boolean =>
  Object.keys(headers).some((name) => /^authorization$/i.test(name));

/** What stands in an address is for the server that it leads to, and for no other of the same state: as for OpenTofu. */
const loginIn = ({ username, password }: URL): Readonly<Record<string, string>> =>
  username === "" ? {} : basicLogin(decodeURIComponent(username), decodeURIComponent(password));
