/**
 * @module How OpenTofu and a provider process find each other: environment variables in, one line on stdout out.
 * Source: the plugin protocol of OpenTofu and go-plugin's documentation of its handshake.
 */
import type { Certificate } from "./certificate.ts";

/** Not a secret: it only shows that OpenTofu started this process, and not a person. */
export const magicCookie = {
  name: "TF_PLUGIN_MAGIC_COOKIE",
  value: "d602bf8f470bc67ca7faa0386276bbdd4330efaf76d1a219cb4d6991ca9872b2",
} as const;

/** The plugin protocol's major version. Minor ones are not negotiated. */
export const protocolVersion = 6;
/** Version of the line itself. */
const handshakeVersion = 1;

export interface Handshake {
  /** The certificate that the client will show; absent when it wants no TLS. */
  readonly clientCertificatePem: string | undefined;
  /** Where the socket must be made, when the client says it. */
  readonly socketDirectory: string | undefined;
  /** False when the client speaks other versions only. It says so to its user itself, when it sees ours in the line. */
  readonly compatible: boolean;
}

/** What the client says. Undefined when the process was not started by one. */
export function readHandshake(environment: NodeJS.ProcessEnv): Handshake | undefined {
  if (environment[magicCookie.name] !== magicCookie.value) return undefined;
  const versions = (environment.PLUGIN_PROTOCOL_VERSIONS ?? "").split(",").map(Number);
  return {
    clientCertificatePem: environment.PLUGIN_CLIENT_CERT || undefined,
    socketDirectory: environment.PLUGIN_UNIX_SOCKET_DIR || undefined,
    compatible: versions.includes(protocolVersion),
  };
}

/** The line that says to the client where to connect, and which certificate to expect there. */
export function handshakeLine(socketPath: string, certificate: Certificate | undefined): string {
  const encoded = certificate?.der.toString("base64").replace(/=+$/, "") ?? "";
  return `${handshakeVersion}|${protocolVersion}|unix|${socketPath}|grpc|${encoded}\n`;
}
