import { describe, expect, test } from "vitest";
import type { Diagnostic } from "../../diagnostics/diagnostic.ts";
import type { Operation } from "../../resources/operation.ts";
import { script } from "../../script/script.ts";
import type { Runner, RunRequest, Session } from "../../ssh/session.ts";
import type { Failure } from "../context.ts";
import { scriptedSession } from "../testing/session.ts";
import { outwaitLeftRunning } from "./left-running.ts";

/** Says so many times that it runs. */
function busy(times: number, runner: Runner = "ours"): { session: Session; asked: RunRequest[][] } {
  const asked: RunRequest[][] = [];
  let left = times;
  return {
    asked,
    session: {
      ...scriptedSession(),
      async leftRunning(requests) {
        asked.push([...requests]);
        return left-- > 0 ? runner : undefined;
      },
    },
  };
}
const restart: Operation = {
  do: "script",
  script: script`systemctl restart web`,
  purpose: "restart the service web",
  own: true,
  work: "service web",
};
const outwait = async (
  session: Session,
  operations: readonly Operation[],
  stopping = new AbortController().signal,
) => {
  const notes: Diagnostic[] = [];
  const note = (warning: Diagnostic) => void notes.push(warning);
  const isLate = await outwaitLeftRunning(session, operations, {
    stopping,
    note,
    pause: async () => undefined,
  });
  return { isLate, notes };
};

describe("outwaitLeftRunning", () => {
  test("says what was waited for, and that it has to be looked at again", async () => {
    const { session, asked } = busy(3);
    const { isLate, notes } = await outwait(session, [restart]);
    expect(isLate).toBe(true);
    expect(asked).toHaveLength(4);
    expect(asked[0]).toEqual([
      { script: "systemctl restart web", ours: true, work: [], sharedWork: ["service web"] },
    ]);
    expect(notes).toMatchObject([
      { severity: "warning", detail: expect.stringContaining("(restart the service web)") },
    ]);
  });

  test("claims no interruption of what another project began", async () => {
    const { notes } = await outwait(busy(1, "others").session, [restart]);
    expect(notes).toMatchObject([{ summary: "Waited for a run of another project" }]);
    expect(notes[0]!.detail).not.toContain("interrupted");
  });

  test("asks nothing where nothing is run on a channel of its own", async () => {
    const { session, asked } = busy(9);
    const reboot: Operation = { ...restart, endsConnection: true };
    const short: Operation = { ...restart, own: false };
    expect(await outwait(session, [short, reboot])).toEqual({ isLate: false, notes: [] });
    expect(asked).toEqual([]);
  });

  test("does not outlast the work's own time limit by much", async () => {
    const { session } = busy(Number.POSITIVE_INFINITY);
    const failure = await outwait(session, [{ ...restart, timeout: -16 }]).catch((error: Failure) => error);
    expect(failure).toMatchObject({ diagnostic: { detail: expect.stringContaining("End it on the host") } });
  });

  test("ends when the run is asked to end", async () => {
    const failure = await outwait(busy(9).session, [restart], AbortSignal.abort()).catch(
      (error: Failure) => error,
    );
    expect(failure).toMatchObject({ diagnostic: { summary: "Stopped" } });
  });
});
