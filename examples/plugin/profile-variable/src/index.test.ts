import type { StepKind } from "conn3x/kind";
import { demoStage, lifecycleSuite } from "conn3x/kind/testing";
import { expect, test } from "vitest";
import { kinds } from "./index.ts";

const kind = kinds[0] as StepKind<{ readonly text: string }>;
const editor = { name: "EDITOR", value: "it's vim" };

test("what a host answers becomes facts, whatever is in the files", () => {
  const paths = ["/a", "/b", "/c"];
  expect(kind.facts.parse(Buffer.from("8\nA=1\nB=2\n-\n0\n"), paths)).toEqual([
    { state: "present", facts: { text: "A=1\nB=2\n" } },
    { state: "absent" },
    { state: "present", facts: { text: "" } },
  ]);
  expect(() => kind.facts.parse(Buffer.from("what?\n"), ["/a"])).toThrow("does not say how long");
});

test("a value is written for the shell as it is, once", () => {
  const [put] = kind.operate(editor, { state: "absent" });
  expect(put).toMatchObject({
    do: "put",
    path: "/etc/profile.d/conn3x-EDITOR.sh",
    content: Buffer.from("export EDITOR='it'\\''s vim'\n"),
  });
  expect(
    kind.operate(editor, { state: "present", facts: { text: "export EDITOR='it'\\''s vim'\n" } }),
  ).toEqual([]);
});

// On a host in this process: created, drifted, repaired, replaced, removed, with every rule of the engines.
lifecycleSuite(
  demoStage(),
  [
    {
      type: "conn3x_profile_variable",
      settings: (root) => ({ name: "EDITOR", value: "vim", directory: root }),
      known: "name",
      edited: (root) => ({ name: "EDITOR", value: "nano", directory: root }),
      another: (root) => ({ name: "PAGER", value: "less", directory: root }),
      drift: { script: (root) => `echo "export EDITOR=ed" >${root}/conn3x-EDITOR.sh`, paths: ["value"] },
      proof: (root) => `[ "$(. ${root}/conn3x-EDITOR.sh && echo "$EDITOR")" = vim ]`,
      vanish: (root) => `rm ${root}/conn3x-EDITOR.sh`,
    },
  ],
  kinds,
);
