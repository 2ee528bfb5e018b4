/**
 * Holds the tutorial to what really happens: its files are written, its commands run in their order on a host inside
 * this process, and what it shows of their output must be in it.
 */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type DemoHost, startDemoHost } from "../../src/demo/host/demo-host.ts";
import { bundleProgram, type Program } from "./program.ts";

const tutorial = readFileSync(join(import.meta.dirname, "../../docs/tutorial.md"), "utf8");

let program: Program;
let host: DemoHost;
let directory: string;

beforeAll(async () => {
  program = await bundleProgram();
  host = await startDemoHost({ units: ["nginx.service"] });
  directory = mkdtempSync(join(tmpdir(), "conn3x-tutorial-"));
  writeFileSync(join(directory, "key"), host.privateKey, { mode: 0o600 });
});

afterAll(async () => {
  program?.remove();
  await host?.close();
  if (directory !== undefined) rmSync(directory, { recursive: true, force: true });
});

/** The reader's host is ours here, and paths are below its directory. */
const ours = (text: string): string =>
  text
    .replace(
      'web1 = "10.0.1.5"',
      `web1 = { address = "${host.address}", port = ${host.port}, host_key = "${host.hostKey}" }`,
    )
    .replace(
      /ssh \{[^}]*\}/,
      `ssh {\n    user             = "${host.user}"\n    private_key_file = "key"\n    agent            = false\n  }`,
    )
    .replaceAll("/srv/site", join(host.root, "srv/site"));

/** What differs from run to run: times, and the columns and breaks of rows, which follow from the length of paths. */
const masked = (text: string): string =>
  text.replace(/after \d+\.\ds/g, "after 0.0s").replace(/(?<=\S)(?: {2,}|\n {6}(?=[a-z]))/g, "  ");

interface Step {
  readonly command: string;
  /** Passages that follow each other. */
  readonly shown: readonly string[];
}

function stepsOf(block: string): readonly Step[] {
  return block
    .split(/^\$ /m)
    .slice(1)
    .map((text) => {
      const [command = "", ...lines] = text.split("\n");
      return {
        command,
        shown: lines
          .join("\n")
          .split("…\n")
          .filter((passage) => passage !== ""),
      };
    });
}

/** Words of a command line as the shell takes them, as far as the tutorial goes: single quotes. */
const words = (command: string): readonly string[] =>
  [...command.matchAll(/'([^']*)'|(\S+)/g)].map(([, quoted, plain]) => quoted ?? plain!);

test("the tutorial", async () => {
  let commands = 0;
  for (const [, info = "", block = ""] of tutorial.matchAll(/^```(.+)\n([\s\S]*?)^```$/gm)) {
    const [language, name] = info.split(" ");
    if (language === "hcl") writeFileSync(join(directory, name!), ours(block));
    if (language !== "console") continue;
    for (const { command, shown } of stepsOf(block)) {
      const [called, ...args] = words(ours(command));
      expect(called).toBe("conn3x");
      const { stdout, stderr } = await program.run(args, { cwd: directory, input: "yes\n" });
      expect(stderr, command).toBe("");
      let rest = masked(stdout);
      for (const passage of shown) {
        const expected = masked(ours(passage));
        const at = rest.indexOf(expected);
        expect(at, `${command} shows\n${passage}\nin\n${rest}`).toBeGreaterThanOrEqual(0);
        rest = rest.slice(at + expected.length);
      }
      commands++;
    }
  }
  expect(commands).toBeGreaterThan(10);
}, 120_000);
