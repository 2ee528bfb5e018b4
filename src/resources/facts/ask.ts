/**
 * @module The script that asks a host about itself, and the parser of its answer. Each line of the answer starts with a word that
 * says what it is of.
 */
import { isIPv4 } from "node:net";
import { type Script, script } from "../../script/script.ts";
import type { PlainObject } from "../../values/plain.ts";
import { AnswerError } from "../kind.ts";
import { detect as detectManager } from "../package/managers.ts";
import { rebootRequired } from "../reboot/required.ts";
import { detect as detectInit } from "../service/init-systems.ts";

/** `-o` of ip(8) gives one line for each address; without it, `hostname -I` (GNU, busybox lacks it) does. */
export const askFacts: Script = script`${detectManager}
${detectInit}
for f in /etc/os-release /usr/lib/os-release; do
  if [ -r "$f" ]; then sed 's/^/os /' "$f"; echo; break; fi
done
echo "kernel $(uname -r)"
echo "architecture $(uname -m)"
echo "hostname $(uname -n)"
echo "fqdn $(hostname -f 2>/dev/null)"
echo "cpus $(getconf _NPROCESSORS_ONLN 2>/dev/null || nproc)"
if [ -r /proc/meminfo ]; then grep '^MemTotal:' /proc/meminfo; fi
if command -v ip >/dev/null 2>&1; then ip -o addr show scope global 2>/dev/null | sed 's/^/ip /'
else for a in $(hostname -I 2>/dev/null); do echo "address $a"; done; fi
if [ -r /proc/mounts ]; then grep '^/' /proc/mounts | sed 's/^/mount /'; fi
echo "virtualization $(systemd-detect-virt 2>/dev/null)"
echo "package_manager $(c3x_manager)"
echo "init_system $(c3x_init)"
echo "machine_id $(cat /etc/machine-id 2>/dev/null)"
echo "reboot $(${rebootRequired})"`;

/** @throws AnswerError when it is no answer to {@link askFacts} */
export function parseFacts(answer: string): PlainObject {
  const reported = new Map<string, string[]>();
  for (const line of answer.split("\n")) {
    const [, word, rest] = /^(\S+?):? +(.*)$/.exec(line) ?? [];
    if (word !== undefined) reported.set(word, [...(reported.get(word) ?? []), rest!.trim()]);
  }
  const text = (word: string) => reported.get(word)?.[0] ?? "";
  if (text("kernel") === "" || !reported.has("reboot"))
    throw new AnswerError("the host did not tell of itself");
  return {
    os: operatingSystem(reported.get("os") ?? []),
    kernel: text("kernel"),
    architecture: text("architecture"),
    hostname: text("hostname"),
    fqdn: text("fqdn") === "" ? text("hostname") : text("fqdn"),
    cpus: Number.parseInt(text("cpus"), 10) || 1,
    memory_mib: Math.floor((Number.parseInt(text("MemTotal"), 10) || 0) / 1024),
    addresses: addresses([
      ...(reported.get("ip") ?? []).map(addressOfLine),
      ...(reported.get("address") ?? []),
    ]),
    mounts: mounts(reported.get("mount") ?? []),
    virtualization: text("virtualization"),
    package_manager: text("package_manager"),
    init_system: text("init_system"),
    machine_id: text("machine_id"),
    reboot_required: text("reboot") === "required",
  };
}

/** os-release(5): assignments as a shell has them. */
function operatingSystem(lines: readonly string[]): PlainObject {
  const values = new Map(
    lines
      .map((line) => /^([A-Z_]+)=(?:"(.*)"|'(.*)'|(.*))$/.exec(line))
      .filter((match) => match !== null)
      .map(([, name, double, single, plain]) => [name!, double ?? single ?? plain ?? ""] as const),
  );
  const name = values.get("ID") ?? "";
  const kin = [name, ...(values.get("ID_LIKE") ?? "").split(" ")];
  return {
    family: families.find(([, members]) => members.some((member) => kin.includes(member)))?.[0] ?? name,
    name,
    version: values.get("VERSION_ID") ?? "",
    codename: values.get("VERSION_CODENAME") ?? "",
  };
}

const families: readonly (readonly [string, readonly string[]])[] = [
  ["debian", ["debian", "ubuntu"]],
  ["rhel", ["rhel", "fedora", "centos"]],
  ["suse", ["suse", "opensuse", "sles"]],
  ["alpine", ["alpine"]],
  ["arch", ["arch", "archlinux"]],
];

/** `2: eth0    inet 10.0.0.5/24 brd …` */
const addressOfLine = (line: string): string => / inet6? ([^/ ]+)/.exec(line)?.[1] ?? "";

function addresses(found: readonly string[]): readonly string[] {
  const known = [...new Set(found.filter((address) => address !== ""))].sort();
  return [...known.filter(isIPv4), ...known.filter((address) => !isIPv4(address))];
}

/** What is mounted over hides what was there. */
const mounts = (lines: readonly string[]): readonly PlainObject[] => [
  ...new Map(lines.map(mount).map((one) => [one.path, one])).values(),
];

/** proc(5): device, path, type, with blanks in octal. */
function mount(line: string): PlainObject {
  const [device = "", path = "", type = ""] = line
    .split(" ")
    .map((field) =>
      field.replace(/\\([0-7]{3})/g, (_, code) => String.fromCharCode(Number.parseInt(code, 8))),
    );
  return { path, device, type };
}
