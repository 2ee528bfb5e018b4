/**
 * @module Network errors in words: Node's own messages name functions and addresses.
 */
const words: Readonly<Record<string, string>> = {
  ECONNREFUSED: "it refuses connections",
  ECONNRESET: "it closed the connection",
  EHOSTUNREACH: "it cannot be reached",
  ENETUNREACH: "its network cannot be reached",
  ENOTFOUND: "there is no machine of that name",
  EAI_AGAIN: "its name cannot be looked up",
  EPIPE: "it closed the connection",
  ETIMEDOUT: "it does not answer",
  CERT_HAS_EXPIRED: "its certificate has expired",
  DEPTH_ZERO_SELF_SIGNED_CERT: "its certificate is signed by nobody but itself",
  SELF_SIGNED_CERT_IN_CHAIN: "its certificate comes from an authority that is not trusted here",
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: "its certificate comes from an authority that is not trusted here",
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: "its certificate comes from an authority that is not trusted here",
  ERR_TLS_CERT_ALTNAME_INVALID: "its certificate is for another name",
  EPROTO: "it does not speak TLS there, or asks for a certificate of ours",
};

/** The end of a sentence that starts with what it happened to: `it refuses connections`. */
export function connectionProblem(error: unknown): string {
  // Of a name with several addresses, each of which was tried.
  const [first] = error instanceof AggregateError ? (error.errors as readonly unknown[]) : [];
  const { code, message } = (first ?? error) as Partial<NodeJS.ErrnoException>;
  if (/^ERR_SSL_.*CERT/.test(code ?? "")) return "it wants a certificate of ours, or another one";
  if (code?.startsWith("ERR_SSL_")) return words.EPROTO!;
  return words[code ?? ""] ?? (message || code || "it cannot be talked to");
}
