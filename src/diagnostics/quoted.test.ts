import { expect, it } from "vitest";
import { quoted } from "./quoted.ts";

it.each([
  ["web1", '"web1"'],
  ["größe", '"größe"'],
  ["🙂", '"🙂"'],
  ['a"b\\c', '"a\\"b\\\\c"'],
  ["a\nb\r\tc", '"a\\nb\\r\\tc"'],
  ["\u001b[2J\u007f\u0085", '"\\u001b[2J\\u007f\\u0085"'],
  ["\u202eabc\u2066\ufeff", '"\\u202eabc\\u2066\\ufeff"'],
  ["\u200ea\u2028\u200b", '"\\u200ea\\u2028\\u200b"'],
  ["👩‍🚀", '"👩‍🚀"'],
  ["\ud83d", '"\\ud83d"'],
])("%j is shown as %s", (text, shown) => {
  expect(quoted(text)).toBe(shown);
});
