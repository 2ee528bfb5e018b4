import { existsSync } from "node:fs";
import { afterAll, beforeAll, expect, test } from "vitest";
import { groupDirectories, members } from "./cgroup.ts";
import { acquireHosts, releaseHosts } from "./claims.ts";
import { describeLab, labHosts } from "./for-tests.ts";
import { type Lab, namesFor, openLab, removeLab } from "./lab.ts";
import { signal } from "./processes.ts";
import { run } from "./run.ts";

describeLab("handing out hosts", () => {
  const mine = labHosts(1);

  test("gives nobody a host that another has, and nobody a host that another changed", async () => {
    const [theirs] = await acquireHosts(mine.lab, 1);
    expect(theirs?.name).not.toBe(mine.hosts[0].name);
    await theirs?.must("echo changed >/etc/motd");
    await theirs?.stop();
    await releaseHosts(mine.lab, theirs ? [theirs] : []);

    const [again] = await acquireHosts(mine.lab, 1);
    expect(again?.name).toBe(theirs?.name);
    expect(await again?.must("cat /etc/motd")).not.toContain("changed");
    await releaseHosts(mine.lab, again ? [again] : []);
  });
});

describeLab("a second lab beside the first", () => {
  const name = `${process.env.CONN3X_LAB_NAME ?? ""} a lab for claims.test`;
  const first = labHosts(1);
  let second: Lab;
  beforeAll(async () => {
    await removeLab(namesFor({ name }));
    second = await openLab({ name });
  });
  afterAll(() => removeLab(namesFor({ name })));

  test("has hosts of the same names at other addresses, with other keys", async () => {
    const [web1] = await second.up(["web1"]);
    const [other] = first.hosts;
    expect(web1?.address).not.toBe(other.address);
    expect(web1?.hostKey).not.toBe(other.hostKey);
    const refused = await run([
      "ssh",
      "-F",
      first.lab.sshConfigFile,
      "-p",
      "22",
      `deploy@${web1?.address}`,
      "true",
    ]);
    expect(refused.stderr).toContain("Host key verification failed");
  });

  test("boots a host again whose supervisor and systemd-nspawn were killed", async () => {
    const [web1] = await second.up(["web1"]);
    const before = await web1?.bootId();
    const [group = ""] = groupDirectories(second.names.cgroup);
    const outside = [...members(`${group}/web1`), ...members(`${group}/web1/supervisor`)];
    expect(outside).toHaveLength(2);
    for (const id of outside) signal(id, "SIGKILL");
    await expect.poll(() => web1?.isRunning()).toBe(false);
    await second.up(["web1"]);
    expect(await web1?.bootId()).not.toBe(before);
  });

  test("leaves nothing behind, even if it had forgotten what it was", async () => {
    await second.up(["web1", "web2"]);
    await run(["rm", `${second.directory}/lab.json`]);
    await removeLab(second.names);
    expect(existsSync(second.directory)).toBe(false);
    expect(groupDirectories(second.names.cgroup).filter(existsSync)).toEqual([]);
    const links = (await run(["ip", "-brief", "link"])).stdout;
    expect(links).not.toContain(second.names.id);
    expect((await run(["grep", "-l", second.names.id, "/proc/self/mountinfo"])).stdout).toBe("");
  });
});
