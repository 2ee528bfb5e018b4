/**
 * @module Hashes of text, and name-based UUIDs (RFC 4122, version 5).
 */
import { createHash } from "node:crypto";
import { type EagerFunction, type FunctionError, functionError } from "../function-definition.ts";
import { stringFunction } from "./arguments.ts";

export type HashAlgorithm = "md5" | "sha1" | "sha256" | "sha512";

export const hash = (
  algorithm: HashAlgorithm,
  data: string | Uint8Array,
  encoding: "hex" | "base64",
): string => createHash(algorithm).update(data).digest(encoding);

const namespaces: Readonly<Record<string, string>> = {
  dns: "6ba7b810-9dad-11d1-80b4-00c04fd430c8",
  url: "6ba7b811-9dad-11d1-80b4-00c04fd430c8",
  oid: "6ba7b812-9dad-11d1-80b4-00c04fd430c8",
  x500: "6ba7b814-9dad-11d1-80b4-00c04fd430c8",
};

function uuidv5(namespace: string, name: string): string | FunctionError {
  const id = Object.hasOwn(namespaces, namespace) ? namespaces[namespace]! : namespace;
  if (!/^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(id)) {
    return functionError("namespace must be dns, url, oid, x500 or a UUID", 0);
  }
  const bytes = createHash("sha1")
    .update(Buffer.from(id.replaceAll("-", ""), "hex"))
    .update(name)
    .digest();
  bytes[6] = (bytes[6]! & 0x0f) | 0x50;
  bytes[8] = (bytes[8]! & 0x3f) | 0x80;
  return bytes.toString("hex", 0, 16).replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");
}

export const hashFunctions: readonly EagerFunction[] = [
  ...(["md5", "sha1", "sha256", "sha512"] as const).map((algorithm) =>
    stringFunction(algorithm, ["str"], (value) => hash(algorithm, value, "hex")),
  ),
  stringFunction("base64sha256", ["str"], (value) => hash("sha256", value, "base64")),
  stringFunction("base64sha512", ["str"], (value) => hash("sha512", value, "base64")),
  stringFunction("uuidv5", ["namespace", "name"], uuidv5),
];
