/**
 * Cases in which other tools of this job failed their users, in which steps and handlers of a whole circuit work
 * together: a host that has nothing yet, a socket and its service, a restart and a reload of one unit.
 */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeEach, describe, expect, test } from "vitest";
import { describeLab, labHosts } from "../lab/for-tests.ts";
import { bundledProgram } from "./bundled.ts";
import { fleetBlocks } from "./interrupted-circuit.ts";

const program = bundledProgram();

describeLab("circuits in the field", () => {
  const lab = labHosts(1);
  let directory: string;
  const directories: string[] = [];
  beforeEach(() => {
    directory = mkdtempSync(join(tmpdir(), "conn3x-field-"));
    directories.push(directory);
  });
  afterAll(() => {
    for (const path of directories) rmSync(path, { recursive: true, force: true });
  });

  const must = (script: string) => lab.hosts[0].must(script);
  const run = (...args: string[]) => program.run(directory, args);
  const write = (body: string) =>
    writeFileSync(
      join(directory, "main.circuit.hcl"),
      `circuit "web" {\n${fleetBlocks(lab.lab, lab.hosts)}\n${body}}\n`,
    );
  const apply = async (body: string): Promise<string> => {
    write(body);
    const { status, output } = await run("apply", "-auto-approve");
    expect(status, output).toBe(0);
    expect(await run("plan", "-detailed-exitcode")).toMatchObject({ status: 0 });
    return output;
  };
  const file = (name: string, path: string, content: string, handler: string) => `  step "${name}" {
    file {
      path    = "${path}"
      content = <<-END
${content.replaceAll(/^/gm, "        ")}
      END
    }
    notify = [handler.${handler}]
  }
`;
  const running = (unit: string) =>
    `  step "runs" {\n    service {\n      name    = "${unit}"\n      running = true\n    }\n  }\n`;
  const handler = (name: string, unit: string, action: "restart" | "reload") =>
    `  handler "${name}" {\n    service {\n      name   = "${unit}"\n      action = "${action}"\n    }\n  }\n`;

  describe("an empty host", () => {
    const circuit = (service: string) => `
  step "nginx" {
    package {
      name = "nginx-light"
    }
  }
  step "page" {
    file {
      path    = "/var/www/html/index.html"
      content = "hello"
      owner   = "www-data"
    }
  }
  step "setting" {
    line {
      path   = "/etc/nginx/nginx.conf"
      regexp = "^#? *worker_processes"
      line   = "worker_processes 1;"
    }
    notify = [handler.reload]
  }
${file("site", "/etc/nginx/conf.d/site.conf", "server_tokens off;", "reload").replace("content ", 'validate = "/usr/sbin/nginx -t; test -s %s"\n      content ')}
${running(service)}${handler("reload", "nginx", "reload")}`;

    test("is planned without complaints where each step needs an earlier one, and is brought to what is wanted", async () => {
      write(circuit("nginx"));
      const plan = await run("plan", "-detailed-exitcode");
      expect([plan.status, plan.output]).toEqual([2, expect.not.stringMatching(/Error|Warning/)]);
      await must("! command -v nginx");
      await apply(circuit("nginx"));
      expect(
        await must(
          "systemctl is-active nginx; stat -c %U /var/www/html/index.html; grep -c '^worker_processes 1;' /etc/nginx/nginx.conf",
        ),
      ).toBe("active\nwww-data\n1\n");
      write(circuit("nginxx"));
      expect(await run("plan")).toMatchObject({
        status: 1,
        output: expect.stringContaining("No such service"),
      });
    });
  });

  describe("a socket and its service", () => {
    const socket = (port: number) =>
      file("socket", "/etc/systemd/system/word.socket", `[Socket]\nListenStream=127.0.0.1:${port}`, "socket");
    const service = (word: string) =>
      file(
        "service",
        "/etc/systemd/system/word.service",
        `[Service]\nStandardInput=socket\nStandardOutput=journal\nExecStart=/usr/bin/perl -e 'while (accept(my $c, STDIN)) { syswrite $c, "${word}\\n"; close $c }'`,
        "service",
      );
    const heard = async (port: number) => must(`timeout 10 bash -c 'cat </dev/tcp/127.0.0.1/${port}'`);

    test.each([
      ["the service's handler first", ["service", "socket"]],
      ["the socket's handler first", ["socket", "service"]],
    ])("both changed, both notified: %s", async (_, order) => {
      const handlers = order
        .map((name) => handler(name, name === "socket" ? "word.socket" : "word", "restart"))
        .join("");
      const circuit = (port: number, word: string) =>
        socket(port) + service(word) + running("word.socket") + handlers;
      await apply(circuit(7101, "one"));
      expect(await heard(7101)).toBe("one\n");
      // It runs by now, and is called all the time: nothing of that may come between.
      const calling = must(
        "timeout 60 bash -c 'while ! [ -e /run/called ]; do (cat </dev/tcp/127.0.0.1/7101) 2>/dev/null; done'; rm -f /run/called",
      );
      await apply(circuit(7102, "two"));
      await must("touch /run/called");
      await calling;
      expect(await heard(7102)).toBe("two\n");
      expect((await lab.hosts[0].exec("bash -c '</dev/tcp/127.0.0.1/7101'")).status).not.toBe(0);
      expect(await must("systemctl is-active word.socket word")).toBe("active\nactive\n");
      expect(await run("destroy", "-auto-approve")).toMatchObject({ status: 0 });
      await must("systemctl stop word.socket word; systemctl daemon-reload; systemctl reset-failed");
    });
  });

  describe("a service that is started by a step and restarted by a handler", () => {
    const circuit = (config: string, more = "") =>
      file("config", "/etc/lab-web/config", config, "restart") +
      running("lab-web") +
      more +
      handler("restart", "lab-web", "restart");
    const log = () => must("cat /run/lab-web/log; cat /run/lab-web/served");
    const stopped = "systemctl stop lab-web; rm -rf /run/lab-web";
    const step = (body: string) => `  step "more" {\n${body}\n  }\n`;

    test("is started once, and restarted by the next change", async () => {
      await must(stopped);
      await apply(circuit("one"));
      expect(await log()).toBe("started\none\n");
      await apply(circuit("two"));
      expect(await log()).toBe("started\nstopped\nstarted\ntwo\n");
    });

    test("is started once where it is only waited for in between", async () => {
      await must(stopped);
      await apply(circuit("three", step('    wait_for {\n      path = "/run/lab-web/served"\n    }')));
      expect(await log()).toBe("started\nthree\n");
    });

    test("is restarted where something else was done after it was started", async () => {
      await must(stopped);
      const command = '    command {\n      run = "echo five >/etc/lab-web/config"\n    }';
      await apply(
        circuit("four", step(command)).replace(
          "END\n    }",
          'END\n    }\n    drift {\n      mode = "disabled"\n    }',
        ),
      );
      expect(await log()).toBe("started\nstopped\nstarted\nfive\n");
    });

    test("is restarted where it had been running before it was configured", async () => {
      await must(`${stopped}; echo zero >/etc/lab-web/config; systemctl start lab-web`);
      await apply(circuit("six"));
      expect(await log()).toBe("started\nstopped\nstarted\nsix\n");
    });

    test("fails its handler where it does not stay up", async () => {
      const unit = "[Service]\nExecStart=/bin/sh -c 'sleep 0.5; exit 3'";
      write(
        file("unit", "/etc/systemd/system/frail.service", unit, "restart") +
          running("frail") +
          handler("restart", "frail", "restart"),
      );
      const { status, output } = await run("apply", "-auto-approve");
      expect(status).toBe(1);
      expect(output).toContain("frail failed within a second");
      await must(
        "systemctl reset-failed frail; rm /etc/systemd/system/frail.service; systemctl daemon-reload",
      );
    });
  });

  describe("a restart and a reload of one unit", () => {
    const circuit = (environment: string, config: string, more = "") =>
      file(
        "unit",
        "/etc/systemd/system/lab-web.service.d/more.conf",
        `[Service]\nEnvironment=MORE=${environment}`,
        "restart",
      ) +
      file("config", "/etc/lab-web/config", config, "reload") +
      running("lab-web") +
      handler("restart", "lab-web", "restart") +
      more +
      handler("reload", "lab-web", "reload");
    const log = () => must("cat /run/lab-web/log; cat /run/lab-web/served");

    test("the restart is enough, unless something was done on the host after it", async () => {
      await must("systemctl stop lab-web; rm -rf /run/lab-web");
      await apply(circuit("one", "one"));
      expect(await must("cat /run/lab-web/served")).toBe("one\n");
      await must(": >/run/lab-web/log");
      await apply(circuit("two", "two"));
      expect(await log()).toBe("stopped\nstarted\ntwo\n");
      // A handler between them that may have changed what is read.
      await must(": >/run/lab-web/log");
      const between =
        '  handler "between" {\n    command {\n      run = "echo three >/etc/lab-web/config"\n    }\n  }\n';
      const edited = circuit("three", "three", between).replace(
        "[handler.reload]",
        "[handler.between, handler.reload]",
      );
      await apply(edited);
      expect(await log()).toBe("stopped\nstarted\nreloaded\nthree\n");
    });
  });
});
