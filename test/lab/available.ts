/**
 * @module Whether this machine can hold a lab.
 */
import { accessSync, constants } from "node:fs";
import { join } from "node:path";

/** Programs that a lab runs, with the Debian package of each. */
const programs: Readonly<Record<string, string>> = {
  "systemd-nspawn": "systemd-container",
  debootstrap: "debootstrap",
  ip: "iproute2",
  ssh: "openssh-client",
  "ssh-keygen": "openssh-client",
  nsenter: "util-linux",
  flock: "util-linux",
  mount: "mount",
};

function isInstalled(program: string): boolean {
  const directories = [...(process.env.PATH ?? "").split(":"), "/usr/sbin", "/sbin"];
  return directories.some((directory) => {
    try {
      accessSync(join(directory, program), constants.X_OK);
      return true;
    } catch {
      return false;
    }
  });
}

/** Why this machine cannot hold a lab, as a sentence for a person; undefined when it can. */
export function whyNoLab(): string | undefined {
  if (process.platform !== "linux") return `a lab needs Linux, this is ${process.platform}`;
  if (process.getuid?.() !== 0) return "a lab needs root";
  const missing = Object.keys(programs).filter((program) => !isInstalled(program));
  if (missing.length === 0) return undefined;
  const packages = [...new Set(missing.map((program) => programs[program]))];
  return `a lab needs programs that are not here: ${missing.join(", ")} (packages: ${packages.join(", ")})`;
}
