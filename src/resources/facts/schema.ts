/**
 * @module Attributes of `conn3x_facts`.
 */
import { bool, number, ofType, string, stringList } from "../../schema/schema.ts";
import { listOf, objectOf, stringType } from "../../values/type.ts";
import { hostResource } from "../settings.ts";

const fact = { computed: true, observed: true } as const;

export const factsSchema = hostResource(
  "What is found on a host. It changes nothing there; each refresh reads it anew, and a host that does not answer keeps what is stored.",
  {
    os: ofType(
      objectOf({ family: stringType, name: stringType, version: stringType, codename: stringType }),
      {
        ...fact,
        describe:
          "Operating system: `family` (`debian`, `rhel`, `suse`, `alpine`, `arch`, or the name), `name`, `version` and `codename` as in os-release(5), empty where it has none.",
      },
    ),
    kernel: string({ ...fact, describe: "Release of the kernel, as `uname -r` has it." }),
    architecture: string({ ...fact, describe: "Architecture, as `uname -m` has it: `x86_64`, `aarch64`." }),
    hostname: string({ ...fact, describe: "Name of the host, as it knows it itself." }),
    fqdn: string({ ...fact, describe: "Its name with its domain, where it knows one." }),
    cpus: number({ ...fact, describe: "Processors that are in use." }),
    memory_mib: number({ ...fact, describe: "Memory, in MiB." }),
    addresses: stringList({
      ...fact,
      describe: "IP addresses that others can reach, IPv4 first, each kind in order.",
    }),
    mounts: ofType(listOf(objectOf({ path: stringType, device: stringType, type: stringType })), {
      ...fact,
      describe: "File systems on devices: where each is mounted, its device and its type.",
    }),
    virtualization: string({
      ...fact,
      describe: "What it runs in: `kvm`, `lxc`, `docker`, …, `none`; empty where it does not tell.",
    }),
    package_manager: string({
      ...fact,
      describe: "`apt`, `dnf`, `yum`, `zypper`, `apk`, `pacman` or `none`.",
    }),
    init_system: string({ ...fact, describe: "`systemd`, `openrc`, `sysv` or `none`." }),
    machine_id: string({ ...fact, describe: "Contents of `/etc/machine-id`; empty where there is none." }),
    reboot_required: bool({ ...fact, describe: "Whether the host says that it needs a reboot." }),
  },
);
