import { afterEach, describe, expect, test, vi } from "vitest";
import type { WaitOperation } from "../../resources/operation.ts";
import { script } from "../../script/script.ts";
import { HostError } from "../../ssh/host-error.ts";
import { Failure } from "../context.ts";
import { scriptedSession } from "../testing/session.ts";
import { waitFor } from "./wait-for.ts";

const operation = (more: Partial<WaitOperation> = {}): WaitOperation => ({
  do: "wait",
  question: { ask: "script", script: script`test -e /srv/ready` },
  interval: 0.01,
  timeout: 5,
  purpose: "/srv/ready to exist",
  ...more,
});
const failing = { status: 1, stderr: "not yet" };
const at = (code: ConstructorParameters<typeof HostError>[0]) => new HostError(code, "web1", `it is ${code}`);

function waiting(stopAfter = Number.POSITIVE_INFINITY) {
  const slept: number[] = [];
  const stop = new AbortController();
  return {
    slept,
    stopping: stop.signal,
    pause: async (milliseconds: number) => {
      if (slept.push(milliseconds) >= stopAfter) stop.abort();
    },
  };
}

describe("waitFor", () => {
  afterEach(() => {
    vi.restoreAllMocks();
  });

  test("asks until the answer is yes, and gives it", async () => {
    const time = waiting();
    const session = scriptedSession([failing, failing, { stdout: "here" }]);
    const answer = await waitFor(session, operation(), time);
    expect(answer.stdout.toString()).toBe("here");
    expect(time.slept).toEqual([10, 10]);
    expect(session.log).toHaveLength(3);
  });

  test("tells what was seen last when the time is over", async () => {
    const work = waitFor(
      scriptedSession([failing]),
      operation({ timeout: 0, advice: "Look there." }),
      waiting(),
    );
    const failure = await work.catch((error: unknown) => error);
    expect((failure as Failure).diagnostic.detail).toBe(
      "192.0.2.1: waited 0 s for /srv/ready to exist.\nLast seen: not yet\nLook there.",
    );
  });

  test.each([
    [60, 60, 2],
    [600, 60, 2],
    [0.02, 0.05, 4],
  ])(
    "looks for the last time when the time is over: interval %s, timeout %s",
    async (interval, timeout, looks) => {
      const session = scriptedSession(Array(looks).fill(failing));
      let now = 0;
      vi.spyOn(performance, "now").mockImplementation(() => now);
      const pause = async (milliseconds: number) => {
        now += milliseconds;
      };
      await expect(waitFor(session, operation({ interval, timeout }), { pause })).rejects.toBeInstanceOf(
        Failure,
      );
      expect([now, session.log.length]).toEqual([timeout * 1000, looks]);
      now = 0;
      const late = scriptedSession([failing, { stdout: "here" }]);
      expect((await waitFor(late, operation({ interval: 60, timeout: 60 }), { pause })).status).toBe(0);
    },
  );

  test("tells the status and both streams of what the user wrote", async () => {
    const question = { ask: "command", script: "x" } as const;
    const said = async (answer: { status: number; stdout?: string; stderr?: string }) => {
      const work = waitFor(scriptedSession([answer]), operation({ question, timeout: 0 }), waiting());
      return ((await work.catch((error: unknown) => error)) as Failure).diagnostic.detail;
    };
    expect(await said({ status: 3, stdout: "a\nb\n", stderr: "c\n" })).toBe(
      "192.0.2.1: waited 0 s for /srv/ready to exist.\nLast seen: status 3\noutput:\n  a\n  b\nerrors:\n  c",
    );
    expect(await said({ status: 1 })).toContain("Last seen: status 1, and it wrote nothing");
  });

  test("waits no longer when the run is asked to stop", async () => {
    const session = scriptedSession([failing, failing, failing]);
    const failure = await waitFor(session, operation(), waiting(2)).catch((error: unknown) => error);
    expect((failure as Failure).diagnostic.summary).toBe("Stopped");
    expect(session.log).toHaveLength(2);
  });

  test("neither a long interval nor a question that hangs is waited for then", async () => {
    const hanging = { ...scriptedSession(), ask: () => new Promise<never>(() => undefined) };
    const begin = performance.now();
    for (const session of [scriptedSession([failing]), hanging]) {
      const stop = new AbortController();
      const work = waitFor(session, operation({ interval: 60, timeout: 120 }), { stopping: stop.signal });
      setTimeout(() => stop.abort(), 50);
      const failure = await work.catch((error: unknown) => error);
      expect((failure as Failure).diagnostic.summary).toBe("Stopped");
    }
    expect(performance.now() - begin).toBeLessThan(5_000);
  });

  test("a host that is away is waited for all the same: what took it away has been begun", async () => {
    const session = scriptedSession([at("lost"), failing, {}]);
    const stopping = AbortSignal.abort();
    expect((await waitFor(session, operation({ reconnect: true }), { stopping })).status).toBe(0);
  });

  test("an answer that comes with the request to stop counts", async () => {
    const answer = await waitFor(scriptedSession(), operation(), { stopping: AbortSignal.abort() });
    expect(answer.status).toBe(0);
  });

  test.each([true, false])(
    "a question that hangs does not outlast the time (reconnect: %s)",
    async (reconnect) => {
      const session = { ...scriptedSession(), ask: () => new Promise<never>(() => undefined) };
      const begin = performance.now();
      const work = waitFor(session, operation({ timeout: 1, reconnect }), waiting());
      const failure = await work.catch((error: unknown) => error);
      expect((failure as Failure).diagnostic.detail).toContain("no answer within 1 s");
      expect(performance.now() - begin).toBeLessThan(5_000);
    },
  );

  test("what the user wrote is ended on the host with the waiting, and may be slow once", async () => {
    const timeouts: (number | undefined)[] = [];
    const session = scriptedSession([at("timeout"), {}]);
    const run: typeof session.run = (request) => {
      timeouts.push(request.timeout);
      return session.run(request);
    };
    const question = { ask: "command", script: "app ready" } as const;
    await waitFor({ ...session, run }, operation({ question, timeout: 7 }), waiting());
    await waitFor({ ...session, run }, operation({ question: { ...question, timeout: 2 } }), waiting());
    expect(timeouts).toEqual([7, 7, 2]);
  });

  test("a host that may not be away must answer", async () => {
    await expect(waitFor(scriptedSession([at("lost")]), operation(), waiting())).rejects.toMatchObject({
      code: "lost",
    });
  });

  test("a host that may be away is connected to anew for each question", async () => {
    const replies = [at("lost"), at("unreachable"), at("login_refused"), at("no_shell"), failing, {}];
    const session = scriptedSession(replies);
    await waitFor(session, operation({ reconnect: true }), waiting());
    expect(session.log.filter((entry) => entry === "reset")).toHaveLength(replies.length);
  });

  test.each(["host_key_changed", "login_settings"] as const)("%s does not pass by waiting", async (code) => {
    const work = waitFor(scriptedSession([at(code)]), operation({ reconnect: true }), waiting());
    await expect(work).rejects.toMatchObject({ code });
  });

  test("what the user wrote is asked on a channel of its own", async () => {
    const session = scriptedSession();
    await waitFor(session, operation({ question: { ask: "command", script: "app ready" } }), waiting());
    expect(session.log).toEqual(["run app ready"]);
  });

  test("a wait that fails is told as a failure", async () => {
    const work = waitFor(
      scriptedSession([at("unreachable")]),
      operation({ reconnect: true, timeout: 0 }),
      waiting(),
    );
    await expect(work).rejects.toBeInstanceOf(Failure);
  });
});
