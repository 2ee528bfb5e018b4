/**
 * @module For tests: a demo host that has few tools: its PATH holds these only, and the directories of system tools.
 */
import { execFileSync } from "node:child_process";
import { mkdtemp, realpath, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { DemoHost } from "../../demo/host/demo-host.ts";
import { startDemoHost } from "../../demo/host/demo-host.ts";

/** @param tools names of programs of this machine; the host has these, what `sh` has built in, and no other */
export async function startBareHost(tools: readonly string[]): Promise<DemoHost> {
  const directory = await realpath(await mkdtemp(join(tmpdir(), "conn3x-tools-")));
  for (const tool of new Set(["sh", ...tools])) {
    const path = execFileSync("/bin/sh", ["-c", `command -v ${tool}`], { encoding: "utf8" }).trim();
    await symlink(path, join(directory, tool));
  }
  const shell = join(directory, "login-shell");
  await writeFile(shell, `#!/bin/sh\nPATH=${directory}; export PATH\nexec /bin/sh "$@"\n`, { mode: 0o755 });
  const host = await startDemoHost({ loginShell: shell });
  return {
    ...host,
    async close() {
      await host.close();
      await rm(directory, { recursive: true });
    },
  };
}
