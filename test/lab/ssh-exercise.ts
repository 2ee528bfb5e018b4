/**
 * @module What must be alike on every host, however it is reached.
 */
import { expect } from "vitest";
import { raw, script } from "../../src/script/script.ts";
import type { Answer, Session } from "../../src/ssh/session.ts";
import type { LabHost } from "./host.ts";

export const text = ({ status, stdout, stderr }: Answer): [number, string, string] => [
  status,
  stdout.toString("latin1"),
  stderr.toString("latin1"),
];

/** What must be alike on every host: facts, commands, time limits, files. */
export async function exercise(session: Session, host: LabHost): Promise<void> {
  const facts = await Promise.all(
    [
      "printf 'a\\0b'; printf '\\377' >&2; exit 3",
      'cat; read x; echo "[$x]"',
      "cd /tmp; x=1",
      'pwd; echo "[$x]"',
      "if then",
      "trap 'echo bye' EXIT; exit 9",
      "printf %s 'quotes '\\'' \" \\ $HOME'",
      "kill -9 $(sh -c 'echo $PPID')",
      "i=0; while [ $i -lt 2000 ]; do echo 'a line that is repeated a good many times'; i=$((i+1)); done",
    ].map(async (source) => text(await session.ask(raw(source)))),
  );
  expect(facts.slice(0, 4)).toEqual([
    [3, "a\0b", "\xff"],
    [0, "[]\n", ""],
    [0, "", ""],
    [0, "/\n[]\n", ""],
  ]);
  expect(facts[4]![0]).toBeGreaterThan(0);
  expect(facts.slice(5, 7)).toEqual([
    [9, "bye\n", ""],
    [0, "quotes ' \" \\ $HOME", ""],
  ]);
  expect(facts[7]![0]).toBe(137);
  expect(facts[8]![1]).toBe("a line that is repeated a good many times\n".repeat(2000));

  for (const timeout of [0, 20]) {
    const stdin = Buffer.from(Array.from({ length: 300_000 }, (_, i) => i % 256));
    const echoed = await session.run({ script: "cat; printf 'e\\0' >&2; exit 5", stdin, timeout });
    expect([echoed.status, echoed.stdout.equals(stdin), echoed.stderr.toString()]).toEqual([5, true, "e\0"]);
    const begin = performance.now();
    const child = await session.run({ script: "echo a; sleep 30 & echo b; read x || echo end", timeout });
    expect(text(child)).toEqual([0, "a\nb\nend\n", ""]);
    expect(performance.now() - begin).toBeLessThan(5000);
    expect((await session.run({ script: "kill -TERM $$", timeout })).status).toBe(143);
  }
  await expect(session.run({ script: "sleep 47 & sleep 47", timeout: 1 })).rejects.toMatchObject({
    code: "timeout",
  });
  await expect.poll(async () => (await host.exec("pgrep -f '[s]leep 47'")).status).toBe(1);
  expect((await host.exec("pkill -f '[s]leep 30'")).status).toBe(0);

  const all = Buffer.from(Array.from({ length: 256 }, (_, i) => i));
  const contents = [Buffer.from("-n %s \\n 'it' 100%\n"), all, Buffer.concat(Array(2000).fill(all))];
  for (const content of contents) {
    const path = '/tmp/a new (one)/x/it\'s "a" file\n';
    await session.put({ path, content, follow: true, parents: true });
    const back = await session.ask(
      script`cat ${path}; rm ${path}; cd /tmp; rmdir 'a new (one)/x' 'a new (one)'; ls -A /tmp | grep conn3x`,
    );
    expect(back.stdout.equals(content)).toBe(true);
  }
}
