/** Waiting for a URL, asked from the host and from the controller. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { describeLab, labHosts } from "../lab/for-tests.ts";
import { bundledProgram } from "./bundled.ts";
import { fleetBlocks } from "./interrupted-circuit.ts";

const program = bundledProgram();

describeLab("wait_for with http", () => {
  const lab = labHosts(1);
  const directory = mkdtempSync(join(tmpdir(), "conn3x-http-"));
  afterAll(() => rmSync(directory, { recursive: true, force: true }));
  const apply = (settings: string, before = "") => {
    writeFileSync(
      join(directory, "main.circuit.hcl"),
      `circuit "http" {\n${fleetBlocks(lab.lab, lab.hosts)}${before}  step "answers" {\n    wait_for {\n      ${settings}\n    }\n  }\n}\n`,
    );
    return program.run(directory, ["apply", "-auto-approve"]);
  };
  const flat = (text: string) => text.replace(/\s+/g, " ");
  const install = (name: string) => `  step "${name}" {\n    package {\n      name = "${name}"\n    }\n  }\n`;

  test("fails at once where the host has no client", async () => {
    await lab.hosts[0].must("mv /usr/bin/wget /usr/bin/wget.away 2>/dev/null; ! command -v curl");
    const { status, output } = await apply('http = "http://localhost/"\n      timeout = 60');
    expect(status).toBe(1);
    expect(flat(output)).toContain('the host has neither curl nor wget: set http_from = "controller"');
  });

  test("waits for a server that an earlier step starts", async () => {
    const { status, output } = await apply(
      'http = "http://localhost/"\n      timeout = 30',
      install("nginx-light") + install("curl"),
    );
    expect(status, output).toBe(0);
  }, 60_000);

  test("asks from the controller", async () => {
    const { address } = lab.hosts[0];
    const ok = await apply(`http = "http://${address}/"\n      http_from = "controller"\n      timeout = 10`);
    expect(ok.status, ok.output).toBe(0);
    const missing = await apply(
      `http = "http://${address}/nothing?token=hidden"\n      http_from = "controller"\n      timeout = 2`,
    );
    expect(missing.status).toBe(1);
    expect(flat(missing.output)).toContain(`for http://${address}/nothing?… to answer with status 200`);
    expect(flat(missing.output)).toContain("Last seen: it answered with status 404");
    const gone = await apply(
      `http = "http://localhost/nothing"\n      http_status = [404]\n      timeout = 10`,
    );
    expect(gone.status, gone.output).toBe(0);
  }, 60_000);
});
