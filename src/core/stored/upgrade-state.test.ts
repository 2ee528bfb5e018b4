/** What an older Conn3x has stored is what today's would have. */
import { expect, test } from "vitest";
import { kinds } from "../../resources/index.ts";
import { at } from "../../values/path.ts";
import { getPath } from "../../values/walk.ts";
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

test.each<[string, object, string]>([
  ["a required setting is null", { path: null }, "path is required, and its value here is null."],
  ["a required setting is missing", { path: undefined }, "path is required, and its value here is null."],
  ["text has NUL", { path: "/a\0b" }, "path must not have the character NUL (\\u0000) in it."],
  ["a number is none to reckon with", { ssh: { port: 1e300 } }, "ssh.port is too large a number."],
  [
    "a hop has no address",
    { ssh: { bastion: [{}] } },
    "ssh.bastion[0].address is required, and its value here is null.",
  ],
])("an object is refused where %s", (_, changes, why) => {
  const { schema } = kinds.get("conn3x_file")!;
  const stored = JSON.stringify({ path: "/a", content: "a\0b", sha256: "\0", ...changes });
  const { value, diagnostics } = upgradeState("conn3x_file", schema, schema.version, stored);
  expect(value).toBeUndefined();
  expect(diagnostics.map(({ detail }) => detail)).toEqual([`${why} Restore the state from its backup.`]);
});

test("what a host or a command has answered may be anything, and so may content", () => {
  expect(upgraded("conn3x_file", 0, { path: "/a", content: "a\0b", sha256: "\0" })("content")).toBe("a\0b");
  expect(upgraded("conn3x_command", 0, { run: "x", stdout: "\0" })("stdout")).toBe("\0");
});
