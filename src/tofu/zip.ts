/**
 * @module As much of ZIP files as a plan file takes: finding one entry by its name, and adding one at the end. What is
 * there already stays byte for byte.
 * Source: PKWARE's APPNOTE.TXT 6.3, sections 4.3.7, 4.3.12 and 4.3.16. ZIP64 is not read: no plan file is that large.
 */
import { crc32, deflateRawSync, inflateRawSync } from "node:zlib";

const localHeader = { signature: 0x04034b50, size: 30 };
const centralHeader = { signature: 0x02014b50, size: 46 };
const endRecord = { signature: 0x06054b50, size: 22 };
const longestComment = 0xffff;

const stored = 0;
const deflated = 8;
/** What takes deflate: version 2.0 of the format. */
const neededVersion = 20;

/** Where the list of entries is, which is the last thing in the file. */
interface Directory {
  readonly entries: number;
  readonly start: number;
  readonly end: number;
  /** Of the record that says so. */
  readonly record: number;
}

function directoryOf(file: Buffer): Directory | undefined {
  const lowest = Math.max(0, file.length - endRecord.size - longestComment);
  for (let record = file.length - endRecord.size; record >= lowest; record--) {
    if (file.readUInt32LE(record) !== endRecord.signature) continue;
    const start = file.readUInt32LE(record + 16);
    const end = start + file.readUInt32LE(record + 12);
    return end <= record ? { entries: file.readUInt16LE(record + 10), start, end, record } : undefined;
  }
  return undefined;
}

export const isZip = (file: Buffer): boolean => directoryOf(file) !== undefined;

/** @returns the content; undefined where there is no such entry, or where it is damaged */
export function zipEntry(file: Buffer, name: string): Buffer | undefined {
  const directory = directoryOf(file);
  if (directory === undefined) return undefined;
  let at = directory.start;
  for (let entry = 0; entry < directory.entries && at + centralHeader.size <= directory.end; entry++) {
    if (file.readUInt32LE(at) !== centralHeader.signature) return undefined;
    const names = at + centralHeader.size;
    const nameLength = file.readUInt16LE(at + 28);
    if (file.toString("utf8", names, names + nameLength) === name) return contentOf(file, at);
    at = names + nameLength + file.readUInt16LE(at + 30) + file.readUInt16LE(at + 32);
  }
  return undefined;
}

function contentOf(file: Buffer, central: number): Buffer | undefined {
  const local = file.readUInt32LE(central + 42);
  if (local + localHeader.size > file.length || file.readUInt32LE(local) !== localHeader.signature)
    return undefined;
  const start = local + localHeader.size + file.readUInt16LE(local + 26) + file.readUInt16LE(local + 28);
  const data = file.subarray(start, start + file.readUInt32LE(central + 20));
  const method = file.readUInt16LE(central + 10);
  try {
    const content = method === stored ? data : method === deflated ? inflateRawSync(data) : undefined;
    return content !== undefined && crc32(content) === file.readUInt32LE(central + 16) ? content : undefined;
  } catch {
    return undefined;
  }
}

/**
 * @param name in ASCII, of no entry that is there
 * @returns the file with one more entry; undefined for what is no ZIP file
 */
export function withZipEntry(file: Buffer, name: string, content: Buffer): Buffer | undefined {
  const directory = directoryOf(file);
  if (directory === undefined) return undefined;
  const data = deflateRawSync(content);
  const common = commonFields(name, content, data);
  const local = Buffer.alloc(4);
  local.writeUInt32LE(localHeader.signature);
  const central = Buffer.alloc(centralHeader.size);
  central.writeUInt32LE(centralHeader.signature, 0);
  central.writeUInt16LE(neededVersion, 4);
  common.copy(central, 6);
  // Of the fields between, comment, disk and attributes, none is set.
  central.writeUInt32LE(directory.start, 42);
  const added = Buffer.concat([local, common, Buffer.from(name, "ascii"), data]);
  const list = Buffer.concat([
    file.subarray(directory.start, directory.end),
    central,
    Buffer.from(name, "ascii"),
  ]);
  const record = Buffer.from(file.subarray(directory.record));
  record.writeUInt16LE(directory.entries + 1, 8);
  record.writeUInt16LE(directory.entries + 1, 10);
  record.writeUInt32LE(list.length, 12);
  record.writeUInt32LE(directory.start + added.length, 16);
  return Buffer.concat([file.subarray(0, directory.start), added, list, record]);
}

/** The fields that both headers have, from the version on. */
function commonFields(name: string, content: Buffer, data: Buffer): Buffer {
  const fields = Buffer.alloc(localHeader.size - 4);
  fields.writeUInt16LE(neededVersion, 0);
  fields.writeUInt16LE(deflated, 4);
  // 1980-01-01, the first day that there is: equal plans make equal entries.
  fields.writeUInt16LE(0x21, 8);
  fields.writeUInt32LE(crc32(content), 10);
  fields.writeUInt32LE(data.length, 14);
  fields.writeUInt32LE(content.length, 18);
  fields.writeUInt16LE(name.length, 22);
  return fields;
}
