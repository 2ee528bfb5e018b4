import { expect, test } from "vitest";
import { quote } from "./quote.ts";

test.each([
  ["", '""'],
  ["a b", '"a b"'],
  ['\n\r\t"\\', '"\\n\\r\\t\\"\\\\"'],
  ["${a} %{b}", '"$${a} %%{b}"'],
  ["$${a}", '"$$${a}"'],
  ["$ $a $$ % 100%", '"$ $a $$ % 100%"'],
  ["é 漢 😀", '"é 漢 😀"'],
  ["\0\x1b\x7f", '"\\u0000\\u001b\\u007f"'],
  ["\u00a0\u2028\ufeff", '"\\u00a0\\u2028\\ufeff"'],
  ["\u{e0001}", '"\\U000e0001"'],
  ["\ud800", '"\ufffd"'],
])("%j", (value, wanted) => {
  expect(quote(value)).toBe(wanted);
});
