import { describe, expect, it } from "vitest";
import { selfSignedCertificate } from "./certificate.ts";
import { handshakeLine, magicCookie, readHandshake } from "./handshake.ts";

const started = { [magicCookie.name]: magicCookie.value, PLUGIN_PROTOCOL_VERSIONS: "5,6" };

describe("the handshake", () => {
  it("knows being started by hand", () => {
    expect(readHandshake({})).toBeUndefined();
    expect(readHandshake({ ...started, [magicCookie.name]: "x" })).toBeUndefined();
  });

  it("reads what the client wants", () => {
    expect(
      readHandshake({ ...started, PLUGIN_CLIENT_CERT: "PEM", PLUGIN_UNIX_SOCKET_DIR: "/run/x" }),
    ).toEqual({
      clientCertificatePem: "PEM",
      socketDirectory: "/run/x",
      compatible: true,
    });
    expect(readHandshake({ ...started, PLUGIN_CLIENT_CERT: "" })).toEqual({
      clientCertificatePem: undefined,
      socketDirectory: undefined,
      compatible: true,
    });
  });

  it.each(["5", "", "16", "4,5"])("sees that versions %j are not ours", (versions) => {
    expect(readHandshake({ ...started, PLUGIN_PROTOCOL_VERSIONS: versions })?.compatible).toBe(false);
  });

  it("answers in one line of six fields, the certificate without padding", () => {
    expect(handshakeLine("/tmp/a/s", undefined)).toBe("1|6|unix|/tmp/a/s|grpc|\n");
    const certificate = selfSignedCertificate();
    const line = handshakeLine("/tmp/a/s", certificate);
    expect(line).toMatch(/^1\|6\|unix\|\/tmp\/a\/s\|grpc\|[A-Za-z0-9+/]+\n$/);
    expect(Buffer.from(line.trimEnd().split("|")[5]!, "base64").equals(certificate.der)).toBe(true);
  });
});
