/**
 * Services where systemd is not: SysV init with Debian's own tools, and OpenRC, whose commands stand in here as its manual
 * pages describe them (openrc is not installed on the lab's hosts).
 */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { describeLab, labHosts } from "../lab/for-tests.ts";
import { bundledProgram } from "./bundled.ts";
import { fleetBlocks } from "./interrupted-circuit.ts";

const program = bundledProgram();

/** Ends as soon as it has read a configuration that is broken. */
const daemon = `#!/bin/sh
grep -q broken /etc/web.conf && sleep 0.2 && exit 1
cp /etc/web.conf /run/web.served
exec sleep 100000
`;
const sysvScript = `#!/bin/sh
### BEGIN INIT INFO
# Provides: web
# Required-Start:
# Required-Stop:
# Default-Start: 2 3 4 5
# Default-Stop: 0 1 6
### END INIT INFO
do_start() { start-stop-daemon --start --background --make-pidfile --pidfile /run/web.pid --startas /usr/local/sbin/webd; }
do_stop() { start-stop-daemon --stop --oknodo --retry 5 --pidfile /run/web.pid; rm -f /run/web.pid; }
case $1 in
  start) do_start ;;
  stop) do_stop ;;
  restart) do_stop; do_start ;;
  status) start-stop-daemon --status --pidfile /run/web.pid ;;
  *) echo "Usage: $0 {start|stop|restart|status}" >&2; exit 3 ;;
esac
`;
/** rc-service(8), rc-update(8), rc-status(8); the init script itself is the one above. */
const rcService = `#!/bin/sh
s=/etc/init.d/$1 link=/run/openrc/started/$1
[ -e "$s" ] || { echo "rc-service: service '$1' does not exist" >&2; exit 1; }
case $2 in
  start) if [ -e $link ]; then echo " * WARNING: $1 has already been started" >&2; exit 0; fi; "$s" start && ln -s "$s" $link ;;
  stop) "$s" stop; rm -f $link ;;
  restart) "$s" stop; rm -f $link; "$s" start && ln -s "$s" $link ;;
  zap) rm -f $link ;;
  status)
    if ! [ -e $link ]; then echo " * status: stopped"; exit 3; fi
    if "$s" status >/dev/null 2>&1; then echo " * status: started"; exit 0; fi
    echo " * status: crashed"; exit 32 ;;
esac
`;
const rcStatus = `#!/bin/sh
[ "$1" = --crashed ] || exit 1
for l in /run/openrc/started/*; do
  if [ -e "$l" ] && ! "/etc/init.d/\${l##*/}" status >/dev/null 2>&1; then echo "\${l##*/}"; fi
done
`;
const rcUpdate = `#!/bin/sh
case $1 in
  add) mkdir -p /etc/runlevels/$3; ln -sf /etc/init.d/$2 /etc/runlevels/$3/$2 ;;
  -a) rm -f /etc/runlevels/*/$3 ;;
esac
`;

for (const init of ["sysv", "openrc"] as const) {
  describeLab(`a host with ${init}`, () => {
    const lab = labHosts(1);
    const directory = mkdtempSync(join(tmpdir(), "conn3x-init-"));
    afterAll(() => rmSync(directory, { recursive: true, force: true }));
    const host = () => lab.hosts[0];
    const put = (path: string, content: string) =>
      host().must(`cat >${path} <<'END-OF-FILE'\n${content}\nEND-OF-FILE\nchmod 755 ${path}`);

    beforeAll(async () => {
      await host().must("mount -t tmpfs none /run/systemd");
      await put("/etc/init.d/web", sysvScript);
      await put("/usr/local/sbin/webd", daemon);
      if (init === "sysv") return;
      await host().must("mkdir -p /run/openrc/started /etc/runlevels/default");
      await put("/usr/sbin/rc-service", rcService);
      await put("/usr/sbin/rc-status", rcStatus);
      await put("/usr/sbin/rc-update", rcUpdate);
    });

    const run = (...args: string[]) => program.run(directory, args);
    const done = async (...args: string[]) => {
      const { status, output } = await run(...args);
      expect(status, output).toBe(0);
      return output;
    };
    const write = (content: string, service = "running = true\n      enabled = true") =>
      writeFileSync(
        join(directory, "main.circuit.hcl"),
        `circuit "init" {
${fleetBlocks(lab.lab, lab.hosts)}
  step "config" {
    file {
      path    = "/etc/web.conf"
      content = "${content}\\n"
    }
    notify = [handler.restart]
  }
  step "web" {
    service {
      name = "web"
      ${service}
    }
  }
  handler "restart" {
    service {
      name   = "web"
      action = "restart"
    }
  }
}
`,
      );
    const served = () => host().must("cat /run/web.served");
    const pid = () => host().must("pgrep -fx 'sleep 100000'; true");
    const boots = () =>
      host().must(
        init === "sysv"
          ? "ls /etc/rc2.d | grep -c '^S..web'; true"
          : "ls /etc/runlevels/default | grep -c web; true",
      );

    test("is started and starts with the host", async () => {
      write("one");
      await done("apply", "-auto-approve");
      expect(await served()).toBe("one\n");
      expect(await pid()).toMatch(/^\d+\n$/);
      expect(await boots()).toBe("1\n");
      expect(await done("plan", "-detailed-exitcode")).toContain("No changes.");
    });

    test("is restarted by a change", async () => {
      const before = await pid();
      write("two");
      await done("apply", "-auto-approve");
      expect(await pid()).not.toBe(before);
      expect(await served()).toBe("two\n");
    });

    test("one that has died is drift, and is started again", async () => {
      await host().must("pkill -fx 'sleep 100000'");
      const { status, output } = await run("plan", "-detailed-exitcode");
      expect(status, output).toBe(2);
      await done("apply", "-auto-approve");
      expect(await pid()).toMatch(/^\d+\n$/);
    });

    test("one that dies of its configuration fails the handler, which stays pending", async () => {
      write("broken");
      const failed = await run("apply", "-auto-approve");
      expect(failed.status).toBe(1);
      expect(failed.output).toContain("does not run any more 1 second after");
      write("mended");
      await done("apply", "-auto-approve");
      expect(await served()).toBe("mended\n");
    });

    test("is stopped and starts no more", async () => {
      write("mended", "running = false\n      enabled = false");
      await done("apply", "-auto-approve");
      expect(await pid()).toBe("");
      expect(await boots()).toBe("0\n");
      expect(await done("plan", "-detailed-exitcode")).toContain("No changes.");
    });
  });
}
