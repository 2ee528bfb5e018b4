/**
 * @module The life of a provider process that OpenTofu started: handshake, serving, and an end that leaves nothing
 * behind.
 */
import type { Provider } from "../src/core/index.ts";
import { systemErrorText } from "../src/diagnostics/system-error.ts";
import { unexpectedTrace } from "../src/diagnostics/unexpected-error.ts";
import { type Certificate, selfSignedCertificate } from "./certificate.ts";
import { createFaults } from "./faults.ts";
import { type Handshake, handshakeLine, protocolVersion, readHandshake } from "./handshake.ts";
import { createLog } from "./log.ts";
import { type Serving, serve } from "./serve.ts";
import { createSocketPlace, type SocketPlace } from "./socket.ts";

export interface ProviderProcess {
  /** Makes the provider; called after the handshake, which need not wait for it. */
  readonly openProvider: () => Provider | Promise<Provider>;
  readonly version: string;
}

/** go-plugin kills a process that has not ended two seconds after it was asked to. */
const longestEnd = 1500;
/** How often it is looked whether OpenTofu is still there, in milliseconds. */
const parentInterval = 2000;

/** Runs until OpenTofu asks the process to end; then the process exits. */
export async function runProviderProcess({ openProvider, version }: ProviderProcess): Promise<void> {
  const handshake = readHandshake(process.env);
  if (handshake === undefined) {
    process.stderr.write(startedByHand(version));
    process.exitCode = 1;
    return;
  }
  // When OpenTofu is gone, nobody reads, and that must not end us before we have cleaned up.
  process.stdout.on("error", () => undefined);
  process.stderr.on("error", () => undefined);
  const log = createLog(process.env, (line) => process.stderr.write(line));
  if (!handshake.compatible) {
    log("error", `OpenTofu does not speak version ${protocolVersion} of the plugin protocol: it is too old`);
  }
  let place: SocketPlace | undefined;
  let serving: Serving | undefined;
  const end = endOnce(
    () => place,
    () => serving,
  );
  endWithParent(end);
  const faults = createFaults();
  const onFault = (error: unknown): void => {
    log("error", "an error that no call caught", { error: unexpectedTrace(error) });
    faults.raise(error);
  };
  process.on("uncaughtException", onFault);
  process.on("unhandledRejection", onFault);

  try {
    const certificate = handshake.clientCertificatePem === undefined ? undefined : selfSignedCertificate();
    place = await createSocketPlace(handshake.socketDirectory);
    serving = await serve({
      openProvider,
      socketPath: place.path,
      ...tlsOptions(handshake, certificate),
      log,
      faults,
      onShutdown: () => end(0),
    });
    process.stdout.write(handshakeLine(place.path, certificate));
  } catch (error) {
    // Shown to the user as it is, unlike what is on stderr.
    process.stdout.write(`Conn3x's provider cannot serve on a socket: ${systemErrorText(error)}\n`);
    end(1);
  }
}

function tlsOptions(handshake: Handshake, certificate: Certificate | undefined) {
  const { clientCertificatePem } = handshake;
  if (clientCertificatePem === undefined || certificate === undefined) return {};
  return { tls: { certificate, clientCertificatePem } };
}

/** Ends the process in order: connections first, then the socket. What takes too long is left. */
function endOnce(
  place: () => SocketPlace | undefined,
  serving: () => Serving | undefined,
): (status: number) => void {
  let ending = false;
  process.on("exit", () => place()?.remove());
  return (status) => {
    if (ending) return;
    ending = true;
    setTimeout(() => process.exit(status), longestEnd);
    void Promise.resolve(serving()?.close()).finally(() => process.exit(status));
  };
}

function endWithParent(end: (status: number) => void): void {
  // ^C goes to the whole process group. OpenTofu then asks us to stop, and what is in flight must be able to end.
  process.on("SIGINT", () => undefined);
  // Statuses as a shell gives them: 128 and the signal's number.
  process.on("SIGTERM", () => end(143));
  process.on("SIGHUP", () => end(129));
  const parent = process.ppid;
  const timer = setInterval(() => {
    if (process.ppid !== parent) end(1);
  }, parentInterval);
  timer.unref();
}

const startedByHand = (version: string): string => `\
This is Conn3x's provider for OpenTofu and Terraform, version ${version}. They start it
themselves when a configuration uses a conn3x resource; started by hand it does nothing.
To plan and apply circuits run conn3x; "conn3x help" tells more.
`;
