/**
 * @module The bytes of a file on the controller, for the host.
 */
import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { errorDiagnostic } from "../diagnostics/diagnostic.ts";
import type { LocalContent } from "../resources/operation.ts";
import { Failure } from "./context.ts";
import { reasonOf } from "./local-files.ts";

/** @throws Failure when the file cannot be read, or is not the one that was planned with any more */
export async function readLocal({ localPath, sha256 }: LocalContent): Promise<Buffer> {
  let content: Buffer;
  try {
    content = await readFile(localPath);
  } catch (error) {
    throw new Failure(
      errorDiagnostic("Local file cannot be read", `${localPath} on this machine: ${reasonOf(error)}.`),
    );
  }
  if (createHash("sha256").update(content).digest("hex") !== sha256) {
    throw new Failure(
      errorDiagnostic(
        "Local file has changed since the plan",
        `${localPath} on this machine is not the file that was planned with. Plan again.`,
      ),
    );
  }
  return content;
}
