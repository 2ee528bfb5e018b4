/** What an older Conn3x has stored is what today's would have. */
import { expect, test } from "vitest";
import { kinds } from "../resources/index.ts";
import { at } from "../values/path.ts";
import { getPath } from "../values/walk.ts";
import { upgradeState } from "./upgrade-state.ts";

const upgraded = (type: string, version: number, stored: object) => {
  const { value } = upgradeState(type, kinds.get(type)!.schema, version, JSON.stringify(stored));
  return (name: string) => getPath(value!, at(name))?.data;
};

test("a line that was called by its text is called by the digest of that", () => {
  const path = "/etc/app.conf";
  const line = "password = hunter2";
  // printf 'password = hunter2' | sha256sum | cut -c 1-12
  const id = `${path}:7315f4ef0c7f`;
  const read = (version: number, stored: object) => {
    const of = upgraded("conn3x_line", version, { path, ...stored });
    return [of("id"), of("line")];
  };
  expect(read(0, { line, id: `${path}:${line}` })).toEqual([id, line]);
  // Somebody else has edited it since: it is the same line.
  expect(read(0, { line: "theirs", id: `${path}:${line}` })).toEqual([id, "theirs"]);
  expect(read(0, { line, regexp: "^p", id: `${path}:^p` })).toEqual([`${path}:^p`, line]);
  expect(read(0, { id: path })).toEqual([path, null]);
  expect(read(1, { line, id })).toEqual([id, line]);
});
