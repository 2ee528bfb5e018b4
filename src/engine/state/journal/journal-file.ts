/**
 * @module The journal as an open file: lines are appended wholly or not at all, and made durable for all who wait.
 */
import { closeSync, fdatasync, fstatSync, ftruncateSync, openSync, writeSync } from "node:fs";
import { dirname } from "node:path";
import { promisify } from "node:util";
import { syncDirectory } from "../../../files/replace-file.ts";

const syncData = promisify(fdatasync);

export class JournalFile {
  readonly #path: string;
  readonly #file: number;
  /** Up to the end of the last whole line. */
  #length: number;
  /** Whether more than that may be there: half a line that could not be taken back. */
  #torn = false;
  /** Whether the file's name is durable. */
  #named = false;
  #flushing: Promise<void> = Promise.resolve();
  /** The flush that begins when that one has ended. */
  #next: Promise<void> | undefined;

  /** Makes the file if there is none. @throws the file system's error */
  constructor(path: string) {
    this.#path = path;
    this.#file = openSync(path, "a", 0o600);
    this.#length = fstatSync(this.#file).size;
  }

  /** @param lines with their line ends @throws the file system's error; nothing of them is then there */
  append(lines: string): void {
    if (this.#torn) ftruncateSync(this.#file, this.#length);
    this.#torn = true;
    try {
      this.#length += writeAll(this.#file, lines);
    } catch (error) {
      ftruncateSync(this.#file, this.#length);
      this.#torn = false;
      throw error;
    }
    this.#torn = false;
  }

  /**
   * Resolves when everything appended so far survives a power failure. All who begin to wait while a flush is under way
   * share the next one.
   */
  durable(): Promise<void> {
    this.#next ??= this.#flushing
      .catch(() => undefined)
      .then(() => {
        this.#next = undefined;
        this.#flushing = this.#flush();
        return this.#flushing;
      });
    return this.#next;
  }

  async #flush(): Promise<void> {
    await syncData(this.#file);
    // Once: a file whose name is lost is lost too.
    if (!this.#named) await syncDirectory(dirname(this.#path));
    this.#named = true;
  }

  async close(): Promise<void> {
    await (this.#next ?? this.#flushing).catch(() => undefined);
    closeSync(this.#file);
  }
}

/** @returns how many bytes it was */
function writeAll(file: number, text: string): number {
  const bytes = Buffer.from(text);
  let written = 0;
  while (written < bytes.length) written += writeSync(file, bytes, written);
  return written;
}
