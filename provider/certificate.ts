/**
 * @module A self-signed certificate for the connection with OpenTofu, made anew by every process.
 *
 * Node cannot make one, and the libraries that have take longer to load than the whole start may take. The form
 * is X.509 version 3 (RFC 5280) with an ECDSA P-256 key.
 */
import { generateKeyPairSync, randomBytes, sign } from "node:crypto";
import {
  bitString,
  boolean,
  explicit,
  generalizedTime,
  implicit,
  integer,
  objectIdentifier,
  octetString,
  sequence,
  set,
  utcTime,
  utf8String,
} from "./der.ts";

export interface Certificate {
  readonly der: Buffer;
  /** The same as text, as TLS takes it. */
  readonly certificatePem: string;
  readonly privateKeyPem: string;
}

const ecdsaWithSha256 = sequence(objectIdentifier("1.2.840.10045.4.3.2"));
const day = 24 * 60 * 60 * 1000;

/**
 * A certificate for `localhost`, which is the name that go-plugin's client asks for, whatever the socket. It stands for
 * itself as its own authority, and serves both sides, because go-plugin's client uses it as both.
 *
 * @param now start of its validity is a day before, so that a clock set back meanwhile does no harm
 */
export function selfSignedCertificate(now = new Date()): Certificate {
  const { publicKey, privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const signed = toBeSigned(publicKey.export({ type: "spki", format: "der" }), now);
  const signature = sign("sha256", signed, privateKey);
  const der = sequence(signed, ecdsaWithSha256, bitString(signature));
  return {
    der,
    certificatePem: pem("CERTIFICATE", der),
    privateKeyPem: privateKey.export({ type: "pkcs8", format: "pem" }).toString(),
  };
}

/** TBSCertificate of RFC 5280, section 4.1. */
function toBeSigned(publicKey: Buffer, now: Date): Buffer {
  const name = sequence(
    set(sequence(objectIdentifier("2.5.4.10"), utf8String("Conn3x"))),
    set(sequence(objectIdentifier("2.5.4.3"), utf8String("localhost"))),
  );
  const version3 = explicit(0, integer(Buffer.from([2])));
  return sequence(
    version3,
    integer(serialNumber()),
    ecdsaWithSha256,
    name,
    sequence(time(new Date(now.getTime() - day)), time(new Date(now.getTime() + 365 * day))),
    name,
    publicKey,
    explicit(3, extensions()),
  );
}

/** 127 random bits, so that it is positive without a leading zero byte. */
function serialNumber(): Buffer {
  const serial = randomBytes(16);
  serial[0] = serial[0]! & 0x7f;
  return serial;
}

/** RFC 5280, section 4.1.2.5: two digits of the year up to 2049. */
const time = (date: Date): Buffer => (date.getUTCFullYear() < 2050 ? utcTime(date) : generalizedTime(date));

function extensions(): Buffer {
  const dnsName = implicit(2, Buffer.from("localhost"));
  const serverAndClient = sequence(
    objectIdentifier("1.3.6.1.5.5.7.3.1"),
    objectIdentifier("1.3.6.1.5.5.7.3.2"),
  );
  // digitalSignature, keyEncipherment, keyAgreement, keyCertSign: bits 0, 2, 4, 5.
  const keyUsage = bitString(Buffer.from([0b1010_1100]), 2);
  return sequence(
    extension("2.5.29.15", keyUsage, true),
    extension("2.5.29.37", serverAndClient),
    extension("2.5.29.19", sequence(boolean(true)), true),
    extension("2.5.29.17", sequence(dnsName)),
  );
}

function extension(identifier: string, value: Buffer, critical = false): Buffer {
  const flag = critical ? [boolean(true)] : [];
  return sequence(objectIdentifier(identifier), ...flag, octetString(value));
}

function pem(label: string, der: Buffer): string {
  const lines = der.toString("base64").match(/.{1,64}/g) ?? [];
  return `-----BEGIN ${label}-----\n${lines.join("\n")}\n-----END ${label}-----\n`;
}
