/**
 * @module The text of a state file. An empty one is no state yet: OpenTofu makes it when it takes the lock. But where a
 * state was stored before, it is what a failing disk has left of that.
 */
import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { type Diagnostic, errorDiagnostic } from "../../diagnostics/diagnostic.ts";
import { readRegular } from "../../files/read-regular.ts";

export type StateFileText =
  | { readonly text: string | undefined; readonly problem?: undefined }
  | { readonly text?: undefined; readonly problem: Diagnostic };

/**
 * @returns the text; undefined when there is no file
 * @throws the file system's error when it cannot be read
 */
export async function stateFileText(path: string): Promise<StateFileText> {
  const text = await textIfThere(path);
  if (text === undefined || text.trim() !== "") return { text };
  const backup = await textIfThere(`${path}.backup`);
  return backup === undefined || backup.trim() === "" ? { text } : { problem: emptied(path) };
}

/** SHA-256 of a file's content; undefined when the file is missing or empty. */
export async function hashIfThere(path: string): Promise<string | undefined> {
  const hash = createHash("sha256");
  let isEmpty = true;
  try {
    for await (const chunk of createReadStream(path)) {
      hash.update(chunk);
      isEmpty = false;
    }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw error;
  }
  return isEmpty ? undefined : hash.digest("hex");
}

/** Undefined when the file does not exist. */
export async function textIfThere(path: string): Promise<string | undefined> {
  try {
    return (await readRegular(path)).toString("utf8");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw error;
  }
}

const emptied = (path: string): Diagnostic =>
  errorDiagnostic(
    "State file is empty",
    `${path} holds nothing, and ${path}.backup beside it holds a state: the disk was full or failed, or something else has emptied the file. Taken for no state, everything would be made anew. ` +
      `Put the backup back (cp ${path}.backup ${path}) and let the next plan find out what has changed since; or, to begin without a state, remove both. (OpenTofu takes an empty file for no state.) Nothing was touched.`,
  );
