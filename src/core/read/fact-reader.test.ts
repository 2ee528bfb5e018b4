import { describe, expect, test } from "vitest";
import { AnswerError, type Closer, type StepKind } from "../../resources/kind.ts";
import { hostResource } from "../../resources/settings.ts";
import { raw, script } from "../../script/script.ts";
import { HostError } from "../../ssh/host-error.ts";
import { scriptedSession } from "../testing/session.ts";
import { createFactReader } from "./fact-reader.ts";

/** Facts are the words of the answer, one for each subject. */
function kindOf(closer?: Closer<string>): StepKind<string> {
  return {
    role: "step",
    name: "word",
    type: "conn3x_word",
    schema: hostResource("A word", {}),
    id: { from: ["name"], of: ({ name }) => String(name) },
    facts: {
      subject: ({ name }) => String(name),
      ask: (names) => script`words ${names}`,
      parse(stdout, names) {
        const words = stdout.toString().trim().split(" ");
        if (words.length !== names.length) throw new AnswerError("another number of words");
        return words.map((facts) => ({ state: "present", facts }));
      },
    },
    ...(closer === undefined ? {} : { closer }),
    observe: (_, object) => object,
    operate: () => [],
    remove: () => [],
  };
}

const read = (
  session: ReturnType<typeof scriptedSession>,
  kind: StepKind<string>,
  ...names: readonly string[]
) => {
  const reader = createFactReader();
  return Promise.all(names.map((name) => reader.read(session, kind, { name }, "refresh")));
};

describe("createFactReader", () => {
  test("asks one question about all that is wanted in one turn, equal subjects once", async () => {
    const session = scriptedSession([{ stdout: "A B" }]);
    const found = await read(session, kindOf(), "a", "b", "a");
    expect(found).toEqual(["A", "B", "A"].map((facts) => ({ state: "present", facts })));
    expect(session.log).toEqual(["ask words a b"]);
  });

  // What is made of it ends the sentence itself.
  test.each(["", ".", "...", "… .", " "])(
    "one that spoils the answer is alone unreadable, with what the host complained of (%j)",
    async (end) => {
      const replies = [
        { stdout: "A" },
        { stdout: "A" },
        { stdout: "B B", stderr: `words: b is two${end}\nmore` },
      ];
      const found = await read(scriptedSession(replies), kindOf(), "a", "b");
      expect(found).toEqual([
        { state: "present", facts: "A" },
        { state: "unreadable", why: "could not be looked at: words: b is two" },
      ]);
    },
  );

  test.each(["lost", "unreachable", "timeout", "too_much"] as const)(
    "a host that fails as a whole (%s) is not asked object by object",
    async (code) => {
      const failure = new HostError(code, "web1", "it is away", "", true);
      const session = scriptedSession([failure]);
      await expect(read(session, kindOf(), "a", "b")).rejects.toBe(failure);
      expect(session.log).toHaveLength(1);
    },
  );

  test("an empty question is not asked", async () => {
    const session = scriptedSession();
    const kind = kindOf();
    const silent = {
      ...kind,
      facts: { ...kind.facts, ask: () => raw(""), parse: () => [{ state: "absent" } as const] },
    };
    expect(await read(session, silent, "a")).toEqual([{ state: "absent" }]);
    expect(session.log).toEqual([]);
  });

  test("looks closer where the facts call for it", async () => {
    const session = scriptedSession([{ stdout: "A B" }, { stdout: "closer" }]);
    const closer: Closer<string> = {
      ask: (facts) => (facts === "B" ? { ask: "command", script: "look" } : undefined),
      parse: ({ stdout }) => stdout.toString(),
    };
    const found = await read(session, kindOf(closer), "a", "b");
    expect(found).toMatchObject([{ facts: "A" }, { facts: "closer" }]);
    expect(session.log[1]).toBe("run look");
  });

  test("a closer look that takes too long is no fact", async () => {
    const closer: Closer<string> = {
      ask: () => ({ ask: "command", script: "look" }),
      parse: () => "closer",
    };
    const slow = new HostError("timeout", "web1", "it took longer than 2 s", "", true);
    const found = await read(scriptedSession([{ stdout: "A" }, slow]), kindOf(closer), "a");
    expect(found).toMatchObject([{ state: "unreadable", why: expect.stringContaining("2 s") }]);
  });

  test("a closer look that tells nothing is no fact", async () => {
    const closer: Closer<string> = {
      ask: () => ({ ask: "script", script: script`look` }),
      parse: () => {
        throw new AnswerError("did not tell");
      },
    };
    const found = await read(scriptedSession([{ stdout: "A" }]), kindOf(closer), "a");
    expect(found).toEqual([{ state: "unreadable", why: "did not tell" }]);
  });
});
