/**
 * Servers that are almost right: after the login each packet, and each answer of their shells, may be changed. Whatever
 * they do, what was asked of them is answered or fails as theirs, soon, and nobody else notices.
 *
 * CONN3X_FUZZ_ROUNDS asks for more rounds, CONN3X_FUZZ_SEED for those of another run.
 */
import { afterAll, beforeAll, expect, test } from "vitest";
import { type DemoHost, startDemoHost } from "../../../src/demo/host/demo-host.ts";
import { script } from "../../../src/script/script.ts";
import { HostError } from "../../../src/ssh/host-error.ts";
import { resolveLogin } from "../../../src/ssh/login/resolve-login.ts";
import type { Session } from "../../../src/ssh/session.ts";
import { createSessionPool } from "../../../src/ssh/session-pool.ts";
import { type Attacker, type Channel, startHostileServer, type Victim } from "./hostile-server.ts";
import { mutatedPackets, mutatedText, type Random, randomFrom } from "./mutations.ts";
import { data, extendedData } from "./packets.ts";

const rounds = Number(process.env.CONN3X_FUZZ_ROUNDS ?? 2000);
const seed = Number(
  process.env.CONN3X_FUZZ_SEED ?? (process.env.CI === "true" ? 20261130 : Date.now() % 2 ** 31),
);
/** Requests on one connection, as long as it stands. */
const perConnection = 5;
/** Connections side by side. */
const together = 20;
/** Seconds: what is dropped is waited for. */
const limits = { login: 2, reading: 0.3 };

let healthy: DemoHost;
beforeAll(async () => {
  healthy = await startDemoHost();
});
afterAll(() => healthy.close());

test(`${rounds} rounds end as they should (seed ${seed})`, { timeout: 60_000 + rounds * 100 }, async () => {
  const random = randomFrom(seed);
  const server = await startHostileServer(almostRight(random));
  const other = createSessionPool();
  const outcomes = { answered: 0, failed: 0 };
  let begun = 0;
  const work = async (): Promise<void> => {
    while (begun < rounds) {
      const pool = createSessionPool({ reading: limits.reading });
      const session = pool.session({ ...server.login, connectTimeout: limits.login });
      for (let i = 0; i < perConnection && begun < rounds; i++) {
        const round = begun++;
        const error = await settled(request(session, random(4)), round);
        if (error === undefined) outcomes.answered++;
        else outcomes.failed++;
        if (error !== undefined) break;
      }
      await settled(pool.close(), begun);
    }
  };
  const watching = watch(other.session(resolveLogin(healthy.login)), () => begun < rounds);
  await Promise.all(Array.from({ length: together }, work));
  expect(await watching).toBeGreaterThan(0);
  // Both happen: else nothing was tried.
  expect(outcomes.answered).toBeGreaterThan(rounds / 20);
  expect(outcomes.failed).toBeGreaterThan(rounds / 20);
  await other.close();
  await server.close();
});

function request(session: Session, kind: number): Promise<unknown> {
  if (kind === 0) return session.run({ script: "echo in", reads: true, timeout: 1 });
  if (kind === 1) return Promise.all([1, 2, 3].map((i) => session.ask(script`echo ${i}`)));
  return session.ask(script`echo in`);
}

/** The error of something that ends soon; anything but an error of the hostile host fails the test. */
async function settled(work: Promise<unknown>, round: number): Promise<HostError | undefined> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<string>((resolve) => {
    timer = setTimeout(() => resolve("late"), 15_000);
  });
  try {
    const outcome = await Promise.race([work, late]);
    expect(outcome, `round ${round} hangs`).not.toBe("late");
    return undefined;
  } catch (error) {
    if (!(error instanceof HostError)) throw error;
    expect(error.host).toBe("hostile");
    return error;
  } finally {
    clearTimeout(timer);
  }
}

/** Asks the other host all the time. @returns how often it answered */
async function watch(session: Session, goesOn: () => boolean): Promise<number> {
  let answers = 0;
  while (goesOn()) {
    expect((await session.ask(script`echo ${answers}`)).stdout.toString()).toBe(`${answers}\n`);
    answers++;
    await new Promise((later) => setTimeout(later, 100));
  }
  return answers;
}

function almostRight(random: Random): Attacker {
  return {
    does: "is almost right",
    mutate: (payload) => mutatedPackets(payload, random, [8, 20, 60][random(3)]!),
    command: (victim, channel, command) => almostShell(victim, channel, command, random),
  };
}

/** Answers as our shell would, without running anything. */
function almostShell(victim: Victim, channel: Channel, command: string, random: Random): void {
  const out = (text: string): void => void victim.send(data(channel.id, mutatedText(text, random, 12)));
  const errors = (text: string): void =>
    void victim.send(extendedData(channel.id, mutatedText(text, random, 12)));
  let heard = "";
  let token: string | undefined;
  out(`${/READY-[0-9a-f]+/.exec(command)?.[0]}\n`);
  channel.stream.on("data", (chunk: Buffer) => {
    heard += chunk.toString("latin1");
    if (token === undefined) {
      token = /echo (conn3x-[0-9a-f]+)-s;/.exec(heard)?.[1];
      if (token === undefined) return;
      out(`${token}-s\n`);
      errors(`${token}-s\n`);
    }
    const requests = [...heard.matchAll(new RegExp(`echo ${token}-b(\\d+) `, "g"))];
    heard = "";
    for (const [, id] of requests) {
      out(`${token}-b${id}\nanswer\n${token}-e${id}-0\n`);
      errors(`${token}-e${id}\n`);
    }
  });
}
