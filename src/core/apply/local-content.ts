/**
 * @module The bytes of a file on the controller, for the host: read while they are sent.
 */
import { createReadStream } from "node:fs";
import { readFile } from "node:fs/promises";
import { errorDiagnostic } from "../../diagnostics/diagnostic.ts";
import { systemErrorSentence } from "../../diagnostics/system-error.ts";
import { sizeOfRegular } from "../../files/read-regular.ts";
import type { LocalContent } from "../../resources/operation.ts";
import type { StreamedContent } from "../../ssh/index.ts";
import { Failure } from "../context.ts";
import { hashFile } from "../read/local-files.ts";

/** @throws Failure when the file cannot be read, or is not the one that was planned with any more */
export async function localContent({ localPath, sha256 }: LocalContent): Promise<Buffer | StreamedContent> {
  const { size, now } = await look(localPath);
  if (now !== sha256) {
    throw new Failure(
      errorDiagnostic(
        "Local file has changed since the plan",
        `${localPath} on this machine is not the file that was planned with. Plan again.`,
      ),
    );
  }
  return size <= largestWhole ? readFile(localPath) : { size, sha256, open: () => pieces(localPath) };
}

/** Bytes; smaller files travel with the script that puts them in place. */
const largestWhole = 32 * 1024;

async function* pieces(path: string): AsyncIterable<Buffer> {
  try {
    for await (const piece of createReadStream(path)) yield piece as Buffer;
  } catch (error) {
    throw unreadable(path, error);
  }
}

async function look(path: string): Promise<{ readonly size: number; readonly now: string }> {
  try {
    return { size: await sizeOfRegular(path), now: await hashFile(path) };
  } catch (error) {
    throw unreadable(path, error);
  }
}

const unreadable = (path: string, error: unknown): Failure =>
  new Failure(
    errorDiagnostic("Local file cannot be read", `${path} on this machine: ${systemErrorSentence(error)}`),
  );
