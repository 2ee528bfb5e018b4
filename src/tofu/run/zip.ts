/**
 * @module Plan files of an engine as zip archives: reads and adds entries.
 */
import type AdmZip from "adm-zip";

function open(file: Buffer): AdmZip | undefined {
  // Not imported, so that only what has a plan file in hand loads the library.
  const Archive: typeof import("adm-zip") = require("adm-zip");
  try {
    const archive = new Archive(file);
    // Reads the list of entries, which a file that was cut off does not have.
    archive.getEntries();
    return archive;
  } catch {
    return undefined;
  }
}

export const isZip = (file: Buffer): boolean => open(file) !== undefined;

/** No entry that we wrote is as long: a small file can unpack to gigabytes. Bytes. */
const longestEntry = 256 * 2 ** 20;

/** @returns the content; undefined when the entry is missing, damaged or far too long */
export function zipEntry(file: Buffer, name: string): Buffer | undefined {
  try {
    const entry = open(file)?.getEntry(name);
    return entry == null || entry.header.size > longestEntry ? undefined : entry.getData();
  } catch {
    return undefined;
  }
}

/**
 * @param name of no entry that is there
 * @returns the file with one more entry, the others as they were; undefined for what is no archive
 */
export function withZipEntry(file: Buffer, name: string, content: Buffer): Buffer | undefined {
  const archive = open(file);
  if (archive === undefined) return undefined;
  // The first day that there is: equal plans make equal entries.
  archive.addFile(name, content).header.time = new Date(1980, 0, 1);
  return archive.toBuffer();
}
