/**
 * @module Comma-separated values (RFC 4180), read as strictly as Go's `encoding/csv` does.
 */
import { type FunctionError, functionError } from "../function-definition.ts";

/** The records, empty lines left out; all of them must have as many fields as the first. */
export function parseCsv(source: string): readonly (readonly string[])[] | FunctionError {
  const records: string[][] = [];
  const field = /(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r?\n|$)/y;
  let record: string[] = [];
  let line = 1;
  for (let at = 0; at < source.length; ) {
    const emptyLine = record.length === 0 ? /^\r?\n/.exec(source.slice(at, at + 2)) : null;
    if (emptyLine !== null) {
      at += emptyLine[0].length;
      line++;
      continue;
    }
    field.lastIndex = at;
    const match = field.exec(source);
    if (match === null)
      return functionError(`CSV parse error on line ${line}: bare or extraneous " in a field`);
    const [found, quoted, plain = "", end = ""] = match;
    record.push(quoted === undefined ? plain : quoted.replaceAll('""', '"').replaceAll("\r\n", "\n"));
    at += found.length;
    const last = end !== "," || at === source.length;
    if (end === "," && at === source.length) record.push("");
    if (!last) continue;
    if (records[0] !== undefined && records[0].length !== record.length) {
      return functionError(`CSV parse error on line ${line}: wrong number of fields`);
    }
    line += found.split("\n").length - 1;
    records.push(record);
    record = [];
  }
  return records;
}
