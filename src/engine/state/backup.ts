/**
 * @module The backup of a state file, made before it is written.
 */
import { replaceFile } from "../../files/replace-file.ts";

/** Keeps what was in a state file beside it, as readable for others as the file and no more. */
export const backUp = (path: string, content: string | Uint8Array): Promise<void> =>
  replaceFile(`${path}.backup`, content, { like: path, fresh: 0o600 });
