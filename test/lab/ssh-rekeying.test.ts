/**
 * @module Hosts whose sshd exchanges keys anew after every megabyte, while everything else goes on.
 */
import { createHash } from "node:crypto";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { raw } from "../../src/script/script.ts";
import { resolveLogin } from "../../src/ssh/login/resolve-login.ts";
import { createSessionPool } from "../../src/ssh/session-pool.ts";
import { describeLab, labHosts } from "./for-tests.ts";

const lab = labHosts(1);
const host = () => lab.hosts[0];
const directory = mkdtempSync(join(tmpdir(), "conn3x-rekeying-"));
afterAll(() => rmSync(directory, { recursive: true }));

/** Bytes that follow from a seed and do not compress well, nor badly. */
function bytes(count: number, seed: string): Buffer {
  const block = Buffer.concat(
    Array.from({ length: 2048 }, (_, i) => createHash("sha256").update(`${seed} ${i}`).digest()),
  ).toString("hex");
  return Buffer.alloc(count, block);
}
const sha256 = (data: Buffer): string => createHash("sha256").update(data).digest("hex");

describeLab("a host that exchanges keys after every megabyte", () => {
  beforeAll(async () => {
    const settings = "RekeyLimit 1M\nMaxSessions 40\n";
    await host().must("cat >/etc/ssh/sshd_config.d/zz-test.conf; systemctl restart ssh", settings);
  });

  test.each(["no", "yes"])("loses nothing in either direction, with Compression %s", async (compression) => {
    writeFileSync(join(directory, "config"), `Compression ${compression}\n`);
    const pool = createSessionPool();
    const { keyFile: privateKeyFile, knownHostsFile } = lab.lab;
    const { address, name } = host();
    const files = { privateKeyFile, knownHostsFile, sshConfigFile: join(directory, "config") };
    const session = pool.session(
      resolveLogin({ address, host: name, user: "deploy", ...files, agent: false, become: true }),
    );
    try {
      const sent = [0, 1, 2].map((i) => bytes(16 * 1024 * 1024, `sent ${i}`));
      const content = bytes(6 * 1024 * 1024, "fetched");
      await session.put({ path: "/srv/fetched", content, follow: true });
      let over = false;
      const facts = async (): Promise<number> => {
        let count = 0;
        for (; !over; count++) {
          const { stdout } = await session.ask(raw(`seq ${count} ${count + 20_000}`));
          expect(stdout.toString().split("\n", 1)[0]).toBe(String(count));
          expect(stdout.toString()).toMatch(new RegExp(`\n${count + 20_000}\n$`));
        }
        return count;
      };
      const asking = Promise.all([facts(), facts()]);
      const commands = Array.from({ length: 8 }, async (_, i) => {
        const half = bytes(1024 * 1024, `input ${i}`);
        const answer = await session.run({ script: "cat - /srv/fetched", stdin: half });
        expect(sha256(answer.stdout)).toBe(sha256(Buffer.concat([half, content])));
      });
      await Promise.all([
        ...commands,
        ...sent.map((data, i) => session.put({ path: `/srv/sent${i}`, content: data, follow: true })),
      ]);
      over = true;
      expect(Math.min(...(await asking))).toBeGreaterThan(3);
      const sums = await host().must("cd /srv; sha256sum <sent0; sha256sum <sent1; sha256sum <sent2");
      expect(sums).toBe(sent.map((data) => `${sha256(data)}  -\n`).join(""));
    } finally {
      await pool.close();
    }
  });
});
