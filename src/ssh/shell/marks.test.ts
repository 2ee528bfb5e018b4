import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createMarkReader } from "./marks.ts";

const token = "conn3x-0011aabb";

/** What a reader makes of `stream`, cut into pieces of the given lengths (the rest in one). */
function read(stream: Buffer, pieces: readonly number[]): { marks: [string, string][]; rest: string } {
  const marks: [string, string][] = [];
  const reader = createMarkReader(token, (content, label) => marks.push([content.toString("latin1"), label]));
  let at = 0;
  for (const length of pieces) {
    reader.push(stream.subarray(at, at + length));
    at += length;
  }
  reader.push(stream.subarray(at));
  return { marks, rest: reader.rest().toString("latin1") };
}

describe("createMarkReader", () => {
  it("gives the bytes before a mark exactly, with or without a final newline", () => {
    const stream = Buffer.from(
      `${token}-b1\na\0b${token}-e1-0\n${token}-b2\nx\n\n${token}-e2-3\nlate`,
      "latin1",
    );
    expect(read(stream, [])).toEqual({
      marks: [
        ["", "-b1"],
        ["a\0b", "-e1-0"],
        ["", "-b2"],
        ["x\n\n", "-e2-3"],
      ],
      rest: "late",
    });
  });

  it("drops the carriage return of a terminal from the label, not from the content", () => {
    expect(read(Buffer.from(`a\r\n${token}\r\n`), [])).toEqual({ marks: [["a\r\n", ""]], rest: "" });
  });

  it("keeps the beginning of a token that is none", () => {
    expect(read(Buffer.from("conn3x-0011aab!"), [7, 7])).toEqual({ marks: [], rest: "conn3x-0011aab!" });
  });

  it("does not depend on how the stream is cut", () => {
    const content = fc.oneof(
      fc.uint8Array({ maxLength: 40 }).map((bytes) => Buffer.from(bytes).toString("latin1")),
      fc.constantFrom("conn3x-", "conn3x-0011aab", "\n", "conn3x-conn3x-0011", ""),
    );
    fc.assert(
      fc.property(fc.array(content, { maxLength: 6 }), fc.array(fc.nat({ max: 20 })), (contents, pieces) => {
        const stream = contents.map((text, i) => `${text}${token}-e${i}-0\n`).join("");
        expect(read(Buffer.from(stream, "latin1"), pieces)).toEqual({
          marks: contents.map((text, i) => [text, `-e${i}-0`]),
          rest: "",
        });
      }),
    );
  });
});
