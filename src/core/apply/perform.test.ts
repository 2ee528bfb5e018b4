import { createHash } from "node:crypto";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { CommandOperation, Operation, ScriptOperation } from "../../resources/operation.ts";
import { script } from "../../script/script.ts";
import { HostError } from "../../ssh/host-error.ts";
import { Failure } from "../context.ts";
import { hostError } from "../hosts/host-diagnostics.ts";
import { scriptedSession } from "../testing/session.ts";
import { perform } from "./perform.ts";

const operation = (more: Partial<ScriptOperation> = {}): ScriptOperation => ({
  do: "script",
  script: script`mkdir /srv`,
  purpose: "make the directory /srv",
  own: false,
  ...more,
});
const command = (more: Partial<CommandOperation> = {}): CommandOperation => ({
  do: "command",
  script: "app migrate",
  purpose: "run the command",
  written: "app migrate",
  accept: [0],
  shown: (output) => output.replace("secret", "(secret)"),
  ...more,
});
const detailOf = (work: Promise<unknown>): Promise<string> =>
  work.then(
    () => expect.fail("a failure was expected"),
    (error: unknown) => (error instanceof Failure ? error.diagnostic.detail : String(error)),
  );

describe("perform", () => {
  test("carries operations out in order, ours in the fact shell, long ones and the user's apart", async () => {
    const session = scriptedSession([{}, {}, { stdout: "done" }]);
    const progress = { done: 0 };
    const answers = await perform(session, [operation(), operation({ own: true }), command()], progress);
    expect(session.log).toEqual(["act mkdir /srv", "run mkdir /srv", "run app migrate"]);
    expect(progress.done).toBe(3);
    expect(answers.map(({ stdout }) => stdout.toString())).toEqual(["", "", "done"]);
  });

  test("tells when the last one is under way in the fact shell, and of none that has a channel of its own", async () => {
    const session = scriptedSession();
    const queued: string[][] = [];
    const note = () => queued.push([...session.log]);
    await perform(session, [operation({ own: true }), operation(), operation()], { done: 0 }, note);
    expect(queued).toEqual([["run mkdir /srv", "act mkdir /srv", "act mkdir /srv"]]);
    await perform(session, [operation(), operation({ own: true })], { done: 0 }, note);
    await perform(session, [operation(), command()], { done: 0 }, note);
    expect(queued).toHaveLength(1);
  });

  test("stops at the first failure and knows how far it came", async () => {
    const session = scriptedSession([{}, { status: 1, stderr: "mkdir: no space\n" }]);
    const progress = { done: 0 };
    const work = perform(session, [operation(), operation({ advice: "Free some." }), operation()], progress);
    expect(await detailOf(work)).toBe(
      "192.0.2.1: could not make the directory /srv: status 1, and it said:\n  mkdir: no space\nFree some.",
    );
    expect(progress.done).toBe(1);
    expect(session.log).toHaveLength(2);
  });

  test("nothing is done after a refusal", async () => {
    const session = scriptedSession();
    const refusal: Operation = { do: "refuse", summary: "No", detail: "It cannot be." };
    expect(await detailOf(perform(session, [refusal, operation()], { done: 0 }))).toBe("It cannot be.");
    expect(session.log).toEqual([]);
  });

  test("a command's output is shown as the kind lets it, its end where it is long", async () => {
    const long = Array.from({ length: 30 }, (_, i) => `line ${i}`).join("\n");
    const session = scriptedSession([
      { status: 3, stdout: "the secret" },
      { status: 3, stderr: long },
    ]);
    expect(await detailOf(perform(session, [command()], { done: 0 }))).toContain("the (secret)");
    const detail = await detailOf(perform(session, [command()], { done: 0 }));
    expect(detail).toMatch(/said:\n {2}…\n {2}line 10\n/);
    expect(detail).toMatch(/line 29$/);
  });

  test("what is said about sensitive settings is not shown, whatever says it", async () => {
    const said = { status: 3, stderr: "s3cr3t" };
    const invalid = new HostError("invalid", "web1", "did not pass check s3cr3t", "It said:\ns3cr3t");
    const put: Operation = { do: "put", path: "/f", content: Buffer.from("s3cr3t"), follow: true };
    const wait: Operation = {
      do: "wait",
      question: { ask: "command", script: "app ready" },
      interval: 1,
      timeout: 0,
      purpose: "the command to succeed",
    };
    for (const [one, reply] of [
      [operation(), said],
      [command(), said],
      [wait, said],
      [put, invalid],
    ] as const) {
      const work = () => perform(scriptedSession([reply]), [one], { done: 0, isQuiet: true });
      const failure = await work().catch((error: unknown) => error);
      const detail =
        failure instanceof Failure ? failure.diagnostic.detail : hostError(failure as HostError).detail;
      expect(detail).toMatch(/192\.0\.2\.1|web1/);
      expect(detail).not.toContain("s3cr3t");
    }
  });

  test("another status than 0 may be fine", async () => {
    const session = scriptedSession([{ status: 2 }]);
    const [answer] = await perform(session, [command({ accept: [0, 2] })], { done: 0 });
    expect(answer?.status).toBe(2);
  });

  test.each([
    ["lost", true, "fine"],
    ["timeout", true, "fine"],
    ["lost", false, "a failure"],
    ["unreachable", false, "a failure"],
  ] as const)("a connection %s (begun: %s) is %s where the host goes away", async (code, begun, verdict) => {
    const error = new HostError(code, "web1", "gone", "", begun);
    const work = perform(scriptedSession([error]), [operation({ own: true, endsConnection: true })], {
      done: 0,
    });
    if (verdict === "fine") await work;
    else await expect(work).rejects.toBe(error);
  });
});

describe("put", () => {
  let directory: string;
  beforeAll(() => {
    directory = mkdtempSync(join(tmpdir(), "conn3x-perform-"));
    writeFileSync(join(directory, "file"), "bytes");
  });
  afterAll(() => rmSync(directory, { recursive: true, force: true }));
  const put = (localPath: string, content: string): Operation => ({
    do: "put",
    path: "/srv/file",
    content: { localPath, sha256: createHash("sha256").update(content).digest("hex") },
    follow: true,
  });

  test("sends a local file that is still the one that was planned with", async () => {
    const session = scriptedSession();
    await perform(session, [put(join(directory, "file"), "bytes")], { done: 0 });
    expect(session.log).toEqual(["put /srv/file bytes"]);
  });
  test("reads a large one only while it is sent", async () => {
    const content = "x".repeat(1_000_000);
    writeFileSync(join(directory, "large"), content);
    const session = scriptedSession();
    await perform(session, [put(join(directory, "large"), content)], { done: 0 });
    expect(session.log).toEqual(["put /srv/file 1000000 bytes"]);
  });
  test("sends no other", async () => {
    const session = scriptedSession();
    const work = perform(session, [put(join(directory, "file"), "planned")], { done: 0 });
    expect(await detailOf(work)).toContain("Plan again");
    expect(await detailOf(perform(session, [put(join(directory, "gone"), "")], { done: 0 }))).toContain(
      "no such file",
    );
    expect(session.log).toEqual([]);
  });
});
