import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type DemoHost, startDemoHost } from "../../../src/demo/host/demo-host.ts";
import { script } from "../../../src/script/script.ts";
import { HostError } from "../../../src/ssh/host-error.ts";
import { resolveLogin } from "../../../src/ssh/login/resolve-login.ts";
import type { Session } from "../../../src/ssh/session.ts";
import { createSessionPool } from "../../../src/ssh/session-pool.ts";
import { errorsAfterEnd, errorsAfterEndAtOnce, outputAfterEnd } from "./data-after-end.ts";
import { dripsAfterExit, dripsAnswer, dripsBanners, dripsBeforeShell, dripsGreeting } from "./dripping.ts";
import { endlessBeforeShell, endlessErrors, endlessMark, endlessOutput } from "./endless-answer.ts";
import { endlessBanners, endlessGreeting, endlessIgnored, endlessRequests } from "./endless-packets.ts";
import { endlessQuestions } from "./endless-questions.ts";
import { type Attacker, startHostileServer } from "./hostile-server.ts";
import { packetsOfNothing, packetsOfOneByte } from "./small-packets.ts";

/** They send as much as they can: one after another, so that each is measured. */
const flooders: readonly Attacker[] = [
  endlessOutput,
  endlessErrors,
  endlessMark,
  endlessBeforeShell,
  endlessBanners,
  endlessIgnored,
  endlessRequests,
  endlessGreeting,
  endlessQuestions,
];

const others: readonly Attacker[] = [
  errorsAfterEnd,
  outputAfterEnd,
  errorsAfterEndAtOnce,
  packetsOfNothing,
  packetsOfOneByte,
  dripsGreeting,
  dripsBanners,
  dripsBeforeShell,
  dripsAnswer,
  dripsAfterExit,
];

/** Seconds for one phase of the hostile host. */
const limit = 3;
/** MiB by which the process may grow, the attacker's own buffers included. */
const mostMemory = 250;

let healthy: DemoHost;
beforeAll(async () => {
  healthy = await startDemoHost();
});
afterAll(() => healthy.close());

const requests: readonly ((session: Session) => Promise<unknown>)[] = [
  (session) => session.ask(script`echo in`),
  (session) => session.run({ script: "echo in", timeout: limit }),
  (session) => session.put({ path: "/nowhere/at/all", content: Buffer.alloc(100_000), follow: false }),
];

describe("a question, a command and a file fail as those of the host alone, soon, where a server", () => {
  test.each(flooders)("$does", async (attacker) => {
    const memory = peakMemory();
    try {
      await attacked(attacker);
      expect(memory.peak()).toBeLessThan(mostMemory);
    } finally {
      memory.end();
    }
  });

  test.concurrent.each(others)("$does", attacked);
});

async function attacked(attacker: Attacker): Promise<void> {
  const hostile = await startHostileServer(attacker);
  const pools = requests.map(() => createSessionPool({ reading: limit }));
  try {
    const began = performance.now();
    const outcomes = requests.map((request, i) =>
      request(pools[i]!.session(hostile.login)).catch((error: unknown) => error),
    );
    // The other host gets what it asks for meanwhile.
    const other = pools[0]!.session(resolveLogin({ ...healthy.login, host: "healthy" }));
    for (let i = 0; i < 5; i++) expect((await other.ask(script`echo ${i}`)).stdout.toString()).toBe(`${i}\n`);
    expect(performance.now() - began).toBeLessThan(5_000);
    for (const outcome of await Promise.all(outcomes)) {
      if (attacker.mayAnswer && !(outcome instanceof Error)) continue;
      expect(outcome).toBeInstanceOf(HostError);
      const { host, message, advice } = outcome as HostError;
      expect(host).toBe("hostile");
      expect(message.length).toBeLessThan(1000);
      expect(advice.length).toBeLessThan(4000);
    }
    expect(performance.now() - began).toBeLessThan((3 * limit + 2) * 1000);
    // Whatever the host does about it.
    const ending = performance.now();
    await Promise.all(pools.map((pool) => pool.close()));
    expect(performance.now() - ending).toBeLessThan(2_500);
  } finally {
    await Promise.all(pools.map((pool) => pool.close()));
    await hostile.close();
  }
}

/** MiB by which the process grows from now on. */
function peakMemory(): { peak(): number; end(): void } {
  const before = process.memoryUsage.rss();
  let most = before;
  const timer = setInterval(() => {
    most = Math.max(most, process.memoryUsage.rss());
  }, 20);
  return { peak: () => (most - before) / 2 ** 20, end: () => clearInterval(timer) };
}
