import { expect, test } from "vitest";
import { withoutHost } from "./fold.ts";

test.each([
  ['conn3x_file.web__a["h1"]', "conn3x_file.web__a"],
  ['conn3x_file.web__a["h1/sp ace"]', "conn3x_file.web__a (sp ace)"],
  ['conn3x_file.web__a["h1/two\\nlines"]', 'conn3x_file.web__a ("two\\nlines")'],
  ['conn3x_file.web__a["h2/x"]', 'conn3x_file.web__a["h2/x"]'],
])("%s without its host stays on one line", (address, expected) => {
  expect(withoutHost("h1")(address)).toBe(expected);
});
