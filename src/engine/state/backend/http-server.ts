/**
 * @module A state on an HTTP server, in the protocol of OpenTofu's backend `http`: GET and POST of the state, LOCK and
 * UNLOCK with the lock's description.
 * Source: https://opentofu.org/docs/language/settings/backends/http/
 */
import { createHash } from "node:crypto";
import { type Diagnostic, errorDiagnostic } from "../../../diagnostics/diagnostic.ts";
import { type LockInfo, lockInfoIn, lockLines } from "../lock.ts";
import { BackendError, type StateBackend } from "../state-backend.ts";
import { type HttpAnswer, type HttpRequest, pauseIn, sendRequest } from "./http-request.ts";
import type { HttpSettings } from "./http-settings.ts";
import { remoteBackend, type ServerLock, type StateServer } from "./state-server.ts";
import { unprotected } from "./unprotected.ts";

export const httpBackend = (settings: HttpSettings): StateBackend =>
  remoteBackend("http", settings.address.href, httpServer(settings));

/** How an UNLOCK names a lock of which nothing but its id is known. */
const unknownLock = {
  Operation: "",
  Info: "",
  Who: "",
  Version: "",
  Created: "0001-01-01T00:00:00Z",
  Path: "",
};

function httpServer(settings: HttpSettings): StateServer {
  const { address, lock, unlock } = settings;
  /** The id of the lock that this run holds. */
  let lockId: string | undefined;
  return {
    name: nameOf(address),
    caution: unprotected(
      address.hostname,
      address.protocol === "http:"
        ? "It is reached without encryption"
        : settings.transport.skipCertVerification
          ? "Its certificate is not looked at (skip_cert_verification)"
          : undefined,
      "Give an https:// address whose certificate can be verified.",
    ),
    async read() {
      const answer = await send(settings, { method: "GET", url: address }, "State cannot be read");
      if (answer.status === 204 || answer.status === 404) return undefined;
      if (answer.status !== 200) throw refusal("State cannot be read", address, answer);
      return stateIn(answer, address);
    },
    async write(content) {
      const url = new URL(address);
      if (lockId !== undefined) url.searchParams.set("ID", lockId);
      const request = { method: settings.updateMethod, url, ...bodyOf(content) };
      const answer = await send(settings, request, "State cannot be saved");
      if (![200, 201, 204].includes(answer.status)) throw refusal("State cannot be saved", address, answer);
    },
    async lock(info): Promise<ServerLock> {
      if (lock === undefined) return { release: async () => undefined };
      const request = {
        method: lock.method,
        url: lock.address,
        ...bodyOf(Buffer.from(JSON.stringify(info))),
      };
      const answer = await send(settings, request, "Cannot lock the state");
      // A lost answer is followed by one that names our own lock.
      const isHeld = answer.status === 409 || answer.status === 423;
      const holder = isHeld ? lockInfoIn(answer.body.toString("utf8")) : undefined;
      if (isHeld && holder?.ID !== info.ID) return { held: heldBy(holder, lock.address) };
      if (!isHeld && answer.status !== 200) throw refusal("Cannot lock the state", lock.address, answer);
      lockId = info.ID;
      return { release: () => release(info) };
    },
    async forceUnlock(id) {
      if (unlock === undefined) return noLocks;
      const answer = await sendUnlock({ ...unknownLock, ID: id }, "The state cannot be unlocked");
      return answer === undefined || answer.status === 200
        ? undefined
        : refusal("The state cannot be unlocked", unlock.address, answer).diagnostic;
    },
    close: async () => undefined,
  };

  async function release(info: LockInfo): Promise<void> {
    const summary = "Error releasing the state lock";
    const answer = await sendUnlock(info, summary);
    lockId = undefined;
    if (answer !== undefined && answer.status !== 200) {
      const { detail } = refusal(summary, unlock!.address, answer).diagnostic;
      throw new BackendError(
        summary,
        `${detail} Look whether it is still locked: conn3x force-unlock ${info.ID}.`,
      );
    }
  }

  async function sendUnlock(info: LockInfo, summary: string): Promise<HttpAnswer | undefined> {
    if (unlock === undefined) return undefined;
    const body = bodyOf(Buffer.from(JSON.stringify(info)));
    return send(settings, { method: unlock.method, url: unlock.address, ...body }, summary);
  }
}

const noLocks: Diagnostic = errorDiagnostic(
  "The state cannot be unlocked",
  'The backend has no "unlock_address", so that it never locks the state.',
);

/** Without a login and without a query, either of which may be secret. */
const nameOf = ({ origin, pathname }: URL): string => `${origin}${pathname}`;

const bodyOf = (body: Uint8Array): Pick<HttpRequest, "headers" | "body"> => ({
  body,
  headers: {
    "Content-Type": "application/json",
    "Content-MD5": createHash("md5").update(body).digest("base64"),
  },
});

async function send({ transport }: HttpSettings, request: HttpRequest, summary: string): Promise<HttpAnswer> {
  try {
    return await sendRequest(request, transport);
  } catch (error) {
    throw new BackendError(summary, `${nameOf(request.url)}: ${(error as Error).message}.`);
  }
}

/** @throws PlaceError where it is something else than a state */
function stateIn({ headers, body }: HttpAnswer, address: URL): string | undefined {
  const sum = headers["content-md5"];
  if (typeof sum === "string" && sum !== createHash("md5").update(body).digest("base64"))
    throw new BackendError(
      "State cannot be read",
      `${nameOf(address)}: what arrived is not what the server has (its Content-MD5 is another). Try again.`,
    );
  const text = body.toString("utf8");
  if (/^\s*</.test(text))
    throw new BackendError(
      "State cannot be read",
      `${nameOf(address)} answered with a web page and not with a state. A page to log in at, or a proxy in between, answers so: look at the address, and at "username" and "password".`,
    );
  return text.trim() === "" ? undefined : text;
}

const heldBy = (info: Partial<LockInfo> | undefined, address: URL) => ({
  lines: lockLines(info, `${nameOf(address)} does not say who holds the lock.`),
  remedy: `When you are certain that it does not run any more: conn3x force-unlock ${info?.ID ?? "LOCK_ID"}.`,
});

/** What a server's refusal means. Its text may hold anything and is not shown. */
function refusal(summary: string, address: URL, { status, headers }: HttpAnswer): BackendError {
  const why = (): string => {
    if (status === 401) return 'it wants a login, or another one: "username" and "password", or a header';
    if (status === 403) return "it does not allow that with this login";
    if (status === 409 || status === 423) return "the state is locked there by somebody else";
    if (status >= 300 && status < 400)
      return `it redirects to ${placeOf(headers.location, address)}. What is written goes to no other server than the one that is configured: give that address, if it is the right one`;
    const pause = pauseIn({ headers });
    if (pause !== undefined && (status === 429 || status >= 500))
      return `it wants to be left alone for ${pause} s`;
    if (status >= 500) return "it has failed itself";
    if (status === 404 || status === 405)
      return "it does not know this request: look at the address and the method";
    return "it refuses this request";
  };
  return new BackendError(summary, `${nameOf(address)} answers with status ${status}: ${why()}.`);
}

const placeOf = (location: string | undefined, base: URL): string =>
  location !== undefined && URL.canParse(location, base.href)
    ? nameOf(new URL(location, base))
    : "somewhere else";
