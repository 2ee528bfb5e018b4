/**
 * @module Files of the configuration, by paths relative to a base directory.
 */
import { statSync } from "node:fs";
import { homedir } from "node:os";
import { posix, resolve } from "node:path";
import { readRegularSync } from "../../files/read-regular.ts";
import { boolType, setOf, stringType } from "../../values/type.ts";
import { boolValue, setValue, stringValue } from "../../values/value.ts";
import {
  type EagerFunction,
  type FunctionError,
  functionError,
  isFunctionError,
} from "../function-definition.ts";
import { parameter, stringFunction, text } from "./arguments.ts";
import { utf8 } from "./encoding.ts";
import { matchingFiles } from "./glob.ts";
import { type HashAlgorithm, hash } from "./hashes.ts";

/** `~` and `~/…` with the home directory. */
function expandHome(path: string): string {
  return path === "~" || path.startsWith("~/") ? homedir() + path.slice(1) : path;
}

function readBytes(baseDirectory: string, path: string): Uint8Array | FunctionError {
  try {
    return readRegularSync(resolve(baseDirectory, expandHome(path)));
  } catch (error) {
    const code = error instanceof Error && "code" in error ? error.code : undefined;
    if (code === "EISDIR") return functionError(`${JSON.stringify(path)} is a directory, not a file`, 0);
    if (code === "EINVAL") return functionError(`${JSON.stringify(path)} is no regular file`, 0);
    if (code !== "ENOENT" && code !== "ENOTDIR")
      return functionError(`failed to read ${JSON.stringify(path)} (${code})`, 0);
    return functionError(
      `no file exists at ${JSON.stringify(path)}; this function works only with files that are there before anything is planned, so if a resource of this configuration creates this file you must instead obtain this result from an attribute of that resource`,
      0,
    );
  }
}

export function readText(baseDirectory: string, path: string): string | FunctionError {
  const bytes = readBytes(baseDirectory, path);
  if ("error" in bytes) return bytes;
  return (
    utf8(bytes) ??
    functionError(
      `contents of ${JSON.stringify(path)} are not valid UTF-8; use the filebase64 function to obtain the Base64 encoded contents or the other file functions (e.g. filemd5, filesha256) to obtain file hashing results instead`,
      0,
    )
  );
}

function exists(baseDirectory: string, path: string): boolean | FunctionError {
  const status = statSync(resolve(baseDirectory, expandHome(path)), { throwIfNoEntry: false });
  if (status === undefined) return false;
  return status.isFile() || functionError(`${JSON.stringify(path)} is a directory, not a file`, 0);
}

/** Functions that read files below `baseDirectory`, an absolute path; paths that are absolute themselves work too. */
export function fileFunctions(baseDirectory: string): readonly EagerFunction[] {
  const reading = (name: string, use: (bytes: Uint8Array) => string): EagerFunction =>
    stringFunction(name, ["path"], (path) => {
      const bytes = readBytes(baseDirectory, path);
      return "error" in bytes ? bytes : use(bytes);
    });
  const hashing = (name: string, algorithm: HashAlgorithm, encoding: "hex" | "base64"): EagerFunction =>
    reading(name, (bytes) => hash(algorithm, bytes, encoding));
  return [
    stringFunction("file", ["path"], (path) => readText(baseDirectory, path)),
    reading("filebase64", (bytes) => Buffer.from(bytes).toString("base64")),
    hashing("filemd5", "md5", "hex"),
    hashing("filesha1", "sha1", "hex"),
    hashing("filesha256", "sha256", "hex"),
    hashing("filesha512", "sha512", "hex"),
    hashing("filebase64sha256", "sha256", "base64"),
    hashing("filebase64sha512", "sha512", "base64"),
    {
      name: "fileexists",
      params: [parameter("path", stringType)],
      returnType: boolType,
      call: ([path]) => {
        const found = exists(baseDirectory, text(path));
        return typeof found === "boolean" ? boolValue(found) : found;
      },
    },
    {
      name: "fileset",
      params: [parameter("path", stringType), parameter("pattern", stringType)],
      returnType: setOf(stringType),
      call: ([path, pattern]) => {
        const files = matchingFiles(resolve(baseDirectory, expandHome(text(path))), text(pattern));
        if (isFunctionError(files)) return { ...files, argument: 1 };
        return setValue(stringType, files.map(stringValue));
      },
    },
    stringFunction("abspath", ["path"], (path) => resolve(baseDirectory, path)),
    stringFunction("pathexpand", ["path"], expandHome),
    stringFunction("basename", ["path"], baseName),
    stringFunction("dirname", ["path"], directoryName),
  ];
}

/** Go's `filepath.Base`: of nothing it is ".", of the root "/". */
function baseName(path: string): string {
  return path === "" ? "." : posix.basename(path) || "/";
}

/** Go's `filepath.Dir`: what is before the last slash, tidied. */
function directoryName(path: string): string {
  const directory = posix.normalize(path.slice(0, path.lastIndexOf("/") + 1));
  return directory === "/" ? "/" : directory.replace(/\/$/, "");
}
