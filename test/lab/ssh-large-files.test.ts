/**
 * @module Files that are larger than what may be kept in memory, to real hosts.
 */
import { createHash } from "node:crypto";
import { afterEach, expect, test } from "vitest";
import type { HostError } from "../../src/ssh/host-error.ts";
import type { TransportName } from "../../src/ssh/login/login.ts";
import { resolveLogin } from "../../src/ssh/login/resolve-login.ts";
import type { Session, SessionPool, StreamedContent } from "../../src/ssh/session.ts";
import { createSessionPool } from "../../src/ssh/session-pool.ts";
import { describeLab, labHosts } from "./for-tests.ts";

const lab = labHosts(1);
const host = () => lab.hosts[0];
const bytesInMegabyte = 1024 * 1024;

let pools: SessionPool[] = [];
function connect(transport: TransportName): Session {
  const pool = createSessionPool();
  pools.push(pool);
  const { address, name } = host();
  const { keyFile: privateKeyFile, knownHostsFile } = lab.lab;
  const login = { address, host: name, user: "deploy", privateKeyFile, knownHostsFile, agent: false };
  return pool.session(resolveLogin({ ...login, sshConfigFile: "none", become: true, transport }));
}
afterEach(async () => {
  await Promise.all(pools.map((pool) => pool.close()));
  pools = [];
});

interface Watched extends StreamedContent {
  /** Megabytes read so far. */
  read(): number;
  /** Bytes by which this process had grown at the most. */
  peak(): number;
}

/** Every megabyte is another one, made when it is read. */
function megabytes(count: number): Watched {
  const make = (i: number): Buffer => Buffer.alloc(bytesInMegabyte, `megabyte ${i}\n`);
  const hash = createHash("sha256");
  for (let i = 0; i < count; i++) hash.update(make(i));
  let read = 0;
  let peak = 0;
  return {
    size: count * bytesInMegabyte,
    sha256: hash.digest("hex"),
    async *open() {
      const before = process.memoryUsage().rss;
      for (; read < count; read++) {
        peak = Math.max(peak, process.memoryUsage().rss - before);
        yield make(read);
      }
    },
    read: () => read,
    peak: () => peak,
  };
}

describeLab("a large file", () => {
  test.each(["ssh2", "openssh"] as const)(
    "is sent as it is read, with flat memory, by %s",
    async (transport) => {
      const content = megabytes(400);
      const session = connect(transport);
      await session.put({ path: "/srv/large", content, follow: true, mode: 0o640 });
      expect(await host().must("stat -c '%s %a' /srv/large; sha256sum </srv/large; rm /srv/large")).toBe(
        `${content.size} 640\n${content.sha256}  -\n`,
      );
      expect(content.peak()).toBeLessThan(150 * bytesInMegabyte);
    },
  );

  test.each(["ssh2", "openssh"] as const)(
    "is read no further when the disk is full, by %s",
    async (transport) => {
      await host().must(
        "mkdir -p /mnt/full; mount -t tmpfs -o size=8m none /mnt/full; echo old >/mnt/full/f",
      );
      const content = megabytes(400);
      const error = await connect(transport)
        .put({ path: "/mnt/full/f", content, follow: true })
        .then(
          () => expect.fail("this should have failed"),
          (e: HostError) => e,
        );
      expect(error).toMatchObject({ code: "write" });
      expect(error.message).toContain("No space left on device");
      expect(content.read()).toBeLessThan(100);
      expect(await host().must("cat /mnt/full/f; ls -A /mnt/full; umount /mnt/full")).toBe("old\nf\n");
    },
  );

  test("whose connection is lost on the way leaves the old one, and the next attempt puts it in place", async () => {
    await host().must("mkdir -p /srv/cut; echo old >/srv/cut/f");
    const session = connect("ssh2");
    const content = megabytes(400);
    const work = session.put({ path: "/srv/cut/f", content, follow: true }).then(
      () => expect.fail("this should have failed"),
      (e: HostError) => e,
    );
    await expect.poll(() => content.read(), { timeout: 20_000, interval: 20 }).toBeGreaterThan(40);
    await host().must("pkill -9 -f '^sshd: deploy'; true");
    expect(await work).toMatchObject({ code: "lost", started: true });
    await expect.poll(() => host().must("ls -A /srv/cut; cat /srv/cut/f")).toBe("f\nold\n");
    await session.put({ path: "/srv/cut/f", content: Buffer.from("new\n"), follow: true });
    expect(await host().must("ls -A /srv/cut; cat /srv/cut/f")).toBe("f\nnew\n");
  });
});
