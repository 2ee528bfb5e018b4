/**
 * Plan, apply and destroy through the program, on a host inside this process.
 */
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
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type DemoHost, startDemoHost } from "../../src/demo/host/demo-host.ts";
import { bundleProgram, type Program } from "./program.ts";

let program: Program;
let host: DemoHost;
let directory: string;

beforeAll(async () => {
  program = await bundleProgram();
  host = await startDemoHost({ units: ["web.service"] });
  directory = mkdtempSync(join(tmpdir(), "conn3x-cli-host-"));
  writeFileSync(join(directory, "key"), host.privateKey, { mode: 0o600 });
  writeFileSync(join(directory, "web.circuit.hcl"), circuit());
});

afterAll(async () => {
  program?.remove();
  await host?.close();
  if (directory !== undefined) rmSync(directory, { recursive: true, force: true });
});

const conn3x = (...args: string[]) => program.run(args, { cwd: directory });
const file = () => join(host.root, "srv/site/page");

const circuit = () => `variable "text" {
  default = "hello"
}

output "revision" {
  value = conn3x_file.web__page["web1"].revision
}

circuit "web" {
  hosts = {
    web1 = { address = "${host.address}", port = ${host.port}, host_key = "${host.hostKey}" }
  }

  ssh {
    user             = "${host.user}"
    private_key_file = "key"
    agent            = false
  }

  step "site" {
    directory {
      path = "${host.root}/srv/site"
    }
  }

  step "page" {
    file {
      path    = "${host.root}/srv/site/page"
      content = "\${var.text}\\n"
      mode    = "0640"
    }
    notify = [handler.restart]
  }

  handler "restart" {
    service {
      name   = "web"
      action = "restart"
    }
  }
}
`;

/** The stand-in's record of the service's present start. */
function startId(): string | undefined {
  const path = join(host.root, "run/units/web.service/active");
  return existsSync(path) ? readFileSync(path, "utf8") : undefined;
}

describe("the main job", () => {
  test("a plan shows what would be made, and touches nothing", async () => {
    const { status, stdout, stderr } = await conn3x("plan");
    expect([status, stderr]).toEqual([0, ""]);
    expect(stdout).toMatch(/^ {2}\+ page +file \S+ +web1\s+new$/m);
    expect(stdout).toMatch(/^ {2}! restart +service web restart +web1\s+for the first time$/m);
    expect(stdout).toContain("Plan: 1 of 1 host changes. 2 new; 1 handler runs.\n");
    const resources = await conn3x("plan", "-format=resources");
    expect(resources.stdout).toContain('  # conn3x_file.web__page["web1"] will be created\n');
    expect(resources.stdout).toContain(
      "Plan: 3 to create, 0 to update, 0 to replace, 0 to delete, 0 unchanged.",
    );
    expect(existsSync(file())).toBe(false);
    expect(await conn3x("plan", "-detailed-exitcode")).toMatchObject({ status: 2 });
  });

  test("an apply makes it and runs the handler", async () => {
    const { status, stdout, stderr } = await conn3x("apply", "-auto-approve");
    expect([status, stderr]).toEqual([0, ""]);
    expect(stdout).toContain('conn3x_file.web__page["web1"]: Creating...\n');
    expect(stdout).toMatch(/^conn3x_file\.web__page\["web1"\]: Created after \d+\.\ds$/m);
    expect(stdout).toMatch(/^conn3x_service_action\.web__restart\["web1"\]: Ran after \d+\.\ds$/m);
    expect(stdout).toMatch(
      /\nApply complete! 3 created, 0 updated, 0 replaced, 0 deleted\.\n\nOutputs:\n\nrevision = "[0-9a-f]{16}"\n$/,
    );
    expect(readFileSync(file(), "utf8")).toBe("hello\n");
    expect(startId()).toBeDefined();
  });

  test("then there is nothing to do", async () => {
    const { status, stdout } = await conn3x("plan", "-detailed-exitcode");
    expect(status).toBe(0);
    expect(stdout).toContain("No changes.");
    const before = startId();
    expect(await conn3x("apply", "-auto-approve")).toMatchObject({ status: 0 });
    expect(startId()).toBe(before);
  });

  test("the state can be shown", async () => {
    const { status, stdout } = await conn3x("show");
    expect(status).toBe(0);
    expect(stdout).toContain('# conn3x_file.web__page["web1"]:\nresource "conn3x_file" "web__page" {\n');
    expect(stdout).toMatch(/^ {4}content\s+= <<-EOT\n {8}hello\n {4}EOT$/m);
  });

  test("an edit on the host is shown and put back, and the handler runs again", async () => {
    writeFileSync(file(), "tampered\n");
    const planned = await conn3x("plan", "-detailed-exitcode");
    expect(planned.status).toBe(2);
    expect(planned.stdout).toMatch(/^ {2}~ page +file \S+ +web1\s+changed on the host, is put back$/m);
    expect(planned.stdout).toContain("      - tampered\n      + hello\n");
    expect(planned.stdout).toMatch(/^ {2}! restart +service web restart +web1\s+because page changes$/m);
    // C12: without a read nothing is found.
    expect(await conn3x("plan", "-refresh=false", "-detailed-exitcode")).toMatchObject({ status: 0 });
    const before = startId();
    expect(await conn3x("apply", "-auto-approve")).toMatchObject({ status: 0 });
    expect(readFileSync(file(), "utf8")).toBe("hello\n");
    expect(startId()).not.toBe(before);
  });

  test("variables come from the environment, files and the command line", async () => {
    const env = { TF_VAR_text: "from the environment" };
    const fromEnvironment = await program.run(["plan"], { cwd: directory, env });
    expect(fromEnvironment.stdout).toContain("+ from the environment\n");
    writeFileSync(join(directory, "x.auto.tfvars"), 'text = "from a file"\n');
    expect((await program.run(["plan"], { cwd: directory, env })).stdout).toContain("+ from a file\n");
    expect((await conn3x("plan", "-var", "text=from=here")).stdout).toContain("+ from=here\n");
    rmSync(join(directory, "x.auto.tfvars"));
  });

  test("a host that is away is a warning for a plan and an error for what must be done there", async () => {
    const elsewhere = circuit().replace(`port = ${host.port}`, "port = 1");
    writeFileSync(join(directory, "web.circuit.hcl"), elsewhere);
    const planned = await conn3x("plan");
    expect(planned.status).toBe(0);
    expect(planned.stdout).toContain("Warning: ");
    expect(planned.stdout).toContain("1 of 1 host was not read: web1.");
    const first = await conn3x("plan", "-state=none.tfstate");
    expect(first.stdout).toMatch(/^Plan: [1-9].* 1 of 1 host was not read: web1\.$/m);
    const applied = await conn3x("apply", "-auto-approve", "-var", "text=other");
    expect(applied.status).toBe(1);
    expect(applied.stdout).toMatch(/^ {2}HOST +STEP/m);
    expect(applied.stdout).toMatch(/^ {2}web1 +site +Host does not answer +page and restart$/m);
    writeFileSync(join(directory, "web.circuit.hcl"), circuit());
  });

  test("destroy takes away what was made", async () => {
    expect(await conn3x("destroy")).toMatchObject({ status: 1 });
    const { status, stdout } = await conn3x("destroy", "-auto-approve");
    expect(status, stdout).toBe(0);
    expect(stdout).toContain("Destroy complete!");
    expect(existsSync(file())).toBe(false);
    expect(await conn3x("plan", "-destroy", "-detailed-exitcode")).toMatchObject({ status: 0 });
  });
});

describe("^C", () => {
  test("lets what runs finish, starts nothing new, and leaves a state to go on from", async () => {
    let sent = false;
    const { status, stdout, stderr } = await program.run(["apply", "-auto-approve"], {
      cwd: directory,
      watch: (text) => {
        if (sent || !text.includes('conn3x_directory.web__site["web1"]: Creating...')) return undefined;
        sent = true;
        return "SIGINT";
      },
    });
    expect(status).toBe(1);
    expect(stderr).toContain("Stopping: what is running finishes, nothing new starts.");
    expect(stdout).toMatch(/^conn3x_directory\.web__site\["web1"\]: Created after/m);
    expect(stdout).toContain("\nApply stopped: 2 not done. 1 created,");
    expect(existsSync(file())).toBe(false);
    expect(readdirSync(directory).filter((name) => name.includes("lock"))).toEqual([]);
    const { stdout: resumed } = await conn3x("apply", "-auto-approve");
    expect(resumed).toContain("Apply complete! 2 created, 0 updated, 0 replaced, 0 deleted.");
    expect(await conn3x("destroy", "-auto-approve")).toMatchObject({ status: 0 });
  });
});

describe("what is not ours", () => {
  test("is kept, and said to be kept", async () => {
    mkdirSync(join(host.root, "srv/site"), { recursive: true });
    writeFileSync(join(host.root, "srv/site/theirs"), "");
    expect(await conn3x("apply", "-auto-approve")).toMatchObject({ status: 0 });
    const planned = await conn3x("plan", "-destroy");
    expect(planned.stdout.replace(/\s+/g, " ")).toMatch(
      /site directory \S+ web1 leaves the state, stays on the host \(Conn3x did not make it\)/,
    );
    expect(planned.stdout).toContain("1 removed, 1 left on the host, 1 forgotten.");
    const { stdout } = await conn3x("destroy", "-auto-approve");
    expect(stdout).toContain('conn3x_directory.web__site["web1"]: Forgetting...\n');
    expect(stdout).not.toContain('conn3x_directory.web__site["web1"]: Deleting...\n');
    expect(stdout).toMatch(/^conn3x_directory\.web__site\["web1"\]: Kept on the host, and forgotten, after/m);
    expect(stdout).toContain("2 deleted, 1 kept on the hosts.");
    expect(existsSync(join(host.root, "srv/site/theirs"))).toBe(true);
    expect(existsSync(file())).toBe(false);
    rmSync(join(host.root, "srv"), { recursive: true });
  });

  test("stays in a directory of ours, which is then kept with it", async () => {
    expect(await conn3x("apply", "-auto-approve")).toMatchObject({ status: 0 });
    writeFileSync(join(host.root, "srv/site/theirs"), "");
    const { status, stdout } = await conn3x("destroy", "-auto-approve");
    expect(status).toBe(0);
    expect(stdout).toContain("Warning: Something was left on the host");
    expect(stdout).toContain("2 deleted, 1 kept on the hosts.");
    rmSync(join(host.root, "srv"), { recursive: true });
  });
});

describe("output that cannot be written", () => {
  const left = () => readdirSync(directory).filter((name) => /lock|journal/.test(name));

  test("a reader that goes away stops an apply as ^C does", async () => {
    const { status, stderr } = await program.run(["apply", "-auto-approve"], {
      cwd: directory,
      close: (stdout) => stdout.includes('conn3x_directory.web__site["web1"]: Creating...'),
    });
    expect(status).toBe(1);
    expect(stderr).toContain("Nobody reads the output any more.\nStopping: what is running finishes");
    expect(left()).toEqual([]);
    const shown = await conn3x("show");
    expect(shown.stdout).toContain('# conn3x_directory.web__site["web1"]:');
    expect(await conn3x("apply", "-auto-approve")).toMatchObject({ status: 0 });
    const close = (text: string) => text.includes("Reading the hosts");
    const planned = await program.run(["plan"], { cwd: directory, close });
    expect([planned.status, left()]).toEqual([1, []]);
    expect(await conn3x("destroy", "-auto-approve")).toMatchObject({ status: 0 });
  });

  test("a full disk is said, and leaves no lock", async () => {
    const { status, stderr } = await program.run(["plan"], { cwd: directory, stdout: "/dev/full" });
    expect(status).toBe(1);
    expect(stderr).toContain("Error: Output cannot be written\n\nStandard output: there is no space left");
    expect(stderr).not.toContain("defect");
    expect(left()).toEqual([]);
  });
});

describe("approval", () => {
  test.each([
    ["no\n", 1, "Apply cancelled."],
    ["", 1, "Apply cancelled."],
    ["yes\n", 0, "Apply complete!"],
  ])("is read from a pipe: %j", async (input, status, text) => {
    const applied = await program.run(["apply"], { cwd: directory, input });
    expect(applied.stdout).toContain(text);
    expect(applied.status).toBe(status);
    expect(applied.stderr.includes("Apply needs somebody to approve it")).toBe(input === "");
    expect(existsSync(file())).toBe(status === 0);
  });

  test("is not asked for with -input=false", async () => {
    const { status, stderr } = await program.run(["destroy", "-input=false"], {
      cwd: directory,
      input: "yes\n",
    });
    expect([status, stderr.includes("Destroy needs somebody to approve it")]).toEqual([1, true]);
    expect(await conn3x("destroy", "-auto-approve")).toMatchObject({ status: 0 });
  });
});

describe("demo", () => {
  test("plays to its end and leaves nothing", async () => {
    const temporary = mkdtempSync(join(tmpdir(), "conn3x-cli-demo-"));
    const { status, stdout, stderr } = await program.run(["demo"], { env: { TMPDIR: temporary } });
    expect([status, stderr], stdout).toEqual([0, ""]);
    expect(stdout).toContain("the handler has restarted the service");
    expect(stdout).toContain("changed on the host, is put back");
    expect(readdirSync(temporary)).toEqual([]);
    rmSync(temporary, { recursive: true });
  });

  test("ends soon, and leaves nothing, when nobody reads it any more", async () => {
    const temporary = mkdtempSync(join(tmpdir(), "conn3x-cli-demo-"));
    const close = (stdout: string) => stdout.includes("1. The host");
    const { status, stdout } = await program.run(["demo"], { env: { TMPDIR: temporary }, close });
    expect([status, stdout.includes("5. And again?")]).toEqual([1, false]);
    expect(readdirSync(temporary)).toEqual([]);
    rmSync(temporary, { recursive: true });
  });

  test("leaves nothing after ^C either", async () => {
    const temporary = mkdtempSync(join(tmpdir(), "conn3x-cli-demo-"));
    let sent = false;
    const { status } = await program.run(["demo"], {
      env: { TMPDIR: temporary },
      watch: (stdout) => {
        if (sent || !stdout.includes("Creating...")) return undefined;
        sent = true;
        return "SIGINT";
      },
    });
    expect(sent).toBe(true);
    expect(status).toBe(1);
    expect(readdirSync(temporary)).toEqual([]);
    rmSync(temporary, { recursive: true });
  });
});
