import { createConnection } from "node:net";
import { expect, test } from "vitest";
import { describeLab, labHosts } from "./for-tests.ts";
import type { LabHost } from "./host.ts";
import { delayingRelay } from "./relay.ts";
import { run } from "./run.ts";

const lab = labHosts(2);

/** The machine's own OpenSSH: nothing of the product takes part. */
function ssh(host: LabHost, command: string, user = "deploy") {
  return run(["ssh", "-F", lab.lab.sshConfigFile, "-o", "ConnectTimeout=3", "-l", user, host.name, command]);
}

/** The first bytes that a server sends; "" when none come within the time. */
function greeting(target: { address: string; port: number }, milliseconds: number): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = createConnection({ host: target.address, port: target.port });
    const settle = (text: string) => {
      socket.destroy();
      resolve(text);
    };
    setTimeout(() => settle(""), milliseconds);
    socket.on("data", (data) => settle(data.toString()));
    socket.on("error", reject);
  });
}

describeLab("a host of the lab", () => {
  test("is a Debian with systemd, all of whose units are well", async () => {
    for (const host of lab.hosts) {
      expect(await host.exec("systemctl is-system-running --wait")).toMatchObject({ stdout: "running\n" });
      expect(await host.must("cat /proc/1/comm; hostname")).toBe(`systemd\n${host.name}\n`);
      expect(await host.must("grep ^VERSION_CODENAME /etc/os-release")).toBe("VERSION_CODENAME=bookworm\n");
    }
  });

  test("keeps its processes apart from other hosts'", async () => {
    const [web1, web2] = lab.hosts;
    await web2.must("systemctl start lab-worker");
    await web1.must("systemctl start lab-worker && systemctl stop lab-worker");
    expect(await web2.must("systemctl is-active lab-worker")).toBe("active\n");
  });

  test("shows the host key that was announced, and lets the three users in by the lab's key", async () => {
    const [web1] = lab.hosts;
    const scan = await run(["ssh-keyscan", "-t", "ed25519", web1.address]);
    expect(scan.stdout.trim()).toBe(`${web1.address} ${web1.hostKey}`);
    expect(await ssh(web1, "id -un; id -u")).toMatchObject({ status: 0, stdout: "deploy\n1000\n" });
    expect(await ssh(web1, "id -un; id -u", "plain")).toMatchObject({ status: 0, stdout: "plain\n1001\n" });
    expect(await ssh(web1, "id -un", "root")).toMatchObject({ status: 0, stdout: "root\n" });
  });

  test("gives sudo to deploy and not to plain", async () => {
    const [web1] = lab.hosts;
    expect(await ssh(web1, "sudo -n id -u")).toMatchObject({ status: 0, stdout: "0\n" });
    expect(await ssh(web1, "sudo -n id -u", "plain")).toMatchObject({ status: 1, stdout: "" });
  });

  test("has no Python, but the shells that people log in with", async () => {
    const [web1] = lab.hosts;
    expect((await web1.exec("command -v python3")).stdout).toBe("");
    for (const shell of ["fish", "tcsh", "zsh", "bash", "dash", "busybox sh"]) {
      expect(await web1.must(`${shell} -c 'echo works'`), shell).toBe("works\n");
    }
  });

  test("hands its standard input and every status through exec", async () => {
    const [web1] = lab.hosts;
    expect(await web1.exec("cat; echo no >&2; exit 7", "given")).toEqual({
      status: 7,
      stdout: "given",
      stderr: "no\n",
    });
    await expect(web1.must("echo why >&2; exit 7")).rejects.toThrow(/exited with 7: why/);
  });

  test("reboots, keeps its disk, and has another boot id", async () => {
    const [web1] = lab.hosts;
    await web1.must("echo kept >/root/kept; echo lost >/run/lost");
    const before = await web1.bootId();
    await web1.reboot();
    expect(await web1.bootId()).not.toBe(before);
    expect(await web1.must("cat /root/kept; ls /run/lost 2>&1 || true")).toMatch(/^kept\nls: cannot access/);
    expect(await ssh(web1, "cat /proc/sys/kernel/random/boot_id")).toMatchObject({
      stdout: `${await web1.bootId()}\n`,
    });
  });

  test("comes back when a login reboots it", async () => {
    const [, web2] = lab.hosts;
    const before = await web2.bootId();
    await ssh(web2, "sudo systemctl reboot");
    await expect.poll(() => web2.bootId().catch(() => before), { timeout: 20_000 }).not.toBe(before);
    await web2.ready();
    expect(await ssh(web2, "echo back")).toMatchObject({ stdout: "back\n" });
  });

  test("forgets every change when it is reset, and is the same host to its clients", async () => {
    const [web1] = lab.hosts;
    await web1.must("echo changed >/etc/motd; rm /bin/zsh; userdel -r plain");
    const { hostKey, address } = web1;
    await web1.reset();
    expect(await web1.must("cat /etc/motd; command -v zsh; id -u plain")).not.toContain("changed");
    expect((await run(["ssh-keyscan", "-t", "ed25519", address])).stdout.trim()).toBe(
      `${address} ${hostKey}`,
    );
  });

  test("survives the power failing", async () => {
    const [web1] = lab.hosts;
    await web1.must("echo kept >/root/kept");
    await web1.stop();
    expect(web1.isRunning()).toBe(false);
    await expect(web1.exec("true")).rejects.toThrow(/is down/);
    await web1.start();
    expect(await web1.must("cat /root/kept")).toBe("kept\n");
  });

  test("accepts connections and says nothing while sshd is frozen", async () => {
    const [web1] = lab.hosts;
    await web1.freeze();
    expect(await greeting(web1, 1_000)).toBe("");
    await web1.thaw();
    expect(await greeting(web1, 5_000)).toMatch(/^SSH-2.0-/);
    expect(await ssh(web1, "echo thawed")).toMatchObject({ stdout: "thawed\n" });
  });

  test("goes silent in the middle of a connection when cut off, and the connection lives on when mended", async () => {
    const [web1] = lab.hosts;
    const waiting = ssh(web1, "sleep 2; echo through");
    await new Promise((resolve) => setTimeout(resolve, 1_000));
    await web1.cut();
    const answer = await Promise.race([
      waiting,
      new Promise((resolve) => setTimeout(resolve, 3_000, "silence")),
    ]);
    expect(answer).toBe("silence");
    expect(await web1.must("echo inside it is alive")).toBe("inside it is alive\n");
    expect(await greeting(web1, 4_000), "a new connection is not refused either").toBe("");
    await web1.mend();
    expect(await waiting).toMatchObject({ status: 0, stdout: "through\n" });
  });

  test("seems far away through a delaying relay", async () => {
    const [web1] = lab.hosts;
    const relay = await delayingRelay(web1, 200);
    const started = performance.now();
    expect(await greeting(relay, 5_000)).toMatch(/^SSH-2.0-/);
    // TCP's handshake, and sshd's greeting on its way back: two round trips.
    expect(performance.now() - started).toBeGreaterThanOrEqual(395);
    expect(performance.now() - started).toBeLessThan(900);
    await relay.close();
  });
});

describeLab("what a host offers to tests", () => {
  test("installs, upgrades and refuses packages without a network", async () => {
    const [, web2] = lab.hosts;
    const apt = "DEBIAN_FRONTEND=noninteractive apt-get -qy";
    await web2.must(`${apt} update && ${apt} install conn3x-demo=1.0`);
    expect(await web2.must("conn3x-demo; cat /etc/conn3x-demo.conf")).toBe("conn3x-demo 1.0\nmade for 1.0\n");
    await web2.must(`${apt} install conn3x-demo`);
    expect(await web2.must("conn3x-demo; cat /etc/conn3x-demo.conf")).toBe("conn3x-demo 2.0\nmade for 2.0\n");
    expect((await web2.exec(`${apt} install conn3x-broken`)).status).toBe(100);
    await web2.must("dpkg --purge conn3x-broken");
    await web2.must(`${apt} install nginx-light`);
    expect(await web2.must("systemctl is-active nginx")).toBe("active\n");
  });

  test("lab-web serves what its configuration said when it was last read", async () => {
    const [web1] = lab.hosts;
    const served = () => web1.must("cat /run/lab-web/served");
    await web1.must("systemctl start lab-web");
    await expect.poll(served).toBe("greeting=hello\n");
    await web1.must("echo greeting=bye >/etc/lab-web/config");
    expect(await served()).toBe("greeting=hello\n");
    await web1.must("systemctl reload lab-web");
    await expect.poll(served).toBe("greeting=bye\n");
    await web1.must("systemctl restart lab-web");
    await expect.poll(() => web1.must("cat /run/lab-web/log")).toBe("started\nreloaded\nstopped\nstarted\n");
    await web1.must("echo broken >/etc/lab-web/config; systemctl restart lab-web");
    await expect.poll(async () => (await web1.exec("systemctl is-active lab-web")).stdout).toBe("failed\n");
  });
});
