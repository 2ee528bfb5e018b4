/**
 * @module The base that all hosts stand on: a Debian built once with debootstrap, kept in a content-addressed cache
 * outside the repository and shared by all labs of the machine.
 */
import { createHash, randomBytes } from "node:crypto";
import { existsSync } from "node:fs";
import { chmod, mkdir, readdir, rename, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { baseFiles, finishScript } from "./base-files.ts";
import { withLock } from "./lock.ts";
import { unmountAll } from "./mounts.ts";
import { LabError, must, run } from "./run.ts";

const suite = "bookworm";

/** Installed on every host, besides Debian's minimal set. No Python and no full Perl: hosts must not need them. */
const installed = [
  "systemd",
  "systemd-sysv",
  "dbus",
  "openssh-server",
  "sudo",
  "doas",
  "procps",
  "iproute2",
  "cron",
  "locales",
  "busybox",
  "tcsh",
  "zsh",
  // What fish needs; fish itself is only unpacked, since its package depends on Python.
  "libpcre2-32-0",
];

const unpacked = ["fish", "fish-common"];

/** Not installed; hosts install them from the lab's own repository. */
const offered = ["nginx-light", "curl", "jq", "rsync", "tree", "htop"];

/** What Ansible needs on a host. */
const forPeers = ["python3", "python3-apt"];

export interface BaseOptions {
  /** Whether hosts have Python, for measuring other tools; a base of its own. */
  readonly peers?: boolean;
  /** Gets a line now and then while the base is built. */
  readonly log?: (line: string) => void;
}

/** Where bases are kept: `$CONN3X_LAB_CACHE`, else `/var/cache/conn3x-lab`. */
export function cacheDirectory(environment: NodeJS.ProcessEnv = process.env): string {
  return environment.CONN3X_LAB_CACHE || "/var/cache/conn3x-lab";
}

/**
 * The directory of a finished base, built first if need be (about a minute and a half).
 * @throws LabError when it cannot be built; the message holds the end of what debootstrap said
 */
export async function ensureBase(options: BaseOptions = {}): Promise<string> {
  const packages = [...installed, ...(options.peers ? forPeers : [])];
  const finish = finishScript(offered, unpacked);
  const definition = JSON.stringify({ suite, packages, finish, baseFiles, arch: process.arch });
  const address = createHash("sha256").update(definition).digest("hex").slice(0, 16);
  const cache = cacheDirectory();
  // Others mean something in the options of an overlay mount, or are written otherwise in the list of mounts.
  if (!/^\/[\w./+-]+$/.test(cache))
    throw new LabError(`no fit place for the lab's bases: ${JSON.stringify(cache)}`);
  const directory = join(cache, `base-${address}`);
  if (existsSync(directory)) return directory;
  await mkdir(join(cache, "debs"), { recursive: true });
  await withLock(join(cache, `base-${address}.lock`), async () => {
    if (existsSync(directory)) return;
    options.log?.(`building the base of the lab's hosts in ${directory} (once, a minute or two)`);
    const building = `building-${address}-`;
    const abandoned = (await readdir(cache)).filter((entry) => entry.startsWith(building));
    for (const entry of abandoned) await discard(join(cache, entry));
    const temporary = join(cache, `${building}${randomBytes(4).toString("hex")}`);
    try {
      await build(temporary, join(cache, "debs"), packages, finish);
      await rename(temporary, directory);
    } finally {
      await discard(temporary);
    }
  });
  return directory;
}

/** Removes a half-built base, also one of a build that was killed. */
async function discard(directory: string): Promise<void> {
  // debootstrap mounts /proc in there.
  await unmountAll(directory);
  await rm(directory, { recursive: true, force: true });
}

async function build(
  directory: string,
  debs: string,
  packages: readonly string[],
  finish: string,
): Promise<void> {
  const mirror = await configuredMirror();
  await must([
    "debootstrap",
    "--variant=minbase",
    `--include=${packages.join(",")}`,
    `--cache-dir=${debs}`,
    suite,
    directory,
    ...(mirror === undefined ? [] : [mirror]),
  ]);
  for (const file of baseFiles) await putFile(directory, file.path, file.content, file.mode);
  await must(["chroot", directory, "/bin/sh", "-s"], { input: finish });
}

async function putFile(root: string, path: string, content: string, mode: number): Promise<void> {
  const target = join(root, path);
  await mkdir(dirname(target), { recursive: true });
  await writeFile(target, content);
  await chmod(target, mode);
}

/**
 * The mirror of Debian that this machine's apt uses, or that `$CONN3X_LAB_MIRROR` names; undefined where apt knows
 * none, which leaves the choice to debootstrap.
 */
async function configuredMirror(): Promise<string | undefined> {
  const named = process.env.CONN3X_LAB_MIRROR;
  if (named) return named;
  const targets = await run([
    "apt-get",
    "indextargets",
    "--format",
    "$(REPO_URI) $(RELEASE) $(COMPONENT)",
    "Created-By: Packages",
  ]).catch(() => undefined);
  const lines = targets?.status === 0 ? targets.stdout.split("\n") : [];
  return lines
    .map((line) => line.split(" "))
    .find(([, release, component]) => release === suite && component === "main")?.[0];
}
