/**
 * @module A shell script that passes for OpenTofu and does what a test wants of it.
 */
import { chmodSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/**
 * @param directory that the script is put in; what it was called with is in `calls` there, a line for each call
 * @param cases of the shell's `case "$*" in`: `"state pull") exit 1;;`. What fits none succeeds without a word
 * @returns the script's path
 */
export function fakeEngine(directory: string, cases: string): string {
  const path = join(directory, "engine");
  writeFileSync(
    path,
    `#!/bin/sh
if [ "$1" = version ]; then echo 'OpenTofu v1.12.6'; exit; fi
echo "$*" >>'${join(directory, "calls")}'
case "$*" in
${cases}
esac
`,
  );
  chmodSync(path, 0o755);
  return path;
}
