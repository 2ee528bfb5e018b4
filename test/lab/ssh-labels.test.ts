/**
 * What a file has beside owner and mode and keeps when it is written: access control lists, for real; SELinux labels by the
 * commands that set them, which stand in here (the lab's kernel has no SELinux).
 */
import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { HostError } from "../../src/ssh/host-error.ts";
import { resolveLogin } from "../../src/ssh/login/resolve-login.ts";
import type { FilePut } from "../../src/ssh/session.ts";
import { createSessionPool } from "../../src/ssh/session-pool.ts";
import { describeLab, labHosts } from "./for-tests.ts";

const lab = labHosts(1);
const host = () => lab.hosts[0];
const pool = createSessionPool();
afterAll(() => pool.close());
const put = (path: string, content: string, more: Partial<FilePut> = {}) =>
  pool
    .session(
      resolveLogin({
        address: host().address,
        host: host().name,
        user: "deploy",
        privateKeyFile: lab.lab.keyFile,
        knownHostsFile: lab.lab.knownHostsFile,
        agent: false,
        become: true,
      }),
    )
    .put({ path, content: Buffer.from(content), follow: true, ...more });

describeLab("an access control list", () => {
  /** acl(5), as the kernel has it: owner rw, user 1001 r, group r, mask r, nobody else. */
  const python = (path: string, code: string): string =>
    execFileSync(
      "python3",
      ["-c", `import os, struct, sys\np = sys.argv[1]\n${code}`, join(host().rootDirectory, path)],
      {
        encoding: "utf8",
      },
    );
  const give = (path: string) =>
    python(
      path,
      `e = lambda tag, bits, who=0xffffffff: struct.pack("<HHI", tag, bits, who)
os.setxattr(p, "system.posix_acl_access", struct.pack("<I", 2) + e(1, 6) + e(2, 4, 1001) + e(4, 4) + e(16, 4) + e(32, 0))`,
    );
  const list = (path: string) => python(path, 'print(os.getxattr(p, "system.posix_acl_access").hex())');

  test.each<[string, Partial<FilePut>]>([
    ["replaced", {}],
    ["written over", { inPlace: true }],
  ])("stays when the file is %s, and lets its user read it", async (_, more) => {
    await host().must("rm -rf /srv/acl; mkdir -p /srv/acl; echo old >/srv/acl/f");
    try {
      give("/srv/acl/f");
    } catch {
      return;
    }
    const before = list("/srv/acl/f");
    for (const content of ["new\n", "new\n".repeat(20_000)]) {
      await put("/srv/acl/f", content, more);
      expect(list("/srv/acl/f")).toBe(before);
      expect(await host().must("su plain -c 'cat /srv/acl/f'")).toBe(content);
    }
    expect((await host().exec("su nobody -s /bin/sh -c 'cat /srv/acl/f'")).status).not.toBe(0);
    expect(await host().must("ls -A /srv/acl")).toBe("f\n");
  });
});

describeLab("SELinux", () => {
  const tool = (name: string, body: string) =>
    host().must(`cat >/usr/local/bin/${name} <<'END'
#!/bin/sh
echo "${name} $* # $(ls /srv/label/f 2>/dev/null && cat /srv/label/f)" | tr '\\n' ' ' >>/root/labels
echo >>/root/labels
${body}
END
chmod 755 /usr/local/bin/${name}`);
  beforeAll(() => tool("selinuxenabled", "exit 0"));
  beforeEach(async () => {
    await tool("chcon", ":");
    await tool("matchpathcon", "echo system_u:object_r:etc_t:s0");
    await host().must("rm -rf /srv/label /root/labels; mkdir /srv/label");
  });
  const calls = async () => (await host().must("cat /root/labels")).trimEnd().split(/ *\n/);

  test("a file that is replaced gets the old one's label, by what is held open, before it takes its place", async () => {
    await host().must("echo old >/srv/label/f");
    await put("/srv/label/f", "new");
    expect(await calls()).toEqual([
      "selinuxenabled  # /srv/label/f old",
      "chcon --reference=./f -- /proc/self/fd/3 # /srv/label/f old",
    ]);
  });

  test("a new one gets what the policy has for its path", async () => {
    await put("/srv/label/f", "new");
    expect(await calls()).toEqual([
      "selinuxenabled  #",
      "matchpathcon -n /srv/label/f #",
      "chcon -- system_u:object_r:etc_t:s0 /proc/self/fd/3 #",
    ]);
    expect(await host().must("cat /srv/label/f")).toBe("new");
  });

  test("what is written over keeps its own, and nothing is set", async () => {
    await host().must("echo old >/srv/label/f");
    await put("/srv/label/f", "new", { inPlace: true });
    expect(await host().must("cat /root/labels 2>/dev/null | grep -c chcon; true")).toBe("0\n");
  });

  describe("a label that cannot be set", () => {
    test("is no failure where the file system has none", async () => {
      await tool(
        "chcon",
        "echo \"chcon: failed to change context of '/f' to 'x': Operation not supported\" >&2; exit 1",
      );
      await put("/srv/label/f", "new");
      expect(await host().must("cat /srv/label/f")).toBe("new");
    });

    test("leaves the old file, and nothing beside it", async () => {
      await host().must("echo old >/srv/label/f");
      await tool(
        "chcon",
        "echo \"chcon: failed to change context of '/f' to 'x': Permission denied\" >&2; exit 1",
      );
      const error = await put("/srv/label/f", "new").catch((refused: HostError) => refused);
      expect(error).toMatchObject({ code: "write", message: expect.stringContaining("SELinux label") });
      expect(await host().must("cat /srv/label/f; ls -A /srv/label")).toBe("old\nf\n");
    });
  });

  test("nothing is asked for where SELinux is off", async () => {
    await tool("selinuxenabled", "exit 1");
    await put("/srv/label/f", "new");
    expect(await calls()).toEqual(["selinuxenabled  #"]);
  });
});
