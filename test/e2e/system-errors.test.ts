/**
 * Everything that this machine's system can refuse a run: each file that is written, each way in which it cannot be. A run
 * ends in time, says which file and what to do, loses no state, and goes on when the reason is gone.
 */
import { execFileSync, spawn } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { describeLab, labHosts } from "../lab/for-tests.ts";
import { bundledProgram } from "./bundled.ts";

const program = bundledProgram();
const lab = labHosts(1);

/** Seconds in which every run ends. */
const limit = 25;
let directory: string;
const at = (...names: readonly string[]): string => join(directory, ...names);
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), "conn3x-system-"));
  mkdirSync(at("managed"));
  mkdirSync(at("site"));
});
const mounts: string[] = [];
afterEach(() => {
  for (const mount of mounts.splice(0)) execFileSync("umount", ["-l", mount]);
  rmSync(directory, { recursive: true });
});

const circuit = (text: string, ssh = 'transport = "local"', address = "localhost"): string =>
  `circuit "site" {
  hosts = { web1 = "${address}" }
  ssh {
    ${ssh}
  }
  step "a" {
    file {
      path    = "${at("managed")}/a"
      content = "${text}"
    }
  }
  step "b" {
    file {
      path    = "${at("managed")}/b"
      content = "${text}"
    }
  }
}
`;
const write = (...parts: Parameters<typeof circuit>): void =>
  writeFileSync(at("site/main.circuit.hcl"), circuit(...parts));

interface Ended {
  readonly status: number | null;
  readonly output: string;
}

/** @param before a program that the command is given to: a limit, a shell's redirection */
function run(
  args: readonly string[],
  before: readonly string[] = [],
  env: NodeJS.ProcessEnv = {},
): Promise<Ended> {
  const [command, ...rest] = [...before, process.execPath, program.file, ...args];
  const child = spawn(command!, rest, {
    cwd: at("site"),
    env: { ...process.env, HOME: directory, ...env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let output = "";
  for (const stream of [child.stdout, child.stderr])
    stream.on("data", (chunk) => {
      output += chunk;
    });
  const timer = setTimeout(() => {
    output += `\n(it hung for ${limit} s)`;
    child.kill("SIGKILL");
  }, limit * 1000);
  return new Promise((resolve) =>
    child.on("close", (status) => {
      clearTimeout(timer);
      const plain = output.replace(/\s+/g, " ");
      // No defect, nothing of our code or of Node's.
      expect(plain).not.toMatch(
        /defect|it hung|TypeError|RangeError|UnhandledPromise|node:internal|\.ts:\d|\bat file:/,
      );
      resolve({ status, output: plain });
    }),
  );
}

/** Puts a small file system there. @param how `full`, or `ro` for one that cannot be written */
function mount(path: string, how: "full" | "ro"): void {
  mkdirSync(path, { recursive: true });
  const kept = readdirSync(path).map((name) => [name, readFileSync(join(path, name))] as const);
  execFileSync("mount", ["-t", "tmpfs", "-o", "size=256k,mode=0755", "none", path]);
  mounts.push(path);
  for (const [name, bytes] of kept) writeFileSync(join(path, name), bytes, { mode: 0o600 });
  if (how === "ro") execFileSync("mount", ["-o", "remount,ro", path]);
  else
    try {
      writeFileSync(join(path, "fill"), Buffer.alloc(2 ** 20));
    } catch (error) {
      expect(error).toMatchObject({ code: "ENOSPC" });
    }
}

function mend(path: string, how: "full" | "ro"): void {
  if (how === "ro") execFileSync("mount", ["-o", "remount,rw", path]);
  else rmSync(join(path, "fill"));
}

const apply = ["apply", "-auto-approve"];
const left = (): readonly string[] =>
  readdirSync(at("site")).filter((name) => /lock|journal|errored|tmp/.test(name));

const why = {
  full: "there is no space left on the device. Make room there, then run again.",
  ro: "the file system is read-only. Let it be written to, or choose another directory.",
};

describeLab("where this machine's system refuses", () => {
  describe.each(["full", "ro"] as const)("a file: the file system is %s", (how) => {
    test("beside the state: nothing is done, nothing is lost, and it goes on afterwards", async () => {
      write("one");
      expect(await run(apply)).toMatchObject({ status: 0 });
      write("two");
      mount(at("site"), how);
      const before = readFileSync(at("site/terraform.tfstate"));
      for (const args of [apply, ["refresh"]]) {
        const { status, output } = await run(args);
        expect([status, output]).toEqual([1, expect.stringContaining(why[how])]);
        expect(output).toContain(".terraform.tfstate.lock.info cannot be made");
        expect(left()).toEqual([]);
      }
      expect(readFileSync(at("site/terraform.tfstate"))).toEqual(before);
      expect(readFileSync(at("managed/a"), "utf8")).toBe("one");
      mend(at("site"), how);
      expect(await run(apply)).toMatchObject({ status: 0 });
      expect(readFileSync(at("managed/a"), "utf8")).toBe("two");
    });

    test("of -out, -plan-json, -state, -log; not of TMPDIR, for which another directory does", async () => {
      write("one");
      mount(at("other"), how);
      for (const [args, status] of [
        [["plan", `-out=${at("other/plan")}`], 1],
        [["plan", `-plan-json=${at("other/json")}`], 1],
        [[...apply, `-state=${at("other/state")}`], 1],
        // The run is what matters: a warning.
        [["plan", `-log=${at("other/log")}`], how === "ro" ? 1 : 0],
      ] as const) {
        const ended = await run(args);
        expect(ended).toEqual({ status, output: expect.stringContaining(why[how]) });
        expect(ended.output).toContain(at("other"));
      }
      expect(readdirSync(at("other")).filter((name) => !/^(fill|log)$/.test(name))).toEqual([]);
      expect(left()).toEqual([]);
      expect(await run(apply, [], { TMPDIR: at("other") })).toMatchObject({ status: 0 });
    });

    test("of known hosts", async () => {
      mount(at("other"), how);
      const known = at("other/known_hosts");
      const ssh = `user = "root"
    private_key_file  = "${lab.lab.keyFile}"
    known_hosts_file  = "${known}"
    host_key_checking = "accept-new"`;
      write("one", ssh, lab.hosts[0].address);
      const { status, output } = await run(apply);
      expect(status).toBe(1);
      expect(output).toContain(`cannot be recorded in ${known}`);
      expect(output).toContain(how === "full" ? "Make room there" : "Let it be written to");
      expect(left()).toEqual([]);
    });
  });

  test("a path that goes through a file, whatever is to be there", async () => {
    write("one");
    writeFileSync(at("site/file"), "");
    for (const args of [
      ["plan", "-out=file/x"],
      ["plan", "-plan-json=file/x"],
      ["plan", "-log=file/x"],
      [...apply, "-state=file/x"],
    ]) {
      const { status, output } = await run(args);
      expect([status, output]).toEqual([1, expect.stringContaining("a part of its path is not a directory")]);
      expect(output).toMatch(/file\/(x|\.x)/);
    }
    expect(await run(["plan"], [], { TMPDIR: at("site/file"), HOME: at("site/file") })).toMatchObject({
      status: 0,
    });
  });

  test("what the user may not write, and may not read", async () => {
    write("one");
    const nobody = ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"];
    execFileSync("chmod", ["0755", directory, at("site"), dirname(program.file)]);
    const as = (args: readonly string[]) => run(args, nobody);
    const right = "Whoever runs Conn3x needs the right to it.";
    const locked = await as(["plan"]);
    expect(locked).toMatchObject({ status: 1 });
    expect(locked.output).toContain(`lock.info cannot be made: permission denied. ${right}`);
    execFileSync("chmod", ["0777", at("site")]);
    writeFileSync(at("site/terraform.tfstate"), "{}", { mode: 0o600 });
    expect(await as(["plan"])).toEqual({ status: 1, output: expect.stringContaining(right) });
    expect(left()).toEqual([]);
  });

  test("limits of the shell: sizes, open files", async () => {
    write("one");
    expect(await run(apply)).toMatchObject({ status: 0 });
    write("two");
    const size = await run(apply, ["prlimit", "--fsize=0"]);
    expect(size).toEqual({ status: 1, output: expect.stringContaining("ulimit -f shows the limit") });
    expect(left()).toEqual([]);
    const cut = await run(["plan", "-out=plan"], ["prlimit", "--fsize=1000"]);
    expect(cut).toEqual({
      status: 1,
      output: expect.stringContaining("plan: it would be larger than a file may be"),
    });
    expect(existsSync(at("site/plan"))).toBe(false);
    const files = await run(apply, ["prlimit", "--nofile=20"]);
    expect(files).toEqual({ status: 1, output: expect.stringContaining("ulimit -n shows how many") });
    expect(left()).toEqual([]);
    expect(await run(apply)).toMatchObject({ status: 0 });
  });

  test.each([
    ["and standard error are closed", [">&-", "2>&-"], 0],
    ["is read to its first line", ["| head -1"], 1],
    ["is full", [">/dev/full"], 1],
  ])("standard output: it %s", async (_, redirections, status) => {
    write("one");
    const line = `"$@" ${redirections.join(" ")}`;
    const shell = ["bash", "-c", `set -o pipefail; ${line}`, "bash"];
    const ended = await run(apply, shell);
    expect(ended.status).toBe(status);
    expect(left()).toEqual([]);
    expect(await run(apply)).toMatchObject({ status: 0 });
    expect(readFileSync(at("managed/b"), "utf8")).toBe("one");
    if (status === 0) expect((await run(["plan"])).output).toContain("No changes");
  });

  test.each(["ssh2", "openssh"])(
    "proxy commands, by %s: each fails as that of its host",
    async (transport) => {
      const commands = {
        nowhere: "/nonexistent/program",
        short: "true",
        endless: "yes | cat",
        stubborn: "sh -c 'trap : HUP TERM PIPE; sleep 40; sleep 1'",
      };
      const hosts = Object.entries(commands).map(
        ([name, command]) =>
          `${name} = { address = "${lab.hosts[0].address}", proxy_command = "${command}" }`,
      );
      const ssh = `user = "root"
    transport         = "${transport}"
    connect_timeout   = 2
    private_key_file  = "${lab.lab.keyFile}"
    known_hosts_file  = "${lab.lab.knownHostsFile}"`;
      write("one", ssh);
      const text = readFileSync(at("site/main.circuit.hcl"), "utf8");
      const all = hosts.join("\n    ");
      writeFileSync(
        at("site/main.circuit.hcl"),
        text.replace('{ web1 = "localhost" }', `{\n    ${all}\n    web1 = "${lab.hosts[0].address}"\n  }`),
      );
      const { status, output } = await run(["plan"]);
      expect(status).toBe(0);
      expect(output).toMatch(
        /4 of 5 hosts were not read: \w+, \w+, \w+ and \w+\.|4 of 5 hosts were not read/,
      );
      expect(output).not.toContain("not read: web1");
      expect(left()).toEqual([]);
    },
  );
});
