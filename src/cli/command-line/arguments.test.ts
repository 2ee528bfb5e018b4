import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { normalizeArguments } from "./arguments.ts";

const spellings = {
  flags: new Set(["auto-approve", "refresh", "json"]),
  values: new Set(["var", "state", "chdir"]),
};
const normal = (...argv: string[]) => normalizeArguments(argv, spellings);

describe("normalizeArguments", () => {
  it.each<[string[], string[]]>([
    [
      ["plan", "-auto-approve"],
      ["plan", "--auto-approve=true"],
    ],
    [
      ["plan", "--auto-approve"],
      ["plan", "--auto-approve=true"],
    ],
    [["-refresh=false"], ["--refresh=false"]],
    [["-var", "a=b"], ["--var=a=b"]],
    [["-var=a=b"], ["--var=a=b"]],
    [["--var", "a=b"], ["--var=a=b"]],
    [["-var", "-auto-approve"], ["--var=-auto-approve"]],
    [["-var", "a=\n-json"], ["--var=a=\n-json"]],
    [["-var="], ["--var="]],
    [
      ["-chdir=x", "plan"],
      ["--chdir=x", "plan"],
    ],
    [["-var"], ["--var"]],
    [
      ["-unknown", "x"],
      ["--unknown", "x"],
    ],
    [["-unknown=y"], ["--unknown=y"]],
    [["-h"], ["-h"]],
    [["-"], ["-"]],
    [
      ["plan", "--", "-json"],
      ["plan", "--", "-json"],
    ],
    [
      ["a-b", "-1"],
      ["a-b", "-1"],
    ],
  ])("%j → %j", (given, expected) => {
    expect(normal(...given)).toEqual(expected);
  });

  it("leaves alone what is normal already, and never loses an argument's text", () => {
    const argument = fc.oneof(
      fc.constantFrom("-var", "--var", "-json", "--refresh=false", "--", "plan", "-h", "-x=y", "-state=a b"),
      fc.string(),
    );
    fc.assert(
      fc.property(fc.array(argument), (argv) => {
        const once = normal(...argv);
        expect(normal(...once)).toEqual(once);
        const bare = (all: readonly string[]) => all.join("").replaceAll(/=true|[-=]/g, "");
        expect(bare(once)).toBe(bare(argv));
      }),
    );
  });
});
