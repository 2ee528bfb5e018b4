/**
 * @module `npm run bench`: start-up, and plans without changes on hosts of the lab against the floor.
 *
 * Then the engine alone on simulated hosts, 2,000 and 20,000 instances; with `-simulated` nothing else. The rest needs
 * root on Linux with the lab's packages: `-hosts N` (default 2), `-steps N` (default 20), `-rounds N` (default 5); with
 * `-lab` nothing but that.
 * `npm run bench -- ssh` tells what reaching a host costs.
 */
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { LabHost } from "../lab/host.ts";
import { openLab } from "../lab/lab.ts";
import { type EngineRun, runEngine, simulatedCircuit } from "./engine.ts";
import { floor } from "./floor.ts";
import { type Candidate, measure, table } from "./measure.ts";
import { sshFigures, sshFiguresHost } from "./ssh-figures.ts";

/** Both bundles lie side by side in `dist/`. */
const product = join(__dirname, "conn3x.cjs");

async function main(args: readonly string[]): Promise<void> {
  if (args[0] === "floor") {
    const { hosts, paths } = JSON.parse(args[1]!);
    const printed = await floor(hosts, paths);
    if (printed.some((text) => text.split("\n").length < paths.length))
      throw new Error("a check printed nothing");
    return;
  }
  if (args[0] === "engine") {
    console.log(JSON.stringify(await runEngine(args[1]!, args[2] as "first" | "plan")));
    return;
  }
  if (args[0] === "ssh") return sshFigures();
  if (args[0] === "ssh-host") return sshFiguresHost();
  const option = (name: string, standard: number) => {
    const at = args.indexOf(`-${name}`);
    return at === -1 ? standard : Number(args[at + 1]);
  };
  const rounds = option("rounds", 5);
  if (!args.includes("-lab")) {
    console.log("Start-up:");
    console.log(table(await measure(startUp, Math.max(rounds, 10))));
    await engineBench([
      [100, 20],
      [1000, 20],
    ]);
  }
  if (args.includes("-simulated")) return;
  await planBench(option("hosts", 2), option("steps", 20), rounds);
}

/** First apply and plan without changes on simulated hosts, each in a process of its own. */
async function engineBench(sizes: readonly (readonly [hosts: number, steps: number])[]): Promise<void> {
  console.log("\nThe engine alone, on hosts that answer at once:");
  for (const [hosts, steps] of sizes) {
    const directory = mkdtempSync(join(tmpdir(), "conn3x-bench-"));
    writeFileSync(join(directory, "main.circuit.hcl"), simulatedCircuit(hosts, steps));
    for (const work of ["first", "plan"] as const) {
      const printed = execFileSync(process.execPath, [__filename, "engine", directory, work], {
        encoding: "utf8",
      });
      const { elapsed, processor, memory, questions, instances } = JSON.parse(printed) as EngineRun;
      const name = work === "first" ? "first apply" : "plan without changes";
      console.log(
        `${instances} instances, ${name}: ${Math.round(elapsed)} ms (processor ${Math.round(processor)} ms), ${Math.round(memory)} MB, ${questions} questions to ${hosts} hosts`,
      );
    }
    rmSync(directory, { recursive: true, force: true });
  }
}

const startUp: readonly Candidate[] = [
  { name: "node -e 0", command: [process.execPath, "-e", "0"] },
  { name: "conn3x version", command: [process.execPath, product, "version"] },
];

async function planBench(count: number, steps: number, rounds: number): Promise<void> {
  const lab = await openLab({ name: "bench" });
  const directory = mkdtempSync(join(tmpdir(), "conn3x-bench-"));
  try {
    const hosts = await lab.up(Array.from({ length: count }, (_, i) => `web${i + 1}`));
    const paths = Array.from({ length: steps }, (_, i) => `/srv/bench/step${i}`);
    writeFileSync(join(directory, "main.circuit.hcl"), circuit(hosts, lab.keyFile, paths));
    const run = (name: string, ...command: string[]): Candidate => ({
      name,
      directory,
      command: [process.execPath, product, ...command],
    });
    await measure([run("first apply", "apply", "-auto-approve")], 0);
    const logins = hosts.map(({ address }) => ({ address, user: "deploy", keyFile: lab.keyFile }));
    const bare: Candidate = {
      name: "floor: bare ssh2, a process for each check",
      command: [process.execPath, __filename, "floor", JSON.stringify({ hosts: logins, paths })],
    };
    console.log(`\nPlan without changes, ${count} hosts × ${steps} steps:`);
    console.log(table(await measure([bare, run("conn3x plan", "plan", "-detailed-exitcode")], rounds)));
    await measure([run("destroy", "destroy", "-auto-approve")], 0);
  } finally {
    await lab.down();
    rmSync(directory, { recursive: true, force: true });
  }
}

function circuit(hosts: readonly LabHost[], keyFile: string, paths: readonly string[]): string {
  const steps = paths.map((path, i) =>
    i % 5 === 0
      ? `  step "s${i}" {\n    directory {\n      path = "${path}"\n    }\n  }\n`
      : `  step "s${i}" {\n    file {\n      path    = "${path}"\n      content = "number ${i} on \${host.name}\\n"\n    }\n  }\n`,
  );
  const addresses = hosts.map(
    ({ name, address, hostKey }) => `    ${name} = { address = "${address}", host_key = "${hostKey}" }\n`,
  );
  return `circuit "bench" {
  hosts = {
${addresses.join("")}  }
  ssh {
    user             = "deploy"
    private_key_file = "${keyFile}"
    agent            = false
    become           = true
  }
${steps.join("")}}
`;
}

main(process.argv.slice(2)).catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
});
