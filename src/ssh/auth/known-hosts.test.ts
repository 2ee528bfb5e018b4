import { describe, expect, it } from "vitest";
import {
  fingerprint,
  judgeHostKey,
  keyType,
  knownTypes,
  lookupName,
  parseKnownHosts,
} from "./known-hosts.ts";

// Keys, fingerprints and hashed names as ssh-keygen printed them (-f, -lf, -H).
const key1 = "AAAAC3NzaC1lZDI1NTE5AAAAIAFGa4SFt6L7bZwQPFBPQfkQRWLdoLLc+j4QuCJwLmBY";
const key2 = "AAAAC3NzaC1lZDI1NTE5AAAAIPmSgaUPzf9mkeD/IBw5AX5jlSjVDYq1CmWUYHCz/IBR";
const ecdsa =
  "AAAAE2VjZHNhLXNoYTItbmlzdHAyNTYAAAAIbmlzdHAyNTYAAABBBO7RBKqcr0ZKTBaCK4czoTBLI1kRoWqdsxG9lXe6aUqbHn0Vt2TZb2RZm6vCi+PLDjNPhRtbLo1/4C1o7u9dAEI=";
const hashed = [
  `|1|VhoEWThL0FjqZ/cCfpZkXuNhGPM=|OiG0umyuPVmfYGOFJGuV1R7Ontw= ssh-ed25519 ${key1}`,
  `|1|oycEQ5114tEr/EATs3q0R8GJF/U=|D+LVgy/mOsU6u5Wgmh3kUjqdupY= ssh-ed25519 ${key2}`,
].join("\n");

const bytes = (key: string): Buffer => Buffer.from(key, "base64");

/** The verdict on a key, in a word or two. */
function judge(text: string, address: string, port: number, key: string): string {
  const verdict = judgeHostKey(parseKnownHosts(text, "kh"), lookupName(address, port), bytes(key));
  if (verdict.kind === "changed") return `changed, line ${verdict.known.map((k) => k.line).join(" ")}`;
  return verdict.kind === "revoked" ? `revoked, line ${verdict.by.line}` : verdict.kind;
}

describe("fingerprint and type", () => {
  it("are those that ssh-keygen prints", () => {
    expect(fingerprint(bytes(key1))).toBe("SHA256:DadFXtUzcX/twHVXzlqkcdVuMdK9ACsjlIOUVuzgOeY");
    expect(fingerprint(bytes(ecdsa))).toBe("SHA256:pLRJAJLk7WkBLggj5iVO/id6ChVuEKMeHpQKRY3tq6Y");
    expect(keyType(bytes(ecdsa))).toBe("ecdsa-sha2-nistp256");
    expect(keyType(Buffer.from([0, 0, 1]))).toBe("");
  });
});

describe("looking up a host", () => {
  it("takes the bare name for port 22 only, and the bracketed one for any other", () => {
    const text = `web1 ssh-ed25519 ${key1}\n[web1]:2222 ssh-ed25519 ${key2}\n`;
    expect(judge(text, "WEB1", 22, key1)).toBe("known");
    expect(judge(text, "web1", 2222, key2)).toBe("known");
    expect(judge(text, "web1", 2222, key1)).toBe("changed, line 2");
    expect(judge(text, "web1", 2223, key1)).toBe("unknown");
  });

  it("reads hashed names, with ports too", () => {
    expect(judge(hashed, "web1.example", 22, key1)).toBe("known");
    expect(judge(hashed, "web1.example", 2222, key2)).toBe("known");
    expect(judge(hashed, "web1.example", 22, key2)).toBe("changed, line 1");
    expect(judge(hashed, "web2.example", 22, key1)).toBe("unknown");
  });

  it("reads lists, patterns and exceptions", () => {
    const text = `# fleet\n\nweb1,10.0.0.1,*.example,!bad.example,db? ssh-ed25519 ${key1} a comment\n`;
    for (const name of ["web1", "10.0.0.1", "a.example", "db7"])
      expect(judge(text, name, 22, key1)).toBe("known");
    for (const name of ["bad.example", "db", "db10", "xexample", "10x0.0.1"]) {
      expect(judge(text, name, 22, key1)).toBe("unknown");
    }
  });

  it("tells another key of a known host from an unknown host, keys of the same type first", () => {
    const text = `h ecdsa-sha2-nistp256 ${ecdsa}\nh ssh-ed25519 ${key1}\n`;
    expect(judge(text, "h", 22, key2)).toBe("changed, line 2 1");
    expect(judge(`h ecdsa-sha2-nistp256 ${ecdsa}`, "h", 22, key1)).toBe("changed, line 1");
  });

  it("accepts any of several keys, never a revoked one", () => {
    const text = `h ssh-ed25519 ${key1}\nh ssh-ed25519 ${key2}\n@revoked * ssh-ed25519 ${key2}\n`;
    expect(judge(text, "h", 22, key1)).toBe("known");
    expect(judge(text, "h", 22, key2)).toBe("revoked, line 3");
  });

  it("takes the key of a certificate authority for no host's key", () => {
    expect(judge(`@cert-authority * ssh-ed25519 ${key1}\n`, "h", 22, key1)).toBe("unknown");
  });

  it("skips lines that cannot be read", () => {
    const text = `h\nh ssh-ed25519\nh ssh-ed25519 AAAA\n@other h ssh-ed25519 ${key1}\nh ssh-rsa ${key1}\n`;
    expect(parseKnownHosts(text, "kh")).toEqual([]);
  });

  it("names the types that are known, to ask for them", () => {
    const keys = parseKnownHosts(`h ecdsa-sha2-nistp256 ${ecdsa}\n*.x ssh-ed25519 ${key1}\n`, "kh");
    expect(knownTypes(keys, "h")).toEqual(["ecdsa-sha2-nistp256"]);
    expect(knownTypes(keys, "a.x")).toEqual(["ssh-ed25519"]);
    expect(knownTypes(keys, "y")).toEqual([]);
  });
});
