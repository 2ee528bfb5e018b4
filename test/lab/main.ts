/**
 * @module The command behind `npm run lab`: a lab for a person to play with.
 */
import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { Command } from "commander";
import { whyNoLab } from "./available.ts";
import type { LabHost } from "./host.ts";
import { attachLab, type Lab, namesFor, openLab, removeLab } from "./lab.ts";
import { LabError } from "./run.ts";

const log = (line: string): void => {
  process.stderr.write(`${line}\n`);
};

function standingLab(): Lab {
  const { directory } = namesFor({});
  if (!existsSync(join(directory, "lab.json")))
    throw new LabError("no lab is up; `npm run lab -- up 2` makes one");
  return attachLab(directory);
}

/**
 * `["3"]` → web1, web2, web3; anything else are names.
 *
 * @throws LabError for a number that cannot be one of hosts
 */
function hostNames(words: readonly string[]): readonly string[] {
  const count = words.length === 1 ? Number(words[0]) : Number.NaN;
  if (Number.isNaN(count)) return words.length === 0 ? ["web1", "web2"] : words;
  if (!Number.isInteger(count) || count < 1)
    throw new LabError(`${words[0]} is no number of hosts; at least 1 is`);
  return Array.from({ length: count }, (_, position) => `web${position + 1}`);
}

/** What goes into a circuit to configure these hosts. */
function circuitSnippet(lab: Lab, hosts: readonly LabHost[]): string {
  const width = Math.max(...hosts.map(({ name }) => name.length));
  const lines = hosts.map(({ name, address }) => `    ${name.padEnd(width)} = "${address}"`);
  return `  hosts = {
${lines.join("\n")}
  }

  ssh {
    user             = "deploy"
    private_key_file = "${lab.keyFile}"
    known_hosts_file = "${lab.knownHostsFile}"
    become           = true
  }
`;
}

async function up(words: readonly string[], options: { peers?: true }): Promise<void> {
  const started = Date.now();
  const lab = await openLab({ ...options, log });
  const hosts = await lab.up(hostNames(words));
  log(`${hosts.length} host(s) up after ${((Date.now() - started) / 1000).toFixed(1)} s. In a circuit:\n`);
  process.stdout.write(circuitSnippet(lab, hosts));
  log(`\nWith ssh: npm run lab -- ssh ${hosts[0]?.name}, or ssh -F ${lab.sshConfigFile} ${hosts[0]?.name}`);
}

function status(): void {
  const lab = standingLab();
  for (const host of lab.hosts()) {
    process.stdout.write(`${host.name}\t${host.address}\t${host.isRunning() ? "running" : "down"}\n`);
  }
}

/** Hands the terminal to another program. @returns its exit status */
function hand(program: string, args: readonly string[]): Promise<number> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { stdio: "inherit" });
    child.on("error", reject);
    child.on("exit", (code) => resolve(code ?? 1));
  });
}

async function ssh(name: string, command: readonly string[]): Promise<void> {
  const lab = standingLab();
  process.exitCode = await hand("ssh", ["-F", lab.sshConfigFile, lab.host(name).name, ...command]);
}

async function exec(name: string, command: readonly string[]): Promise<void> {
  const result = await standingLab().host(name).exec(command.join(" "));
  process.stdout.write(result.stdout);
  process.stderr.write(result.stderr);
  process.exitCode = result.status;
}

/** Each word names a method of a host that takes nothing. */
const mischief = ["start", "stop", "reboot", "reset", "freeze", "thaw", "cut", "mend"] as const;

function program(): Command {
  const command = new Command("lab").description(
    "Real hosts to try Conn3x on. Needs root on Linux; see test/lab/README.md.",
  );
  command
    .command("up [hosts...]")
    .description("boot hosts: a number (web1, web2, ...) or names")
    .option("--peers", "give new hosts Python, which other tools need")
    .action(up);
  command
    .command("down")
    .description("end all hosts and remove the lab")
    .action(() => removeLab(namesFor({})));
  command.command("status").description("list the hosts").action(status);
  command.command("ssh <host> [command...]").description("log in as deploy").allowUnknownOption().action(ssh);
  command.command("exec <host> <command...>").description("run as root, entering from outside").action(exec);
  for (const method of mischief) {
    command.command(`${method} <host>`).action((name: string) => standingLab().host(name)[method]());
  }
  return command;
}

async function main(): Promise<void> {
  const why = whyNoLab();
  if (why !== undefined) throw new LabError(why);
  await program().parseAsync();
}

main().catch((error: unknown) => {
  log(
    error instanceof LabError
      ? `lab: ${error.message}`
      : String(error instanceof Error ? error.stack : error),
  );
  process.exitCode = 1;
});
