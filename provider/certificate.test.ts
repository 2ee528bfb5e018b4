import { createPrivateKey, X509Certificate } from "node:crypto";
import { connect, createServer, type TLSSocket } from "node:tls";
import { describe, expect, it } from "vitest";
import { selfSignedCertificate } from "./certificate.ts";

describe("the certificate of a provider process", () => {
  const made = selfSignedCertificate(new Date("2030-06-15T12:00:00Z"));
  const parsed = new X509Certificate(made.der);

  it("is for localhost, signed by its own key", () => {
    expect(parsed.subject).toBe("O=Conn3x\nCN=localhost");
    expect(parsed.issuer).toBe(parsed.subject);
    expect(parsed.subjectAltName).toBe("DNS:localhost");
    expect(parsed.verify(parsed.publicKey)).toBe(true);
    expect(parsed.checkPrivateKey(createPrivateKey(made.privateKeyPem))).toBe(true);
  });

  it("may be used as an authority, by both sides", () => {
    expect(parsed.ca).toBe(true);
    // Server and client authentication.
    expect(parsed.keyUsage).toEqual(["1.3.6.1.5.5.7.3.1", "1.3.6.1.5.5.7.3.2"]);
  });

  it("is valid from a day before to a year after", () => {
    expect(new Date(parsed.validFrom).toISOString()).toBe("2030-06-14T12:00:00.000Z");
    expect(new Date(parsed.validTo).toISOString()).toBe("2031-06-15T12:00:00.000Z");
  });

  it("writes years from 2050 in the long form", () => {
    const late = new X509Certificate(selfSignedCertificate(new Date("2049-12-31T12:00:00Z")).der);
    expect(new Date(late.validFrom).toISOString()).toBe("2049-12-30T12:00:00.000Z");
    expect(new Date(late.validTo).toISOString()).toBe("2050-12-31T12:00:00.000Z");
  });

  it("is another one every time", () => {
    expect(new X509Certificate(selfSignedCertificate().der).serialNumber).not.toBe(parsed.serialNumber);
  });

  it("lets two sides trust each other, and nobody else", async () => {
    const ours = selfSignedCertificate();
    const theirs = selfSignedCertificate();
    expect(await handshake(ours, theirs, theirs)).toBe("authorized");
    expect(await handshake(ours, theirs, selfSignedCertificate())).not.toBe("authorized");
  });
});

type Made = ReturnType<typeof selfSignedCertificate>;

/** Whether a server that trusts `trusted` lets in a client with the certificate `client`. */
async function handshake(server: Made, client: Made, trusted: Made): Promise<string> {
  const listener = createServer({
    cert: server.certificatePem,
    key: server.privateKeyPem,
    ca: trusted.certificatePem,
    requestCert: true,
  });
  await new Promise<void>((resolve) => listener.listen(0, "127.0.0.1", resolve));
  const { port } = listener.address() as { port: number };
  const outcome = new Promise<string>((resolve) => {
    listener.on("secureConnection", (socket: TLSSocket) =>
      resolve(socket.authorized ? "authorized" : "let in"),
    );
    listener.on("tlsClientError", (error) => resolve(error.message));
  });
  const socket = connect({
    port,
    host: "127.0.0.1",
    servername: "localhost",
    cert: client.certificatePem,
    key: client.privateKeyPem,
    ca: server.certificatePem,
  });
  socket.on("error", () => undefined);
  const result = await outcome;
  socket.destroy();
  listener.close();
  return result;
}
