/**
 * @module Attributes of `conn3x_facts`.
 */
import { bool, number, ofType, string, stringList } from "../../schema/schema.ts";
import { listOf, objectOf, stringType } from "../../values/type.ts";
import { hostResource } from "../settings.ts";

const fact = { computed: true, observed: true } as const;

export const factsSchema = hostResource(
  "Facts about a host. It changes nothing there. Each refresh reads them again; for a host that does not answer the stored facts are kept.",
  {
    os: ofType(
      objectOf({ family: stringType, name: stringType, version: stringType, codename: stringType }),
      {
        ...fact,
        describe:
          "Operating system: `family` (`debian`, `rhel`, `suse`, `alpine`, `arch`, or the name), `name`, `version` and `codename` as in os-release(5), empty if it has none.",
      },
    ),
    kernel: string({ ...fact, describe: "Release of the kernel, as of `uname -r`." }),
    architecture: string({ ...fact, describe: "Architecture, as of `uname -m`: `x86_64`, `aarch64`." }),
    hostname: string({ ...fact, describe: "The host's own name." }),
    fqdn: string({ ...fact, describe: "The host's name with its domain, if it has one." }),
    cpus: number({ ...fact, describe: "Number of processors in use." }),
    memory_mib: number({ ...fact, describe: "Memory, in MiB." }),
    addresses: stringList({
      ...fact,
      describe: "IP addresses that other machines can reach: IPv4, then IPv6, each sorted.",
    }),
    mounts: ofType(listOf(objectOf({ path: stringType, device: stringType, type: stringType })), {
      ...fact,
      describe: "Mounted file systems on devices: mount point, device and type.",
    }),
    virtualization: string({
      ...fact,
      describe: "Virtualization: `kvm`, `lxc`, `docker`, …, `none`; empty if unknown.",
    }),
    package_manager: string({
      ...fact,
      describe: "`apt`, `dnf`, `yum`, `zypper`, `apk`, `pacman` or `none`.",
    }),
    init_system: string({ ...fact, describe: "`systemd`, `openrc`, `sysv` or `none`." }),
    machine_id: string({ ...fact, describe: "Content of `/etc/machine-id`; empty if there is none." }),
    reboot_required: bool({ ...fact, describe: "Whether the host reports that it needs a reboot." }),
  },
);
