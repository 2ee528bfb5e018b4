/**
 * @module One host as a machine: its disk (an overlay over the base), starting it under a supervisor that lets it reboot,
 * and stopping it.
 */

import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { closeSync, existsSync, openSync, readFileSync } from "node:fs";
import { chmod, chown, mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { connect } from "node:net";
import { dirname, join } from "node:path";
import { groupDirectories, makeGroup, removeGroup } from "./cgroup.ts";
import { type LabNames, machineName, vethName } from "./names.ts";
import { endHosts, initOf, isSupervised } from "./processes.ts";
import { LabError, must, run, until } from "./run.ts";

/** What is written down about a host, in `hosts/NAME/host.json` of its lab. */
export interface HostRecord {
  readonly name: string;
  /** 1 to 240; the machine's name and address come from it. */
  readonly index: number;
  readonly address: string;
  /** Its public host key: `ssh-ed25519 AAAA…`. */
  readonly hostKey: string;
  /** The base that its overlay stands on. */
  readonly base: string;
}

export interface Machine {
  readonly names: LabNames;
  readonly record: HostRecord;
}

/** Everything of a host lies below this directory. */
export function hostDirectory(names: LabNames, name: string): string {
  return join(names.directory, "hosts", name);
}

export function rootDirectory({ names, record }: Machine): string {
  return join(hostDirectory(names, record.name), "root");
}

/** Path of the host's control group. */
export function groupOf({ names, record }: Machine): string {
  return `${names.cgroup}/${record.name}`;
}

function consoleLog({ names, record }: Machine): string {
  return join(hostDirectory(names, record.name), "console.log");
}

/** Mounts a fresh disk and puts on it what makes this host itself. */
export async function makeDisk(machine: Machine): Promise<void> {
  const { names, record } = machine;
  const directory = hostDirectory(names, record.name);
  const [upper, work, root] = [join(directory, "upper"), join(directory, "work"), rootDirectory(machine)];
  for (const path of [upper, work, root]) await mkdir(path, { recursive: true });
  const options = `lowerdir=${record.base},upperdir=${upper},workdir=${work}`;
  await must(["mount", "-t", "overlay", `conn3x-lab-${record.name}`, "-o", options, root]);

  const put = async (path: string, content: string, mode = 0o644, owner = 0): Promise<void> => {
    const target = join(root, path);
    // Only .ssh directories are missing in the base.
    const made = await mkdir(dirname(target), { recursive: true, mode: 0o700 });
    if (made !== undefined) await chown(made, owner, owner);
    await writeFile(target, content);
    await chmod(target, mode);
    await chown(target, owner, owner);
  };
  const authorized = await readFile(join(names.directory, "key.pub"), "utf8");
  const machineId = createHash("sha256").update(`${names.id} ${record.name}`).digest("hex").slice(0, 32);
  // With a machine id of its own it is no "first boot", on which systemd would enable services by its presets.
  await put("etc/machine-id", `${machineId}\n`, 0o444);
  await put("etc/hostname", `${record.name}\n`);
  await put("etc/hosts", `127.0.0.1 localhost\n${record.address} ${record.name}\n`);
  await put(
    "etc/systemd/network/10-host0.network",
    `[Match]\nName=host0\n\n[Network]\nAddress=${record.address}/24\nLinkLocalAddressing=no\nIPv6AcceptRA=no\n`,
  );
  await put("etc/ssh/ssh_host_ed25519_key", await readFile(join(directory, "host_key"), "utf8"), 0o600);
  await put("etc/ssh/ssh_host_ed25519_key.pub", `${record.hostKey}\n`);
  await put("root/.ssh/authorized_keys", authorized, 0o600);
  await put("home/deploy/.ssh/authorized_keys", authorized, 0o600, 1000);
  await put("home/plain/.ssh/authorized_keys", authorized, 0o600, 1001);
}

/** Throws away the disk of a stopped host. */
export async function dropDisk(machine: Machine): Promise<void> {
  const root = rootDirectory(machine);
  const mounted = async () => (await run(["mountpoint", "-q", root])).status === 0;
  await until(`${root} is unmounted`, 10, async () => {
    if (await mounted()) await run(["umount", root]);
    return !(await mounted());
  });
  const directory = hostDirectory(machine.names, machine.record.name);
  for (const part of ["upper", "work"]) await rm(join(directory, part), { recursive: true, force: true });
}

/**
 * Joins the host's control groups, then runs the host again as long as it ends with 133, by which systemd-nspawn says
 * that it rebooted. SIGTERM ends it after the present boot. Arguments: the veth, the groups separated by spaces, then
 * nspawn's command.
 */
const supervisor = `
veth=$1 groups=$2 stopping=
shift 2
trap 'stopping=yes' TERM
for group in $groups; do echo $$ >"$group/cgroup.procs" || exit 1; done
while :; do
  ip link delete "$veth" 2>/dev/null
  for group in $groups; do find "$group/payload" -depth -type d -exec rmdir {} + 2>/dev/null; done
  "$@"
  status=$?
  if [ $status != 133 ] || [ "$stopping" ]; then exit $status; fi
done
`;

/** Boots a host that is down. Returns when it is under way; {@link ready} tells when it can be used. */
export async function startMachine(machine: Machine): Promise<void> {
  const { names, record } = machine;
  await endHosts([groupOf(machine)]);
  const groups = await makeGroup(groupOf(machine));
  const log = openSync(consoleLog(machine), "w", 0o600);
  const child = spawn(
    "/bin/sh",
    [
      "-c",
      supervisor,
      "conn3x-lab",
      vethName(names, record.index),
      groups.join(" "),
      "systemd-nspawn",
      "--quiet",
      "--boot",
      `--directory=${rootDirectory(machine)}`,
      `--machine=${machineName(names, record.index)}`,
      `--network-bridge=${names.bridge}`,
      "--register=no",
      "--keep-unit",
      "--resolv-conf=off",
      "--timezone=off",
      "--link-journal=no",
    ],
    { cwd: "/", detached: true, stdio: ["ignore", log, log], env: { PATH: "/usr/sbin:/usr/bin:/sbin:/bin" } },
  );
  closeSync(log);
  child.unref();
  await until(`the supervisor of ${record.name} has started`, 10, () => {
    if (child.exitCode !== null) throw failedToStart(machine);
    return isSupervised(groupOf(machine));
  });
}

function failedToStart(machine: Machine): LabError {
  const said = readFileSync(consoleLog(machine), "utf8").trim().split("\n").slice(-12).join("\n");
  return new LabError(`host ${machine.record.name} does not start: ${said || "it printed nothing"}`);
}

/** As when the power fails: nothing inside the host is told. The disk stays. */
export async function stopMachine(machine: Machine): Promise<void> {
  await endHosts([groupOf(machine)]);
  await run(["ip", "link", "delete", vethName(machine.names, machine.record.index)]);
  for (const directory of groupDirectories(groupOf(machine))) await removeGroup(directory);
}

/**
 * Waits until the host takes logins: sshd greets, and systemd lets users other than root in (pam_nologin(8)).
 * @throws LabError when the host went down instead, or after a minute
 */
export async function ready(machine: Machine): Promise<void> {
  const { name, address } = machine.record;
  await until(`host ${name} takes logins`, 60, async () => {
    if (!isSupervised(groupOf(machine))) throw failedToStart(machine);
    const init = initOf(groupOf(machine));
    if (init === undefined || !(await greets(address))) return false;
    return !existsSync(`/proc/${init}/root/run/nologin`);
  });
}

function greets(address: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ host: address, port: 22 });
    const settle = (answer: boolean) => {
      socket.destroy();
      resolve(answer);
    };
    socket.setTimeout(1_000, () => settle(false));
    socket.on("error", () => settle(false));
    socket.on("close", () => settle(false));
    socket.on("data", (data) => settle(data.toString().startsWith("SSH-")));
  });
}
