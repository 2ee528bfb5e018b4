/**
 * @module Certificates and keys that the backend `http` is given: an invalid one is reported by the name of its
 * setting, since TLS itself reports numbers, or nothing.
 */
import { createPrivateKey, X509Certificate } from "node:crypto";

/** PEM texts. */
export interface HttpCertificates {
  /** Whose servers are trusted; undefined: those that Node trusts. */
  readonly ca: string | undefined;
  readonly certificate: string | undefined;
  /** The key of the certificate. */
  readonly privateKey: string | undefined;
}

/** @returns sentences */
export function badCertificates({ ca, certificate, privateKey }: HttpCertificates): readonly string[] {
  const certificates = { client_ca_certificate_pem: ca, client_certificate_pem: certificate };
  const bad = Object.entries(certificates)
    .filter(([, text]) => text !== undefined && read(() => new X509Certificate(text)) === undefined)
    .map(([name]) => `"${name}" must be a certificate itself (PEM), not the name of its file.`);
  if (privateKey === undefined) return bad;
  const key = read(() => createPrivateKey(privateKey));
  if (key === undefined)
    return [
      ...bad,
      '"client_private_key_pem" must be a private key itself (PEM, without a passphrase), not the name of its file.',
    ];
  if (certificate === undefined || bad.length > 0 || new X509Certificate(certificate).checkPrivateKey(key))
    return bad;
  return ['"client_private_key_pem" is not the key of "client_certificate_pem".'];
}

function read<T>(text: () => T): T | undefined {
  try {
    return text();
  } catch {
    return undefined;
  }
}
