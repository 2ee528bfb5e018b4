import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { hostname } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { AnswerError } from "../kind.ts";
import { parseFacts } from "./ask.ts";
import { factsKind } from "./facts.ts";

const captured = readFileSync(join(import.meta.dirname, "fixtures/debian-12.txt"), "utf8");

describe("parseFacts", () => {
  test("what a Debian host tells", () => {
    expect(parseFacts(captured)).toEqual({
      os: { family: "debian", name: "debian", version: "12", codename: "bookworm" },
      kernel: "6.1.0-13-amd64",
      architecture: "x86_64",
      hostname: "web1",
      fqdn: "web1.example.org",
      cpus: 2,
      // 4028604 KiB
      memory_mib: 3934,
      addresses: ["10.0.1.5", "2001:db8::5"],
      mounts: [
        { path: "/", device: "/dev/vda1", type: "ext4" },
        { path: "/srv/my data", device: "/dev/vdb1", type: "xfs" },
      ],
      virtualization: "kvm",
      package_manager: "apt",
      init_system: "systemd",
      machine_id: "e40e11eff59a71a326c33a51dae26422",
      reboot_required: true,
    });
  });

  test.each([
    ['os ID="rocky"\nos ID_LIKE="rhel centos fedora"\nos VERSION_ID="9.3"', "rhel", "rocky", "9.3"],
    ["os ID=ubuntu\nos ID_LIKE=debian\nos VERSION_ID='22.04'", "debian", "ubuntu", "22.04"],
    ['os ID="opensuse-leap"\nos ID_LIKE="suse opensuse"', "suse", "opensuse-leap", ""],
    ["os ID=alpine", "alpine", "alpine", ""],
    ["os ID=nixos", "nixos", "nixos", ""],
    ["", "", "", ""],
  ])("%j is of the family %j", (lines, family, name, version) => {
    expect(parseFacts(`${lines}\nkernel 6.1\nreboot unneeded`).os).toMatchObject({ family, name, version });
  });

  test("a host without the usual tools has the rest of its facts", () => {
    expect(parseFacts("kernel 6.1\nhostname web1\nfqdn \naddress 10.0.1.5\nreboot unneeded")).toMatchObject({
      fqdn: "web1",
      cpus: 1,
      memory_mib: 0,
      addresses: ["10.0.1.5"],
      mounts: [],
      machine_id: "",
    });
  });

  test.each(["", "Permission denied\n", "kernel 6.1\n"])("%j are no facts", (answer) => {
    expect(() => parseFacts(answer)).toThrow(AnswerError);
  });
});

const shells = [["/bin/sh"], ["/bin/bash", "--posix"], ["busybox", "sh"]].filter(
  ([program]) => spawnSync("sh", ["-c", `command -v ${program}`]).status === 0,
);
test.each(shells)("this machine's, with %s", (program, ...args) => {
  const { stdout } = spawnSync(program!, args, { input: factsKind.facts.ask([null]).text });
  const [found] = factsKind.facts.parse(stdout, [null]);
  expect(found).toMatchObject({ state: "present", facts: { hostname: hostname() } });
  expect(Object.keys((found as { facts: object }).facts).sort()).toEqual(
    Object.entries(factsKind.schema.attributes)
      .filter(([, { observed }]) => observed)
      .map(([name]) => name)
      .sort(),
  );
});
